import { expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { LoopWatch } from "./loop-watch.js";

it("tells when what is read now may have been sent, on a clock of any speed", async () => {
  const clock = new VirtualClock(1_000);
  const watch = new LoopWatch(clock, 10);
  expect(watch.earliestMs).toBe(1_000);
  await clock.advance(80);
  expect(watch.earliestMs).toBe(1_000);
  await clock.advance(39);
  expect(watch.earliestMs).toBe(1_000);
  await clock.advance(1);
  expect(watch.earliestMs).toBe(1_040);
  watch.close();
  expect(clock.pending).toBe(0);
});
