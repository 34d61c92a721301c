// Operations as turns and doors meet them: on a virtual clock, with a site that is told what to do and a ledger in memory.
import { beforeEach, describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { CONSENT_MS_MAX } from "../domain/operation.js";
import {
  ENDED_MAX,
  ENDED_MS_MAX,
  EXECUTE_MS_MAX,
  READ_MS_MAX,
  RECORD_MS_MAX,
  WAITING_MAX,
} from "./executor.js";
import { ANN, BEN, callOn, ExecutorBench, STRANGER, WINDOW_MS } from "./executor-bench.test-util.js";
import type { LedgerEntry } from "./ledger/port.js";
import { LOOK_PAUSE_MS } from "./operation/reduce.js";
import { ASKED_MS_MAX, NEWS_MS_MAX } from "./operation/state.js";

const HOUR_MS = 3_600_000;
const OVER_MS = WINDOW_MS + LOOK_PAUSE_MS;
const CREW = { groups: [], kiosk: false };

let bench: ExecutorBench;

beforeEach(() => {
  bench = new ExecutorBench();
});

describe("an operation that is consented to", () => {
  it("is done once and verified, and each step has its row first", async () => {
    const id = await bench.asked();
    let rowsAtCall: string[] = [];
    const { onExecute } = bench.site;
    bench.site.onExecute = (call) => {
      rowsAtCall = bench.ledger.told();
      return onExecute(call);
    };
    expect(await bench.says(id, "approved")).toEqual({ type: "accepted" });
    await settle();
    expect(rowsAtCall).toEqual(["proposed", "readback", "reply", "read 0", "executing 0"]);
    expect(bench.ledger.told().slice(5)).toEqual(["executed 0", "read 0", "outcome 0", "ended", "told"]);
    expect(bench.site.executed).toEqual([`${id}-0`]);
    expect(bench.written).toContain("plant/pump/p1");
    expect(bench.ended).toMatchObject([
      { phase: "ended", outcomes: ["verified"], after: [{ value: "on" }], by: [ANN] },
    ]);
    expect(bench.ended[0]?.reason).toBeUndefined();
    expect(await bench.says(id, "approved")).toEqual({ type: "unknown_operation" });
    expect(bench.clock.pending).toBe(0);
  });

  it("is done once however often and by whomever it is consented to", async () => {
    const id = await bench.asked();
    const replies = [bench.says(id, "approved"), bench.says(id, "approved"), bench.says(id, "approved", BEN)];
    expect((await Promise.all(replies)).map(({ type }) => type)).toEqual([
      "accepted",
      "accepted",
      "not_counted",
    ]);
    await settle();
    expect(bench.site.executed).toHaveLength(1);
  });

  it("does nothing in a dry run, and says so", async () => {
    const id = await bench.asked(["p1", "p2"], { dryRun: true });
    expect(await bench.says(id, "approved")).toEqual({ type: "accepted" });
    await settle();
    expect(bench.site.executed).toEqual([]);
    expect(bench.ledger.told()).not.toContain("executing 0");
    expect(bench.ended).toMatchObject([{ outcomes: ["dry_run", "dry_run"] }]);
  });

  it("is looked at and not repeated when the reply is lost", async () => {
    const { onExecute } = bench.site;
    bench.site.onExecute = async (call) => {
      await onExecute(call);
      return new Promise(() => {});
    };
    const id = await bench.asked();
    await bench.says(id, "approved");
    await bench.clock.advance(EXECUTE_MS_MAX);
    expect(bench.site.executed).toHaveLength(1);
    expect(bench.ended).toMatchObject([{ outcomes: ["verified"] }]);
    expect(bench.ledger.written.find(({ entry }) => entry.type === "executed")?.entry).toMatchObject({
      reply: { type: "lost" },
    });
  });

  it.each([
    ["verified", "off", "on"],
    ["contradicted", "off", "off"],
    ["unknown", "on", "on"],
  ] as const)(
    "is read, and not believed, when its tool says that it failed: %s",
    async (outcome, before, after) => {
      bench.site.values.set("plant/pump/p1", before);
      bench.site.onExecute = (call) => {
        bench.site.values.set(call.target, after);
        return Promise.resolve({ type: "failed", message: "it says so" });
      };
      const id = await bench.asked([], { calls: [callOn("p1", before)] });
      await bench.says(id, "approved");
      await bench.clock.advance(OVER_MS);
      expect(bench.ended).toMatchObject([{ outcomes: [outcome] }]);
      expect(bench.site.executed).toHaveLength(1);
    },
  );

  it("is unknown when the reply is lost and it reads as before", async () => {
    bench.site.values.set("plant/pump/p1", "on");
    bench.site.onExecute = () => Promise.reject(new Error("the line is dead"));
    const id = await bench.asked([], { calls: [callOn("p1", "on")] });
    await bench.says(id, "approved");
    await bench.clock.advance(OVER_MS);
    expect(bench.ended).toMatchObject([{ outcomes: ["unknown"] }]);
  });

  it("is contradicted when the tool says ok and does nothing", async () => {
    bench.site.onExecute = () => Promise.resolve({ type: "ok" });
    const id = await bench.asked();
    await bench.says(id, "approved");
    await bench.clock.advance(WINDOW_MS - 1);
    expect(bench.view(id)).toMatchObject({
      phase: "verifying",
      outcomes: [undefined],
      after: [{ value: "off" }],
    });
    await bench.clock.advance(1);
    expect(bench.ended).toMatchObject([{ outcomes: ["contradicted"] }]);
    expect(bench.site.reads).toBeLessThanOrEqual(WINDOW_MS / LOOK_PAUSE_MS + 2);
  });

  it("is verified as soon as it shows, late in the window", async () => {
    bench.site.onExecute = () => Promise.resolve({ type: "ok" });
    const id = await bench.asked();
    await bench.says(id, "approved");
    await bench.clock.advance(WINDOW_MS / 2);
    bench.site.values.set("plant/pump/p1", "on");
    await bench.clock.advance(LOOK_PAUSE_MS);
    expect(bench.ended).toMatchObject([{ outcomes: ["verified"] }]);
  });

  it.each(["old", "unreadable", "hanging", "of another thing"])(
    "is unknown when what is read is %s",
    async (how) => {
      const id = await bench.asked();
      const isBefore = () => bench.site.executed.length === 0;
      bench.site.onObserve = async (_, fresh) => {
        if (isBefore()) return fresh;
        if (how === "hanging") return new Promise(() => {});
        if (how === "old") return { ...fresh, takenAtMs: 0 };
        return how === "unreadable" ? undefined : { ...fresh, target: "plant/pump/p2" };
      };
      await bench.says(id, "approved");
      await bench.clock.advance(OVER_MS + 2 * READ_MS_MAX);
      expect(bench.ended).toMatchObject([{ outcomes: ["unknown"] }]);
    },
  );

  it("ends the rest when a call fails or is lost", async () => {
    for (const reply of [
      { type: "refused", message: "" },
      { type: "failed", message: "" },
      { type: "lost", message: "" },
    ] as const) {
      bench = new ExecutorBench();
      const { onExecute } = bench.site;
      bench.site.onExecute = (call) => (call.name === "p2" ? Promise.resolve(reply) : onExecute(call));
      const id = await bench.asked(["p1", "p2", "p3"]);
      await bench.says(id, "approved");
      await bench.clock.advance(OVER_MS);
      expect(bench.site.executed).toEqual([`${id}-0`, `${id}-1`]);
      const second = reply.type === "refused" ? "failed" : "contradicted";
      expect(bench.ended).toMatchObject([{ outcomes: ["verified", second, "skipped"] }]);
    }
  });

  it("ends the rest when somebody says stop or no between two calls", async () => {
    for (const how of ["stop", "no"]) {
      bench = new ExecutorBench();
      const { onExecute } = bench.site;
      bench.site.onExecute = async (call) => {
        if (how === "stop") bench.executor.stop(ANN);
        else expect(await bench.says(id, "denied")).toEqual({ type: "accepted" });
        return onExecute(call);
      };
      const id = await bench.asked(["p1", "p2"]);
      await bench.says(id, "approved");
      await settle();
      expect(bench.ended).toMatchObject([{ outcomes: ["verified", "skipped"] }]);
    }
  });
});

describe("an operation that is not done", () => {
  it("was denied while its target was read again", async () => {
    let goOn = () => {};
    bench.site.onObserve = (_, fresh) => new Promise((resolve) => (goOn = () => resolve(fresh)));
    const id = await bench.asked();
    const yes = bench.says(id, "approved");
    expect(await bench.says(id, "denied")).toEqual({ type: "ended", reason: "denied" });
    goOn();
    expect(await yes).toEqual({ type: "ended", reason: "denied" });
    await settle();
    expect(bench.site.executed).toEqual([]);
    expect(bench.over()).toMatchObject([{ reason: "denied" }]);
  });

  it.each([
    ["state_changed", "on", undefined],
    ["unreadable", undefined, undefined],
    ["withdrawn", "off", "locked_out"],
  ] as const)("is void: %s", async (reason, value, forbidden) => {
    const id = await bench.asked(["p1", "p2"]);
    bench.site.onObserve = (_, fresh) =>
      Promise.resolve(value === undefined ? undefined : { ...fresh, value });
    bench.site.onForbidden = () => forbidden;
    expect(await bench.says(id, "approved")).toEqual({ type: "ended", reason });
    expect(bench.site.executed).toEqual([]);
  });

  it("was forbidden after its row was written", async () => {
    const id = await bench.asked();
    bench.site.onForbidden = () => (bench.ledger.told().includes("executing 0") ? "off" : undefined);
    await bench.says(id, "approved");
    await settle();
    expect(bench.site.executed).toEqual([]);
    expect(bench.ended).toMatchObject([{ outcomes: ["failed"] }]);
  });

  it.each(["fail", "hang"] as const)("has a row that cannot be written, whichever: %s", async (fate) => {
    for (const broken of ["proposed", "readback", "reply", "read", "executing"]) {
      bench = new ExecutorBench();
      bench.ledger.fate = ({ type }) => (type === broken ? fate : "write");
      const proposed = bench.propose();
      await bench.clock.advance(RECORD_MS_MAX);
      const result = await proposed;
      if (broken === "proposed") expect(result).toEqual({ type: "refused", why: "not_recorded" });
      if (result.type !== "waiting") continue;
      const { id } = result.operation.proposal;
      await bench.hears(id, ANN);
      const said = bench.says(id, "approved");
      await bench.clock.advance(RECORD_MS_MAX);
      expect(await said).toEqual({ type: "ended", reason: "not_recorded" });
      expect(bench.site.executed).toEqual([]);
      expect(bench.over()).toMatchObject([{ reason: "not_recorded" }]);
    }
  });

  it("was heard too long ago, by time that passes and not by the clock on the wall", async () => {
    for (const jumpMs of [-HOUR_MS, 0, HOUR_MS]) {
      bench = new ExecutorBench();
      const id = await bench.asked();
      bench.clock.aheadMs += jumpMs;
      const leftMs = bench.view(id).untilMs - bench.clock.now();
      expect(leftMs).toBe(CONSENT_MS_MAX - 1);
      await bench.clock.advance(leftMs - 1);
      expect(bench.view(id).phase).toBe("waiting");
      await bench.clock.advance(1);
      expect(bench.over()).toMatchObject([{ reason: "expired" }]);
      expect(await bench.says(id, "approved")).toEqual({ type: "ended", reason: "expired" });
    }
  });

  it("was never heard to its end", async () => {
    const proposed = await bench.propose();
    const id = proposed.type === "waiting" ? proposed.operation.proposal.id : "";
    bench.executor.readback(id, ANN, undefined);
    expect(await bench.says(id, "approved")).toEqual({
      type: "not_counted",
      why: "readback_not_heard",
      missesLeft: 3,
    });
    await bench.clock.advance(ASKED_MS_MAX);
    expect(bench.over()).toMatchObject([{ reason: "not_heard" }]);
  });

  it("was stopped by its asker, and by nobody else", async () => {
    const id = await bench.asked();
    await bench.asked(["p2"], { askedOf: BEN });
    bench.executor.stop(STRANGER);
    expect(bench.view(id).phase).toBe("waiting");
    bench.executor.stop(ANN);
    expect(bench.view(id)).toMatchObject({ phase: "ended", reason: "stopped" });
  });
});

it("is verified in spite of a clock that is set while it is looked at", async () => {
  for (const jumpMs of [-HOUR_MS, HOUR_MS]) {
    bench = new ExecutorBench();
    bench.site.onExecute = () => Promise.resolve({ type: "ok" });
    const id = await bench.asked();
    await bench.says(id, "approved");
    await bench.clock.advance(LOOK_PAUSE_MS);
    bench.clock.aheadMs += jumpMs;
    await bench.clock.advance(LOOK_PAUSE_MS);
    expect(bench.view(id).phase).toBe("verifying");
    bench.site.values.set("plant/pump/p1", "on");
    await bench.clock.advance(LOOK_PAUSE_MS);
    expect(bench.ended).toMatchObject([{ outcomes: ["verified"] }]);
  }
});

describe("several", () => {
  it("on one target: the second is told of the first, or of nothing in another network", async () => {
    const id = await bench.asked(["p1", "p2"]);
    expect(await bench.propose(["p2"], { askedOf: BEN })).toMatchObject({
      type: "busy",
      with: { proposal: { id } },
    });
    expect(await bench.propose(["p2"], { askedOf: STRANGER })).toEqual({ type: "refused", why: "too_many" });
    await bench.says(id, "denied");
    expect(await bench.propose(["p2"], { askedOf: BEN })).toMatchObject({ type: "waiting" });
  });

  it("have numbers of their own, and a bound", async () => {
    const numbers = new Set<number>();
    for (let at = 0; at < WAITING_MAX; at++) {
      const proposed = await bench.propose([`p${at}`]);
      if (proposed.type === "waiting") numbers.add(proposed.operation.proposal.number);
    }
    expect(numbers.size).toBe(WAITING_MAX);
    expect(await bench.propose(["one more"])).toEqual({ type: "refused", why: "too_many" });
    await expect(bench.propose(["p", "p"])).rejects.toThrow(RangeError);
  });

  it("are listed to those who may know of all their things, and forgotten some time after the end", async () => {
    await bench.asked(["p1"]);
    await bench.asked(["p2"]);
    expect(bench.executor.list({ ...ANN, ...CREW }).map(({ proposal }) => proposal.calls[0].name)).toEqual([
      "p1",
    ]);
    expect(bench.executor.list({ ...ANN, ...CREW, groups: ["all"] })).toHaveLength(2);
    expect(bench.executor.list({ ...STRANGER, ...CREW, groups: ["all"] })).toEqual([]);
    await bench.clock.advance(CONSENT_MS_MAX);
    await bench.clock.advance(ENDED_MS_MAX - 10);
    expect(bench.executor.list({ ...ANN, ...CREW })).toHaveLength(1);
    await bench.clock.advance(10);
    expect(bench.executor.list({ ...ANN, ...CREW })).toEqual([]);
  });

  it("can be looked at when nobody was there to be told what came of them", async () => {
    bench.isTold = false;
    await bench.says(await bench.asked(), "approved");
    await bench.clock.advance(OVER_MS);
    await bench.clock.advance(NEWS_MS_MAX);
    expect(bench.ledger.written.at(-1)!.entry).toMatchObject({ type: "told", givenUp: "too_late" });
    expect(bench.executor.untold(ANN)).toEqual([]);
    expect(bench.executor.list({ ...ANN, ...CREW })).toMatchObject([{ outcomes: ["verified"] }]);
  });

  it("that ended are kept up to a bound", async () => {
    for (let at = 0; at < ENDED_MAX + 3; at++) {
      await bench.propose(["p1"]);
      bench.executor.stop(ANN);
    }
    expect(bench.executor.list({ ...ANN, ...CREW })).toHaveLength(ENDED_MAX);
  });
});

describe("a second person", () => {
  let id: string;

  beforeEach(async () => {
    id = await bench.asked(["p1"], { level: "second_person" });
    expect(await bench.says(id, "approved")).toEqual({ type: "needs_second_person", number: 1 });
    expect(bench.view(id)).toMatchObject({ phase: "waiting_second", by: [ANN] });
  });

  it("hears the same and consents", async () => {
    expect(await bench.says(id, "approved", ANN)).toMatchObject({ why: "same_person" });
    expect(await bench.says(id, "approved", BEN)).toMatchObject({ why: "readback_not_heard" });
    await bench.hears(id, BEN);
    expect(await bench.says(id, "approved", BEN)).toEqual({ type: "accepted" });
    await settle();
    expect(bench.ended).toMatchObject([{ outcomes: ["verified"], by: [ANN, BEN] }]);
  });

  it("counts for nobody else when their readback is cut off, and has their own time", async () => {
    await bench.hears(id, BEN);
    bench.executor.readback(id, BEN, undefined);
    expect(await bench.says(id, "approved", BEN)).toMatchObject({ why: "readback_not_heard" });
    const cleo = { ...BEN, username: "cleo" };
    expect(await bench.says(id, "approved", cleo)).toMatchObject({ why: "readback_not_heard" });
    expect(await bench.says(id, "approved", { ...STRANGER, username: "ben" })).toMatchObject({
      why: "not_asked_of_you",
    });
    await bench.hears(id, cleo);
    await bench.clock.advance(CONSENT_MS_MAX);
    expect(await bench.says(id, "approved", cleo)).toMatchObject({ why: "readback_not_heard" });
    await bench.clock.advance(ASKED_MS_MAX);
    expect(bench.over()).toMatchObject([{ reason: "expired" }]);
  });
});

describe("a challenge", () => {
  it("takes its word, a recogniser that is not rough and a connection that is trusted", async () => {
    const id = await bench.asked(["p1"], { level: "challenge" });
    expect(bench.view(id)).toMatchObject({ readback: "Request 1, tango?", proposal: { challenge: "tango" } });
    expect(await bench.says(id, "approved", ANN, { isRough: true })).toMatchObject({
      why: "rough_recogniser",
    });
    expect(await bench.says(id, "approved", ANN, { isTrusted: false })).toMatchObject({ why: "not_trusted" });
    expect(await bench.says(id, "unclear")).toEqual({ type: "not_counted", why: "unclear", missesLeft: 2 });
    await bench.says(id, "unclear");
    expect(await bench.says(id, "unclear")).toEqual({ type: "ended", reason: "missed" });
  });
});

describe("a restart", () => {
  /** Rows of operations that went on to their end, each with what their call came to. */
  async function ways(): Promise<ExecutorBench[]> {
    const one = new ExecutorBench();
    await one.says(await one.asked(["p1", "p2"]), "approved");
    const failing = new ExecutorBench();
    failing.site.onExecute = () => Promise.resolve({ type: "failed", message: "" });
    await failing.says(await failing.asked(["p1", "p2"]), "approved");
    const idle = new ExecutorBench();
    idle.site.onExecute = () => Promise.resolve({ type: "ok" });
    await idle.says(await idle.asked(), "approved");
    const spared = new ExecutorBench();
    await spared.says(await spared.asked(["p1", "p2"], { dryRun: true }), "approved");
    for (const each of [one, failing, idle, spared]) await each.clock.advance(OVER_MS);
    return [one, failing, idle, spared];
  }

  it("after any row: nothing is called again, and all is told", async () => {
    for (const { clock, ledger, site } of await ways())
      for (let rows = 0; rows <= ledger.written.length; rows++) {
        const made = site.executed.length;
        const after = new ExecutorBench(ledger.written.slice(0, rows), clock, site);
        const hadEnded = after.ledger.told().includes("told");
        const wasExecuting = after.ledger.told().includes("executing 0");
        expect(await after.executor.recover()).toBe(rows === 0 || hadEnded ? 0 : 1);
        await clock.advance(OVER_MS);
        expect(site.executed).toHaveLength(made);
        expect(after.ended).toHaveLength(rows === 0 || hadEnded ? 0 : 1);
        if (rows > 0) expect(after.ledger.told().filter((row) => row === "ended")).toHaveLength(1);
        const outcomes = after.ledger.told().filter((row) => row.startsWith("outcome"));
        expect(new Set(outcomes).size).toBe(outcomes.length);
        const [view] = after.ended;
        if (view === undefined) continue;
        if (outcomes.length === 0)
          expect(view).toMatchObject({ reason: "restarted", outcomes: view.outcomes.map(() => undefined) });
        else expect(view.outcomes).not.toContain(undefined);
        expect(wasExecuting).toBe(
          view.outcomes.some((one) => one !== undefined && one !== "dry_run" && one !== "skipped"),
        );
      }
  });

  it("with a call under way: it is looked at, and never made again", async () => {
    bench.site.onExecute = () => new Promise(() => {});
    const id = await bench.asked();
    void bench.says(id, "approved");
    await settle();
    const after = await bench.restarted();
    expect(after.view(id).phase).toBe("verifying");
    expect(await after.propose(["p1"])).toMatchObject({ type: "busy" });
    await after.clock.advance(OVER_MS);
    expect(after.ended).toMatchObject([{ outcomes: ["contradicted"], by: [ANN] }]);
    expect(bench.ended).toEqual([]);
    expect(bench.site.executed).toHaveLength(1);
    const again = await after.restarted();
    expect(again.ended).toEqual([]);
  });

  it("of a version that did not write down how it was asked: it is taken up, and told", async () => {
    await bench.says(await bench.asked(), "approved");
    await bench.clock.advance(OVER_MS);
    const old = bench.ledger.written.map((row) => {
      const { askedAs: _, ...entry } = row.entry as Extract<LedgerEntry, { type: "proposed" }>;
      return { ...row, entry };
    });
    const after = new ExecutorBench(old.slice(0, -1), bench.clock, bench.site);
    after.isTold = false;
    expect(await after.executor.recover()).toBe(1);
    expect(after.executor.untold(ANN)).toMatchObject([
      { view: { outcomes: ["verified"] }, askedAs: { groups: [], features: [], responseType: "audio" } },
    ]);
  });

  it("with one that waits: it is void, and said to be", async () => {
    const id = await bench.asked(["p1"], { level: "second_person" });
    await bench.says(id, "approved");
    const after = await bench.restarted();
    await settle();
    expect(after.ended).toMatchObject([{ reason: "restarted", proposal: { id } }]);
    expect(await after.says(id, "approved", BEN)).toEqual({ type: "ended", reason: "restarted" });
    expect(after.site.executed).toEqual([]);
  });
});
