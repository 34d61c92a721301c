import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { scaledClock } from "./scaled-clock.js";

describe("a scaled clock", () => {
  it("begins at the time of its base and passes faster", async () => {
    const base = new VirtualClock(1_000);
    const clock = scaledClock(base, 20);
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 1_000]);
    await base.advance(30);
    expect([clock.now(), clock.monotonic()]).toEqual([1_600, 1_600]);
  });

  it("fires a timer when its own time has come, and not before", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        async (speed, delayMs) => {
          const base = new VirtualClock(0);
          const clock = scaledClock(base, speed);
          let firedMs: number | undefined;
          clock.after(delayMs, () => {
            firedMs = clock.monotonic();
          });
          await base.advance(delayMs / speed / 2);
          if (delayMs > 1) expect(firedMs).toBeUndefined();
          await base.advance(delayMs / speed / 2 + 1);
          expect(firedMs).toBeGreaterThanOrEqual(delayMs - 0.001);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("waits on where the base fires early", () => {
    const pending: (() => void)[] = [];
    let nowMs = 0;
    const base = {
      now: () => nowMs,
      monotonic: () => nowMs,
      after: (_delayMs: number, callback: () => void) => {
        pending.push(callback);
        return { cancel: () => undefined };
      },
    };
    let fired = false;
    scaledClock(base, 10).after(100, () => {
      fired = true;
    });
    nowMs = 9.5;
    pending.shift()?.();
    expect(fired).toBe(false);
    nowMs = 10;
    pending.shift()?.();
    expect(fired).toBe(true);
  });

  it("calls off a timer", async () => {
    const base = new VirtualClock(0);
    scaledClock(base, 2)
      .after(10, () => expect.unreachable())
      .cancel();
    await base.advance(100);
    expect(base.pending).toBe(0);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("has no speed of %s", (speed) => {
    expect(() => scaledClock(new VirtualClock(0), speed)).toThrow(RangeError);
  });
});
