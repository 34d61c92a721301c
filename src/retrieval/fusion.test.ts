import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuseByRanks, fuseByScores } from "./fusion.js";

const CONSTANT = 60;
const same = (id: string) => id;
const ids = (...rankings: string[][]) => fuseByRanks(rankings, same, CONSTANT).map(({ item }) => item);

describe("fuseByRanks", () => {
  it("adds up reciprocal ranks", () => {
    // a: 1/61 + 1/63, b: 1/62 + 1/61, c: 1/63, d: 1/62.
    const fused = fuseByRanks(
      [
        ["a", "b", "c"],
        ["b", "d", "a"],
      ],
      same,
      60,
    );
    expect(fused.map(({ item }) => item)).toEqual(["b", "a", "d", "c"]);
    expect(fused.map(({ score }) => Number(score.toFixed(8)))).toEqual([
      0.03252247, 0.03226646, 0.01612903, 0.01587302,
    ]);
  });

  it("weighs rank 1 more when the constant is small", () => {
    const rankings = [
      ["top", "x", "both"],
      ["y", "z", "both"],
    ];
    // Constant 1: top 1/2, both 1/4 + 1/4. Constant 60: top 1/61, both 2/63.
    expect(fuseByRanks(rankings, same, 60)[0]?.item).toBe("both");
    expect(fuseByRanks(rankings, same, 1)[0]).toEqual({ item: "top", score: 0.5 });
  });

  it("breaks ties by the best rank, then by the id", () => {
    expect(ids(["b"], ["a"])).toEqual(["a", "b"]);
    expect(ids(["a"], ["b"])).toEqual(["a", "b"]);
    // With constant 1, x has 3/3 from ranks 2, 2 and 2, and y has 2/2 from ranks 1 and 1.
    const three = [
      ["y", "x"],
      ["y", "x"],
      ["z", "x"],
    ];
    expect(fuseByRanks(three, same, 1).map(({ item }) => item)).toEqual(["y", "x", "z"]);
  });

  it("has nothing of nothing", () => {
    expect(ids()).toEqual([]);
    expect(ids([], [])).toEqual([]);
  });

  it("counts what a ranking repeats once, at its best rank", () => {
    expect(fuseByRanks([["a", "b", "a"]], same, 60)).toEqual(fuseByRanks([["a", "b"]], same, 60));
  });

  it("keeps the copy that is ranked highest", () => {
    const low = [
      { id: "x", of: "low" },
      { id: "a", of: "low" },
    ];
    const high = [{ id: "a", of: "high" }];
    for (const rankings of [
      [low, high],
      [high, low],
    ]) {
      const fused = fuseByRanks(rankings, ({ id }) => id, CONSTANT);
      expect(fused.find(({ item }) => item.id === "a")?.item.of).toBe("high");
    }
  });
});

const name = fc.constantFrom(..."abcdefghijkl");
const ranking = fc.uniqueArray(name, { maxLength: 12 });
const rankings = fc.array(ranking, { maxLength: 5 });
const constant = fc.integer({ min: 1, max: 200 });

describe("fuseByRanks, of any rankings", () => {
  it("leaves a single one as it is", () => {
    fc.assert(
      fc.property(ranking, constant, (one, k) => {
        expect(fuseByRanks([one], same, k).map(({ item }) => item)).toEqual(one);
      }),
    );
  });

  it("does not depend on their order", () => {
    fc.assert(
      fc.property(rankings, constant, fc.nat(), (several, k, turn) => {
        const at = several.length === 0 ? 0 : turn % several.length;
        const turned = [...several.slice(at), ...several.slice(0, at)].reverse();
        expect(fuseByRanks(turned, same, k)).toEqual(fuseByRanks(several, same, k));
      }),
    );
  });

  it("holds each item of any of them exactly once, best first", () => {
    fc.assert(
      fc.property(rankings, constant, (several, k) => {
        const fused = fuseByRanks(several, same, k);
        expect(fused.map(({ item }) => item).sort()).toEqual([...new Set(several.flat())].sort());
        for (const [i, { score }] of fused.entries()) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(fused[Math.max(0, i - 1)]!.score);
        }
      }),
    );
  });

  it("is fair: what no ranking has lower, and one has higher, is ahead", () => {
    fc.assert(
      fc.property(rankings, constant, (several, k) => {
        const order = fuseByRanks(several, same, k).map(({ item }) => item);
        const places = (item: string) =>
          several.map((one) => (one.includes(item) ? one.indexOf(item) : Number.POSITIVE_INFINITY));
        for (const a of order) {
          for (const b of order) {
            const [ofA, ofB] = [places(a), places(b)];
            const dominates =
              ofA.every((place, i) => place <= ofB[i]!) && ofA.some((place, i) => place < ofB[i]!);
            if (dominates) expect(order.indexOf(a)).toBeLessThan(order.indexOf(b));
          }
        }
      }),
    );
  });

  it("moves an item up, never down, when a ranking moves it up", () => {
    fc.assert(
      fc.property(rankings, constant, fc.nat(), fc.nat(), (several, k, which, where) => {
        const full = several.map((one, i) => ({ one, i })).filter(({ one }) => one.length > 1);
        fc.pre(full.length > 0);
        const { one, i } = full[which % full.length]!;
        const at = 1 + (where % (one.length - 1));
        const item = one[at]!;
        const risen = one.with(at, one[at - 1]!).with(at - 1, item);
        const before = fuseByRanks(several, same, k).findIndex((fused) => fused.item === item);
        const after = fuseByRanks(several.with(i, risen), same, k).findIndex((fused) => fused.item === item);
        expect(after).toBeLessThanOrEqual(before);
      }),
    );
  });
});

/** Items as `[id, score]`. */
type Scored = readonly [id: string, score: number];
const byScores = (...rankings: readonly (readonly Scored[])[]) =>
  fuseByScores(
    rankings,
    ([id]) => id,
    ([, score]) => score,
  ).map(({ item: [id], score }) => [id, Number(score.toFixed(6))]);

describe("fuseByScores", () => {
  it("counts a ranking as much as it weighs", () => {
    const words = ["a", "b", "c"].map((id, i) => ({ id, score: 9 - i }));
    const vectors = ["c", "b"].map((id, i) => ({ id, score: 0.5 - i / 10 }));
    const weightOf = (ranking: unknown) => (ranking === vectors ? 0.7 : 1);
    const fused = fuseByScores(
      [words, vectors],
      ({ id }) => id,
      ({ score }) => score,
      weightOf,
    );
    expect(fused.map(({ item, score }) => [item.id, score])).toEqual([
      ["a", 1],
      ["c", 0.7],
      ["b", 0.5],
    ]);
  });

  it("adds up scores, each brought to the range from 0 to 1", () => {
    const lexical: Scored[] = [
      ["a", 12],
      ["b", 6],
      ["c", 2],
    ];
    const vector: Scored[] = [
      ["b", 0.9],
      ["d", 0.8],
      ["a", 0.5],
    ];
    // a: 1 + 0, b: 4/10 + 1, c: 0, d: 3/4.
    expect(byScores(lexical, vector)).toEqual([
      ["b", 1.4],
      ["a", 1],
      ["d", 0.75],
      ["c", 0],
    ]);
  });

  it("lets a leg that is sure of its first weigh more", () => {
    const sure: Scored[] = [
      ["a", 30],
      ["b", 2],
      ["z", 1],
    ];
    const unsure: Scored[] = [
      ["b", 0.51],
      ["a", 0.5],
      ["z", 0.1],
    ];
    expect(byScores(sure, unsure)[0]![0]).toBe("a");
    expect(byScores(unsure, sure)[0]![0]).toBe("a");
  });

  it("counts 1 for each where all scores are the same", () => {
    expect(
      byScores(
        [["a", 7]],
        [
          ["b", 0.2],
          ["a", 0.2],
        ],
      ),
    ).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
  });

  it("breaks ties by the best rank, then by the id, and has nothing of nothing", () => {
    expect(byScores([["b", 1]], [["a", 1]])).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect(
      byScores([
        ["b", 1],
        ["a", 1],
      ]),
    ).toEqual([
      ["b", 1],
      ["a", 1],
    ]);
    expect(byScores([], [])).toEqual([]);
  });

  const scored = fc
    .uniqueArray(fc.tuple(name, fc.integer({ min: -50, max: 50 })), { selector: ([id]) => id, maxLength: 12 })
    .map((drawn) => drawn.sort(([, a], [, b]) => b - a));
  const legs = fc.array(scored, { maxLength: 5 });

  it("leaves a single ranking as it is", () => {
    fc.assert(
      fc.property(scored, (one) => {
        expect(byScores(one).map(([id]) => id)).toEqual(one.map(([id]) => id));
      }),
    );
  });

  it("does not depend on the order of the rankings, nor on the scale of their scores", () => {
    fc.assert(
      fc.property(
        legs,
        fc.integer({ min: -64, max: 64 }),
        fc.constantFrom(0.25, 2, 16),
        (several, shift, scale) => {
          const other = several.map((one, i): Scored[] =>
            one.map(([id, score]) => [id, i === 0 ? score * scale + shift : score]),
          );
          expect(byScores(...other.reverse())).toEqual(byScores(...several));
        },
      ),
    );
  });

  it("holds each item once, with at most 1 from each ranking", () => {
    fc.assert(
      fc.property(legs, (several) => {
        const fused = byScores(...several);
        const ids = new Set(several.flat().map(([id]) => id));
        expect(fused.map(([id]) => id).sort()).toEqual([...ids].sort());
        for (const [id, score] of fused) {
          const holding = several.filter((one) => one.some((item) => item[0] === id));
          expect(score).toBeLessThanOrEqual(holding.length);
          expect(score).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
