import { describe, expect, it } from "vitest";
import { type ComparedReport, compare } from "./compare.js";

function reportOf(
  values: Readonly<Record<string, number | undefined>>,
  metric = "as_expected",
): ComparedReport {
  const rows = Object.entries(values).map(([id, value]) => ({
    id,
    scores: { [metric]: value === undefined ? {} : { value } },
  }));
  return { id: "run", dataset: "d", rows };
}

function many(count: number, scoreOf: (i: number) => number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`r${i}`, scoreOf(i)]));
}

describe("comparing two results", () => {
  it("pairs the rows that both have scored", () => {
    const { metrics, onlyInOld, onlyInNew } = compare(
      reportOf({ a: 0, b: 1, c: 0.5, gone: 1, unscored: 1 }),
      reportOf({ c: 1, b: 1, a: 1, fresh: 0, unscored: undefined }),
    );
    expect(metrics).toMatchObject([{ metric: "as_expected", rows: 3, oldMean: 0.5, newMean: 1, mean: 0.5 }]);
    expect([onlyInOld, onlyInNew]).toEqual([1, 1]);
  });

  it.each([
    ["better", (i: number) => (i % 4 === 0 ? 0 : 1)],
    ["no clear difference", (i: number) => (i % 2 === 0 ? 0 : 1)],
    ["worse", () => 0],
  ])("says %s", (verdict, scoreOf) => {
    const [before, after] = [
      reportOf(many(60, (i) => (i % 2 === 1 ? 0.5 : 0.49))),
      reportOf(many(60, scoreOf)),
    ];
    expect(compare(before, after).metrics[0]!.verdict).toBe(verdict);
  });

  it("says the same of the same, and turns round with the order", () => {
    const [one, other] = [reportOf(many(40, (i) => i / 40)), reportOf(many(40, (i) => (i % 3) / 3))];
    expect(compare(one, other)).toEqual(compare(one, other));
    expect(compare(one, one).metrics[0]).toMatchObject({
      mean: 0,
      low: 0,
      high: 0,
      verdict: "no clear difference",
    });
    expect(compare(other, one).metrics[0]!.mean).toBeCloseTo(-compare(one, other).metrics[0]!.mean, 12);
  });

  it("has nothing to say of metrics that are not common", () => {
    expect(compare(reportOf({ a: 1 }), reportOf({ a: 1 }, "faithfulness")).metrics).toEqual([]);
  });
});
