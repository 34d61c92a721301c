import { expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { LoopWatch } from "./loop-watch.js";

it("tells since when what is handled now may have been sent, and how long ago it looked", async () => {
  const clock = new VirtualClock(1_000);
  const passed: number[] = [];
  const watch = new LoopWatch(clock, 40, (sinceLastMs) => passed.push(sinceLastMs));
  expect(watch.earliestMs).toBe(1_000);
  await clock.advance(80);
  expect(watch.earliestMs).toBe(1_000);
  await clock.advance(39);
  expect(watch.earliestMs).toBe(1_000);
  await clock.advance(1);
  expect(watch.earliestMs).toBe(1_040);
  expect(passed).toEqual([40, 40, 40]);
  watch.close();
  expect(clock.pending).toBe(0);
});
