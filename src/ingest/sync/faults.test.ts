/** Elasticsearch overloaded, gone or half there, at any of the calls of a sync. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LEASE_TTL_MS } from "../../retrieval/elasticsearch/lease.js";
import { NO_ABORT, World } from "./world.test-util.js";

let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  world.server.faults.clear();
  await world.close();
});

/** Chance that is the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a sync while Elasticsearch has trouble", () => {
  it.each([1, 2, 3, 4, 5, 6])(
    "gets on whenever it can, and loses nothing (seed %i)",
    async (seed) => {
      const random = seeded(seed);
      for (let i = 0; i < 12; i++)
        await world.upload(`d${i}.txt`, `Text ${i}.`, { allowed_users: [`u${i}`] });
      const stop = new AbortController();
      let isCalm = false;
      const trouble = [
        { kind: "answer", status: 429 },
        { kind: "answer", status: 503 },
        { kind: "reset", when: "before" },
        { kind: "reset", when: "after" },
      ] as const;
      const running = world.sync();
      const work = async () => {
        for (let failures = 0; failures < 200; failures++) {
          if (failures > 30) isCalm = true;
          try {
            await running.run(() => {
              if (isCalm) stop.abort(new Error("enough"));
              isCalm = true;
            }, stop.signal);
            return;
          } catch (error) {
            expect((error as Error).message).toMatch(/\w/);
            world.clock.jumpTo(world.clock.now() + LEASE_TTL_MS);
          }
        }
        throw new Error("it never got to the end");
      };
      world.clock.onJump(() => {
        world.server.faults.clear();
        if (!isCalm && random() < 0.5)
          world.server.faults.next({}, trouble[Math.floor(random() * 4)]!, 1 + Math.floor(random() * 4));
      });
      world.server.faults.next({}, trouble[0], 3);
      await work();
      world.server.faults.clear();
      const statuses = await world.statuses();
      expect(new Set(Object.values(statuses))).toEqual(new Set(["synced"]));
      const chunks = await world.chunks();
      expect(chunks).toHaveLength(12);
      for (const { document_id, allowed_users } of chunks)
        expect(allowed_users).toEqual([document_id.replace("d", "u").replace(".txt", "")]);
    },
    60_000,
  );

  it("that refuses one document fails this one, with what it says", async () => {
    await world.upload("good.txt", "Good.");
    await world.upload("bad.txt", "Bad.");
    world.server.faults.next(
      { endpoint: "bulk", body: /"text":"Bad\."/ },
      {
        kind: "answer",
        status: 400,
        body: { error: { type: "illegal_argument_exception", reason: "no", root_cause: [] }, status: 400 },
      },
      3,
    );
    expect(await world.sync().once(NO_ABORT)).toEqual({ synced: 1, failed: 1, removed: 0, doubtful: 0 });
    expect(await world.metadata("bad.txt")).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/illegal_argument_exception/),
    });
  });
});
