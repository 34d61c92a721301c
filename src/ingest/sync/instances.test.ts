/** Several instances of the sync at once, and one that stood still. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LEASE_TTL_MS } from "../../retrieval/elasticsearch/lease.js";
import { interrupted } from "./interrupted-door.test-util.js";
import { MortalClock } from "./jumping-clock.test-util.js";
import { SessionLost } from "./port.js";
import { NO_ABORT, World } from "./world.test-util.js";

let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const once = () => world.sync().once(NO_ABORT);

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("two instances", () => {
  it("take turns: the second works when the first has left", async () => {
    await world.upload("a.txt", "Alpha.");
    const first = new AbortController();
    const second = new AbortController();
    const one = world.sync().run(() => {
      first.abort(new Error("enough"));
    }, first.signal);
    const other = world.sync().run(() => {
      second.abort(new Error("enough"));
    }, second.signal);
    await Promise.all([one, other]);
    const batches = world.events.filter(({ type }) => type === "sync_batch_finished");
    expect(batches).toHaveLength(1);
    expect(await world.chunks()).toHaveLength(1);
  });

  it("relieve each other: when the first dies, the second finishes its batch with its job", async () => {
    await world.upload("a.txt", "Alpha.");
    const mortal = new MortalClock(world.clock);
    const stop = new AbortController();
    const second = () =>
      world.sync().run(() => {
        stop.abort(new Error("enough"));
      }, stop.signal);
    let relief: Promise<void> | undefined;
    const dies = async () => {
      mortal.kill();
      relief = second();
      // It never gets any further.
      await new Promise<never>(() => {});
    };
    void world.sync((door) => interrupted(door, "connector.startJob", dies), mortal).once(NO_ABORT);
    while (relief === undefined) await turn();
    await relief;
    expect(await world.statuses()).toEqual({ "a.txt": "synced" });
    expect(world.server.cluster.connectors.jobs.size).toBe(1);
    const roles = world.events.flatMap((event) => (event.type === "sync_role_changed" ? [event.role] : []));
    expect(roles).toEqual(["waiting", "active"]);
  });

  it("are told apart from a command", async () => {
    const stop = new AbortController();
    let tried: Promise<unknown> | undefined;
    await world.sync().run(() => {
      tried ??= once()
        .catch((error: Error) => error.message)
        .finally(() => stop.abort(new Error("enough")));
    }, stop.signal);
    expect(await tried).toMatch(/another instance of the sync is at work.*claim ends in \d+ seconds/);
  });
});

describe("an instance that stood still", () => {
  it("writes nothing any more, whatever has changed meanwhile", async () => {
    await world.upload("a.txt", "Alpha.");
    const mortal = new MortalClock(world.clock);
    let requestsBefore = 0;
    const standStill = async () => {
      mortal.kill();
      world.clock.jumpTo(world.clock.now() + LEASE_TTL_MS);
      await world.change("a.txt", { allowed_users: ["ann"] });
      expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
      requestsBefore = world.server.requests.length;
    };
    const paused = world.sync((door) => interrupted(door, "connector.staged", standStill), mortal);
    await expect(paused.once(NO_ABORT)).rejects.toThrow(SessionLost);
    const after = world.server.requests.slice(requestsBefore);
    expect(after.filter(({ method, path }) => method !== "GET" && !/_refresh$/.test(path))).toEqual([]);
    expect(await world.chunks()).toMatchObject([{ visibility: "restricted", allowed_users: ["ann"] }]);
  });
});
