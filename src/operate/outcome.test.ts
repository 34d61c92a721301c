/** What came of an operation is owed to its asker: over restarts, until they have heard it, or it is given up. */
import { beforeEach, describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { ENDED_MAX } from "./executor.js";
import { ANN, BEN, ExecutorBench } from "./executor-bench.test-util.js";
import { NEWS_MS_MAX } from "./operation/state.js";

let bench: ExecutorBench;

beforeEach(() => {
  bench = new ExecutorBench();
});

describe("the outcome", () => {
  it("is there once it is written down, or not in time", async () => {
    const id = await bench.asked();
    const end = new AbortController();
    const late = bench.executor.outcome(id, end.signal);
    end.abort(new Error("gone"));
    await expect(late).rejects.toThrow("gone");
    const outcome = bench.executor.outcome(id, new AbortController().signal);
    await bench.says(id, "approved");
    expect(await outcome).toMatchObject({ phase: "ended", outcomes: ["verified"] });
    expect(bench.ledger.told()).toContain("ended");
  });

  it("is owed until its asker has heard it, over restarts, and with what they claimed", async () => {
    bench.isTold = false;
    const id = await bench.asked();
    await bench.says(id, "approved");
    await settle();
    bench.executor.told(id, BEN);
    const after = await bench.restarted({ isTold: false });
    expect(after.executor.untold(BEN)).toEqual([]);
    const [untold] = after.executor.untold(ANN);
    expect(untold).toMatchObject({
      view: { outcomes: ["verified"], after: [{ value: "on" }] },
      askedAs: { groups: ["crew"], responseType: "text" },
    });
    expect(after.ended).toHaveLength(1);
    after.executor.told(id, ANN);
    await settle();
    expect(after.executor.untold(ANN)).toEqual([]);
    expect(after.ledger.written.at(-1)?.entry).toMatchObject({ type: "told", to: "ann" });
    const again = await after.restarted();
    expect(again.ended).toEqual([]);
    expect(again.clock.pending).toBe(0);
  });

  it("is given up after its time, and where too many are", async () => {
    bench.isTold = false;
    await bench.says(await bench.asked(), "approved");
    await settle();
    await bench.clock.advance(NEWS_MS_MAX);
    expect(bench.executor.untold(ANN)).toEqual([]);
    expect(bench.ledger.written.at(-1)?.entry).toMatchObject({ type: "told", givenUp: "too_late" });
    for (let at = 0; at <= ENDED_MAX; at++) {
      await bench.says(await bench.asked(), "approved");
      await settle();
      bench.site.values.clear();
    }
    await bench.propose();
    await settle();
    const given = bench.ledger.written.filter(({ entry }) => entry.type === "told");
    expect(given.at(-1)?.entry).toMatchObject({ givenUp: "too_many" });
    expect(bench.executor.untold(ANN)).toHaveLength(ENDED_MAX);
  });
});
