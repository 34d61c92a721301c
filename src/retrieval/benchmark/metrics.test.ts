import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ndcgAt, recallAt, reciprocalRankAt } from "./metrics.js";

const judged = (of: Record<string, number>) => new Map(Object.entries(of));
const METRICS = { ndcgAt, recallAt, reciprocalRankAt };

describe("ndcgAt", () => {
  it("has the figures of the textbook", () => {
    // Gains 3, 2, 3, 0, 1, 2 (and a 3 and a 2 that were not found): DCG 6.861, IDCG of 3, 3, 3, 2, 2, 2 is 8.740.
    const judgements = judged({ d1: 3, d2: 2, d3: 3, d4: 0, d5: 1, d6: 2, d7: 3, d8: 2 });
    const ranking = ["d1", "d2", "d3", "d4", "d5", "d6"];
    expect(ndcgAt(6, ranking, judgements)).toBeCloseTo(0.785, 3);
  });

  it.each([
    [["a"], 1],
    [["x", "a"], 1 / Math.log2(3)],
    [["x", "y", "a"], 0.5],
    [["x", "y"], 0],
    [[], 0],
  ])("of one relevant document in %j", (ranking, expected) => {
    expect(ndcgAt(10, ranking, judged({ a: 1 }))).toBeCloseTo(expected, 12);
  });

  it("takes the relevance itself as the gain", () => {
    // 1/1 + 2/log2(3) over 2/1 + 1/log2(3); with gains of 2^relevance - 1 it would be 0.797.
    expect(ndcgAt(10, ["a", "b"], judged({ a: 1, b: 2 }))).toBeCloseTo(0.8597, 4);
  });

  it("does not look beyond k, neither in the ranking nor in the best one", () => {
    expect(ndcgAt(1, ["x", "a"], judged({ a: 1 }))).toBe(0);
    expect(ndcgAt(1, ["a"], judged({ a: 1, b: 1, c: 1 }))).toBe(1);
  });

  it("counts what is judged with less than 0 as not relevant", () => {
    expect(ndcgAt(10, ["bad", "a"], judged({ a: 1, bad: -2 }))).toBeCloseTo(1 / Math.log2(3), 12);
  });
});

describe("recallAt", () => {
  it("is the share of what is relevant", () => {
    const judgements = judged({ a: 1, b: 2, c: 1, d: 0 });
    expect(recallAt(1, ["a", "b"], judgements)).toBeCloseTo(1 / 3, 12);
    expect(recallAt(5, ["a", "d", "b"], judgements)).toBeCloseTo(2 / 3, 12);
    expect(recallAt(5, ["x"], judgements)).toBe(0);
  });
});

describe("reciprocalRankAt", () => {
  it("is that of the first relevant document", () => {
    const judgements = judged({ a: 1, b: 3, d: 0 });
    expect(reciprocalRankAt(10, ["d", "x", "a", "b"], judgements)).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRankAt(2, ["d", "x", "a", "b"], judgements)).toBe(0);
  });
});

describe.each(Object.entries(METRICS))("%s", (_name, metric) => {
  const ids = [..."abcdefghij"];
  const ranking = fc.shuffledSubarray(ids);
  const judgements = fc
    .dictionary(fc.constantFrom(...ids), fc.integer({ min: -1, max: 3 }))
    .map(judged)
    .filter((one) => [...one.values()].some((relevance) => relevance > 0));
  const k = fc.integer({ min: 1, max: 12 });

  it("is between 0 and 1, and 1 for the best ranking that shows all", () => {
    fc.assert(
      fc.property(k, ranking, judgements, (at, order, of) => {
        expect(metric(at, order, of)).toBeGreaterThanOrEqual(0);
        expect(metric(at, order, of)).toBeLessThanOrEqual(1 + 1e-12);
        const best = [...ids].sort((a, b) => (of.get(b) ?? 0) - (of.get(a) ?? 0));
        expect(metric(10, best, of)).toBeCloseTo(1, 12);
      }),
    );
  });

  it("never falls when a relevant document moves up past one that is not", () => {
    fc.assert(
      fc.property(k, ranking, judgements, (at, order, of) => {
        const place = order.findIndex(
          (id, i) => i > 0 && (of.get(id) ?? 0) > 0 && (of.get(order[i - 1]!) ?? 0) <= 0,
        );
        fc.pre(place > 0);
        const risen = order.with(place, order[place - 1]!).with(place - 1, order[place]!);
        expect(metric(at, risen, of)).toBeGreaterThanOrEqual(metric(at, order, of));
      }),
    );
  });

  it("is not defined where nothing is relevant", () => {
    expect(metric(10, ["a"], judged({ a: 0 }))).toBeNaN();
    expect(metric(10, ["a"], judged({}))).toBeNaN();
  });
});
