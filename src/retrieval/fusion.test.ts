import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuse } from "./fusion.js";

const CONSTANT = 60;
const same = (id: string) => id;
const ids = (...rankings: string[][]) => fuse(rankings, same, CONSTANT).map(({ item }) => item);

describe("fuse", () => {
  it("adds up reciprocal ranks", () => {
    // a: 1/61 + 1/63, b: 1/62 + 1/61, c: 1/63, d: 1/62.
    const fused = fuse(
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
    expect(fuse(rankings, same, 60)[0]?.item).toBe("both");
    expect(fuse(rankings, same, 1)[0]).toEqual({ item: "top", score: 0.5 });
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
    expect(fuse(three, same, 1).map(({ item }) => item)).toEqual(["y", "x", "z"]);
  });

  it("has nothing of nothing", () => {
    expect(ids()).toEqual([]);
    expect(ids([], [])).toEqual([]);
  });

  it("counts what a ranking repeats once, at its best rank", () => {
    expect(fuse([["a", "b", "a"]], same, 60)).toEqual(fuse([["a", "b"]], same, 60));
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
      const fused = fuse(rankings, ({ id }) => id, CONSTANT);
      expect(fused.find(({ item }) => item.id === "a")?.item.of).toBe("high");
    }
  });
});

const name = fc.constantFrom(..."abcdefghijkl");
const ranking = fc.uniqueArray(name, { maxLength: 12 });
const rankings = fc.array(ranking, { maxLength: 5 });
const constant = fc.integer({ min: 1, max: 200 });

describe("fuse, of any rankings", () => {
  it("leaves a single one as it is", () => {
    fc.assert(
      fc.property(ranking, constant, (one, k) => {
        expect(fuse([one], same, k).map(({ item }) => item)).toEqual(one);
      }),
    );
  });

  it("does not depend on their order", () => {
    fc.assert(
      fc.property(rankings, constant, fc.nat(), (several, k, turn) => {
        const at = several.length === 0 ? 0 : turn % several.length;
        const turned = [...several.slice(at), ...several.slice(0, at)].reverse();
        expect(fuse(turned, same, k)).toEqual(fuse(several, same, k));
      }),
    );
  });

  it("holds each item of any of them exactly once, best first", () => {
    fc.assert(
      fc.property(rankings, constant, (several, k) => {
        const fused = fuse(several, same, k);
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
        const order = fuse(several, same, k).map(({ item }) => item);
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
        const before = fuse(several, same, k).findIndex((fused) => fused.item === item);
        const after = fuse(several.with(i, risen), same, k).findIndex((fused) => fused.item === item);
        expect(after).toBeLessThanOrEqual(before);
      }),
    );
  });
});
