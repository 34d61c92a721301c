import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../lib/random.js";
import { pairedBootstrap } from "./bootstrap.js";

describe("pairedBootstrap", () => {
  it("has no doubt about a difference that never varies", () => {
    expect(pairedBootstrap([0.75, 1, 0.5], [0.5, 0.75, 0.25])).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
    expect(pairedBootstrap([1, 0, 1], [1, 0, 1])).toEqual({ mean: 0, low: 0, high: 0 });
  });

  it("has the interval that theory has", () => {
    // 100 differences, half of them 1 and half 0: mean .5, standard error .05, so .5 ± 1.96 × .05.
    const a = Array.from({ length: 100 }, (_, i) => i % 2);
    const { mean, low, high } = pairedBootstrap(a, Array(100).fill(0));
    expect(mean).toBe(0.5);
    expect(low).toBeGreaterThanOrEqual(0.39);
    expect(low).toBeLessThanOrEqual(0.42);
    expect(high).toBeGreaterThanOrEqual(0.58);
    expect(high).toBeLessThanOrEqual(0.61);
  });

  it("holds the true mean in about 95 of 100 cases", () => {
    const random = seededRandom(7);
    let held = 0;
    for (let run = 0; run < 200; run++) {
      const a = Array.from({ length: 60 }, () => random.fraction() + random.fraction());
      const { low, high } = pairedBootstrap(a, Array(60).fill(1), 500);
      if (low <= 0 && high >= 0) held++;
    }
    expect(held).toBeGreaterThanOrEqual(180);
    expect(held).toBeLessThanOrEqual(199);
  });

  it("gives the same for the same, and turns its sign with the sides", () => {
    const figures = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 1)),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(figures, (pairs) => {
        const [a, b] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
        const there = pairedBootstrap(a, b, 200);
        expect(pairedBootstrap(a, b, 200)).toEqual(there);
        const back = pairedBootstrap(b, a, 200);
        expect(back.mean).toBeCloseTo(-there.mean, 12);
        expect(back.low).toBeCloseTo(-there.high, 12);
        expect(there.low).toBeLessThanOrEqual(there.high);
      }),
    );
  });

  it("does not pair what is no pair", () => {
    expect(() => pairedBootstrap([1], [1, 2])).toThrow("cannot pair 1 figures with 2");
    expect(() => pairedBootstrap([], [])).toThrow("cannot pair 0 figures with 0");
  });
});
