// What keeps a call from being made, where mutants of the reducer showed that nothing else looked: on a virtual clock.
import { beforeEach, describe, expect, it } from "vitest";
import { ANN, BEN, callOn, ExecutorBench, STRANGER, WINDOW_MS } from "./executor-bench.test-util.js";
import { propose, reduce } from "./operation/reduce.js";
import type { OmitEach, OperationEvent } from "./operation/state.js";

let bench: ExecutorBench;

beforeEach(() => {
  bench = new ExecutorBench();
});

describe("a second person", () => {
  let id: string;

  beforeEach(async () => {
    id = await bench.asked(["p1"], { level: "second_person" });
    await bench.says(id, "approved");
  });

  it("denies for everybody, whether they heard it or not, and counts for nobody of another network", async () => {
    await bench.says(id, "denied", STRANGER);
    expect(bench.view(id).phase).toBe("waiting_second");
    expect(await bench.says(id, "denied", BEN)).toEqual({ type: "ended", reason: "denied" });
    expect(bench.ledger.told().slice(-2)).toEqual(["reply", "ended"]);
    await bench.hears(id, BEN);
    expect(await bench.says(id, "approved", BEN)).toEqual({ type: "ended", reason: "denied" });
    expect(bench.site.executed).toEqual([]);
  });

  it("stops it for everybody once they have heard of it", async () => {
    bench.executor.stop(BEN);
    expect(bench.view(id).phase).toBe("waiting_second");
    bench.executor.readback(id, BEN, undefined);
    bench.executor.stop(BEN);
    expect(bench.view(id)).toMatchObject({ phase: "ended", reason: "stopped" });
  });

  it("has not heard it by a report of before they were asked, or of before it was cut off", async () => {
    const notHeard = { type: "not_counted", why: "readback_not_heard" };
    bench.executor.readback(id, BEN, bench.clock.monotonic() - 1);
    await bench.clock.advance(1);
    expect(await bench.says(id, "approved", BEN)).toMatchObject(notHeard);
    await bench.clock.advance(10);
    bench.executor.readback(id, BEN, undefined);
    bench.executor.readback(id, BEN, bench.clock.monotonic() - 5);
    await bench.clock.advance(1);
    expect(await bench.says(id, "approved", BEN)).toMatchObject(notHeard);
    expect(bench.site.executed).toEqual([]);
  });
});

it("nothing is done on a reading of something else, or in another unit", async () => {
  const other = await bench.asked(["p1"]);
  bench.site.onObserve = (_call, fresh) => Promise.resolve({ ...fresh, signal: "other" });
  expect(await bench.says(other, "approved")).toEqual({ type: "ended", reason: "unreadable" });
  bench.site.onObserve = (_call, fresh) => Promise.resolve(fresh);
  bench.site.onObserve = (_call, fresh) => Promise.resolve({ ...fresh, unit: "rpm" });
  const inUnits = await bench.asked(["p1"]);
  expect(await bench.says(inUnits, "approved")).toEqual({ type: "ended", reason: "state_changed" });
  expect(bench.site.executed).toEqual([]);
});

it("a value in another unit than the one that was set is not the value", async () => {
  const set = { ...callOn("p1"), value: { number: 41, unit: "°C" }, before: { value: 5, unit: "°C" } };
  const postcondition = { ...set.postcondition, signal: "set_point", equals: 41 };
  bench.site.values.set(set.target, 5);
  let unit = "°C";
  bench.site.onObserve = (_call, fresh) => Promise.resolve({ ...fresh, unit });
  bench.site.onExecute = (call) => {
    unit = "°F";
    bench.site.values.set(call.target, 41);
    return Promise.resolve({ type: "ok" });
  };
  const id = await bench.asked(["p1"], { calls: [{ ...set, postcondition }] });
  expect(await bench.says(id, "approved")).toEqual({ type: "accepted" });
  await bench.clock.advance(WINDOW_MS + 1);
  expect(bench.view(id)).toMatchObject({ phase: "ended", outcomes: ["contradicted"] });
});

it("a second person is asked where no challenge word is left", async () => {
  bench.challenge = undefined;
  const id = await bench.asked(["p1"], { level: "challenge" });
  expect(bench.view(id).proposal).toMatchObject({ level: "second_person", challenge: undefined });
  expect(await bench.says(id, "approved")).toMatchObject({ type: "needs_second_person" });
  expect(bench.site.executed).toEqual([]);
});

it("makes no call again when the one before it is answered twice", () => {
  const proposal = { ...bench.draft(["p1", "p2"]), id: "op-1", number: 1 };
  const askedAs = { groups: [], features: [], responseType: "text" } as const;
  let step = propose({ proposal, readback: "Start?", askedAs });
  let atMs = 0;
  const happens = (event: OmitEach<OperationEvent, "at">) => {
    atMs += 1;
    step = reduce(step.state, { ...event, at: { atMs, wallMs: atMs } });
    return step.effects;
  };
  const onDisk = () => {
    const [row] = step.effects.filter((one) => one.type === "record").slice(-1);
    return happens({ type: "recorded", entry: row!.entry });
  };
  onDisk();
  happens({ type: "readback", to: ANN, heardMs: 2 });
  const how = { words: "yes", via: "voice", isRough: false, isTrusted: true } as const;
  happens({ type: "reply", verdict: "approved", reply: { by: ANN, pressedMs: 3, ...how } });
  for (const [call, { before, postcondition, target }] of proposal.calls.entries()) {
    const { signal, tool } = postcondition;
    const reading = { target, signal, tool, value: before!.value, takenAtMs: 0 };
    happens({ type: "read", call, look: 0, reading, isForbidden: false });
  }
  expect(onDisk()).toMatchObject([{ type: "execute", call: 0 }]);
  happens({ type: "called", call: 0, reply: { type: "ok" } });
  expect(onDisk()).toMatchObject([{ type: "execute", call: 1 }]);
  expect(happens({ type: "called", call: 0, reply: { type: "ok" } })).toEqual([]);
});
