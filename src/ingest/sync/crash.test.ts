/** Kills the sync wherever it can be killed, and looks whether the next instance always ends at the same index. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LEASE_TTL_MS } from "../../retrieval/elasticsearch/lease.js";
import { watched } from "./interrupted-door.test-util.js";
import { MortalClock } from "./jumping-clock.test-util.js";
import { NO_ABORT, World, type WorldChunk } from "./world.test-util.js";

let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

class Killed extends Error {
  override readonly name = "Killed";
}

/** Documents of every kind: new, changed, narrowed, deleted, in two revisions, and one that cannot be read. */
async function arrange(): Promise<void> {
  await world.upload("changed.md", "# A\n\nOld text.\n\n# B\n\nMore of it.");
  await world.upload("narrowed.txt", "For ann and bo.", { allowed_users: ["ann", "bo"] });
  await world.upload("deleted.txt", "Away with it.");
  await world.sync().once(NO_ABORT);
  world.bucket.put("changed.md", "# A\n\nNew text.");
  await world.change("changed.md", { status: "pending" });
  await world.change("narrowed.txt", { status: "pending", allowed_users: ["bo"] });
  await world.change("deleted.txt", { status: "deleted" });
  await world.upload("old.txt", "Revision one.", { title: "Lockout", revision: "1" });
  await world.upload("new.txt", "Revision two.", { title: "Lockout", revision: "2" });
  await world.upload("empty.txt", "");
  for (let i = 0; i < 8; i++) await world.upload(`d${i}.txt`, `Text ${i}.`);
}

/** Everything that a reader or an operator could see, without times and ids of jobs. */
async function seen(): Promise<unknown> {
  const chunks = (await world.chunks()).map((chunk) => ({ ...chunk, path: undefined }));
  return { chunks, statuses: await world.statuses() };
}

/** Nothing is readable that the metadata deny, once a sync has looked. */
async function expectNarrow(chunks: readonly WorldChunk[]): Promise<void> {
  for (const { document_id, allowed_users, visibility } of chunks) {
    if (document_id !== "narrowed.txt") continue;
    expect({ allowed_users, visibility }).not.toMatchObject({ visibility: "network" });
    expect(allowed_users).not.toContain("ann");
  }
}

interface Kill {
  readonly call: number;
  readonly when: "before" | "after";
}

/** Runs the sync until the call at which it is killed; returns how many calls it made. */
async function runUntil(kill: Kill | undefined): Promise<number> {
  const mortal = new MortalClock(world.clock);
  let calls = 0;
  let isDead = false;
  const sync = world.sync(
    (door) =>
      watched(door, async (_name, when) => {
        if (when === "before" && !isDead) calls += 1;
        if (calls === kill?.call && when === kill.when) isDead = true;
        if (!isDead) return;
        mortal.kill();
        throw new Killed();
      }),
    mortal,
  );
  try {
    await sync.once(NO_ABORT);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
  return calls;
}

/** What a dead instance had stays its own until its time is over. */
function waitForLease(): void {
  world.clock.jumpTo(world.clock.now() + LEASE_TTL_MS);
}

describe("a sync that is killed", () => {
  it("ends at the same index wherever that was", async () => {
    await arrange();
    const total = await runUntil(undefined);
    const expected = await seen();
    expect(total).toBeGreaterThan(80);
    expect(expected).toMatchObject({ statuses: { "changed.md": "synced", "empty.txt": "failed" } });

    // Spread over all calls, before and after each by turns.
    for (let round = 0; round < KILLS; round++) {
      await world.close();
      world = await World.open();
      await arrange();
      const call = 1 + Math.floor((round * total) / KILLS);
      await runUntil({ call, when: round % 2 === 0 ? "before" : "after" });
      if (call > LOOKED) await expectNarrow(await world.chunks());
      waitForLease();
      await runUntil(undefined);
      expect(await seen(), `killed at call ${call}`).toEqual(expected);
    }
  }, 240_000);

  it("again and again gets on all the same", async () => {
    await arrange();
    let call = 7;
    for (let round = 0; round < 20; round++) {
      const calls = await runUntil({ call, when: round % 2 === 0 ? "after" : "before" });
      if (calls < call) break;
      waitForLease();
      // Far enough to get something done each time, and never the same.
      call = 7 + ((round * 5) % 23);
    }
    await runUntil(undefined);
    const statuses = Object.values(await world.statuses());
    expect(statuses.filter((status) => status === "pending" || status === "deleted")).toEqual([]);
    expect(await world.chunks()).toHaveLength(12);
    expect(statuses).toHaveLength(13);
  }, 60_000);
});

/** As many as every run of all tests has time for; there are more than 80 calls. */
const KILLS = Number(process.env.READBACK_TEST_KILLS ?? 15);
/** Calls until the first look at what is pending is over. */
const LOOKED = 12;
