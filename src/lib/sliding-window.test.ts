import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { SlidingWindow } from "./sliding-window.js";

const LIMITS = { timesMax: 3, windowMs: 1_000, keysMax: 2 };

describe("a sliding window", () => {
  it("lets through so many in any window, and says when the next one may come", async () => {
    const clock = new VirtualClock();
    const window = new SlidingWindow(clock, LIMITS);
    for (const _ of [1, 2, 3]) {
      expect(window.take("a")).toEqual({ type: "allowed" });
      await clock.advance(100);
    }
    expect(window.take("a")).toEqual({ type: "refused", retryAfterMs: 700 });
    expect(window.take("b")).toEqual({ type: "allowed" });
    await clock.advance(699);
    expect(window.take("a")).toEqual({ type: "refused", retryAfterMs: 1 });
    await clock.advance(1);
    expect(window.take("a")).toEqual({ type: "allowed" });
    expect(window.take("a")).toEqual({ type: "refused", retryAfterMs: 100 });
  });

  it("forgets the key that was used least recently", () => {
    const window = new SlidingWindow(new VirtualClock(), { ...LIMITS, timesMax: 1 });
    for (const key of ["a", "b", "c"]) expect(window.take(key).type).toBe("allowed");
    expect(window.take("c").type).toBe("refused");
    expect(window.take("a").type).toBe("allowed");
  });

  it("never lets through more than so many in any window", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 700 }), { maxLength: 40 }), async (pauses) => {
        const clock = new VirtualClock();
        const window = new SlidingWindow(clock, LIMITS);
        const times: number[] = [];
        for (const pause of pauses) {
          await clock.advance(pause);
          const now = clock.monotonic();
          const recent = times.filter((time) => time > now - LIMITS.windowMs).length;
          const { type } = window.take("a");
          expect(type).toBe(recent < LIMITS.timesMax ? "allowed" : "refused");
          if (type === "allowed") times.push(now);
        }
      }),
      { numRuns: 50 },
    );
  });
});
