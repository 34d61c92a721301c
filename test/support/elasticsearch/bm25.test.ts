import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bm25, type Explanation, explainBm25, storedLength } from "./bm25.js";

const COMMON = { field: "text", term: "valve", boost: 1 };

describe("a score", () => {
  it("is what the formula says", () => {
    const statistics = { ...COMMON, documentFrequency: 2, documentCount: 10, totalLength: 100 };
    const idf = Math.log(1 + 8.5 / 2.5);
    const tf = 3 / (3 + 1.2 * (0.25 + 0.75 * (20 / 10)));
    expect(bm25(statistics, { frequency: 3, length: 20 })).toBeCloseTo(2.2 * idf * tf, 5);
  });

  it("grows with the word's count, and falls with the field's length and with commonness", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 500 }), (frequency, spare) => {
        const statistics = { ...COMMON, documentFrequency: 3, documentCount: 50, totalLength: 5_000 };
        const length = frequency + spare;
        const score = bm25(statistics, { frequency, length });
        expect(bm25(statistics, { frequency: frequency + 1, length: length + 1 })).toBeGreaterThan(0);
        expect(bm25(statistics, { frequency: frequency + 1, length })).toBeGreaterThan(score);
        expect(bm25(statistics, { frequency, length: length * 2 })).toBeLessThan(score);
        expect(bm25({ ...statistics, documentFrequency: 4 }, { frequency, length })).toBeLessThan(score);
      }),
    );
  });

  it("is the root of its own explanation, whose parts multiply to it", () => {
    const statistics = { ...COMMON, boost: 2, documentFrequency: 1, documentCount: 4, totalLength: 60 };
    const explained = explainBm25(statistics, { frequency: 2, length: 15 }, 7);
    expect(explained.description).toBe("weight(text:valve in 7) [PerFieldSimilarity], result of:");
    const [score] = explained.details;
    expect(score!.description).toBe("score(freq=2.0), computed as boost * idf * tf from:");
    const product = score!.details.reduce((all, { value }) => all * value, 1);
    expect(product).toBeCloseTo(bm25(statistics, { frequency: 2, length: 15 }), 5);
    expect(leaves(explained)).toEqual({
      boost: Math.fround(4.4),
      "n, number of documents containing term": 1,
      "N, total number of documents with field": 4,
      "freq, occurrences of term within document": 2,
      "k1, term saturation parameter": Math.fround(1.2),
      "b, length normalization parameter": 0.75,
      "dl, length of field": 15,
      "avgdl, average length of field": 15,
    });
  });
});

function leaves({ description, value, details }: Explanation): Record<string, number> {
  return details.length === 0 ? { [description]: value } : Object.assign({}, ...details.map(leaves));
}

describe("a stored length", () => {
  it("is exact up to 40 and never more than an eighth too small above", () => {
    for (let length = 0; length < 40; length += 1) expect(storedLength(length)).toBe(length);
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 1_000_000 }), (length) => {
        const stored = storedLength(length);
        expect(stored).toBeLessThanOrEqual(length);
        expect(stored).toBeGreaterThan(length * (7 / 8));
        expect(storedLength(stored)).toBe(stored);
      }),
    );
  });

  it("has the steps that Lucene's byte has", () => {
    expect([40, 41, 42, 55, 56, 59, 60, 100, 104, 1_000].map(storedLength)).toEqual([
      40, 40, 42, 54, 56, 56, 60, 96, 104, 984,
    ]);
  });
});
