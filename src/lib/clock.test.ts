import { describe, expect, it } from "vitest";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { every, sleep } from "./clock.js";

describe("sleep", () => {
  it("resolves when its time has come, not before", async () => {
    const clock = new VirtualClock();
    const slept = watch(sleep(clock, 100, new AbortController().signal));
    await clock.advance(99);
    expect(slept.now.type).toBe("pending");
    await clock.advance(1);
    expect(slept.now.type).toBe("resolved");
    expect(clock.pending).toBe(0);
  });

  it("rejects with the signal's reason and leaves no timer behind", async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const slept = watch(sleep(clock, 100, controller.signal));
    controller.abort("enough");
    await settle();
    expect(slept.now).toEqual({ type: "rejected", error: "enough" });
    expect(clock.pending).toBe(0);
  });

  it("does not begin under a signal that is aborted", async () => {
    const clock = new VirtualClock();
    await expect(sleep(clock, 100, AbortSignal.abort("no"))).rejects.toBe("no");
    expect(clock.pending).toBe(0);
  });
});

describe("every", () => {
  it("ticks at each interval until it is cancelled, from within a tick too", async () => {
    const clock = new VirtualClock();
    const ticks: number[] = [];
    const startMs = clock.now();
    const timer = every(clock, 10, () => {
      ticks.push(clock.now() - startMs);
      if (ticks.length === 3) timer.cancel();
    });
    await clock.advance(100);
    expect(ticks).toEqual([10, 20, 30]);
    expect(clock.pending).toBe(0);
  });
});
