import { describe, expect, it } from "vitest";
import { termScores } from "./explanation.js";

/** A term's part of an explanation, as Lucene 9 and 10 write it. */
const weight = (field: string, term: string, value: number, frequency: number, idf: number) => ({
  value,
  description: `weight(${field}:${term} in 3) [PerFieldSimilarity], result of:`,
  details: [
    {
      value,
      description: `score(freq=${frequency}), computed as boost * idf * tf from:`,
      details: [
        { value: 4.4, description: "boost", details: [] },
        {
          value: idf,
          description: "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:",
          details: [{ value: 2, description: "n, number of documents containing term", details: [] }],
        },
        {
          value: 0.45,
          description: "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:",
          details: [
            { value: frequency, description: "freq, occurrences of term within document", details: [] },
          ],
        },
      ],
    },
  ],
});

describe("termScores", () => {
  it("finds the terms in a tree of sums and maxima, the most first", () => {
    const explanation = {
      value: 5,
      description: "sum of:",
      details: [
        {
          value: 5,
          description: "max of:",
          details: [
            {
              value: 5,
              description: "sum of:",
              details: [weight("text", "seal", 2, 1, 0.7), weight("text", "valv", 3, 2, 0.9)],
            },
          ],
        },
        { value: 0, description: "match on required clause, product of:", details: [] },
      ],
    };
    expect(termScores(explanation)).toEqual([
      { term: "text:valv", frequency: 2, idf: 0.9, score: 3 },
      { term: "text:seal", frequency: 1, idf: 0.7, score: 2 },
    ]);
  });

  it("keeps terms with signs in them whole", () => {
    expect(termScores(weight("title", "10:30 in 2", 1, 1, 1))[0]!.term).toBe("title:10:30 in 2");
  });

  it("finds nothing where nothing is scored by terms", () => {
    expect(termScores(undefined)).toEqual([]);
    expect(termScores({ value: 1, description: "within top k documents", details: [] })).toEqual([]);
  });
});
