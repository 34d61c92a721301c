import { describe, expect, it } from "vitest";
import { Postings, PostingsEncoder } from "./postings.js";
import { Ranking, type ReadableChunks } from "./rank.js";

/** Four documents of one chunk each, the last of which is gone. */
const table = { documentOfChunk: Int32Array.of(0, 1, 2, -1), termsOfChunk: Uint32Array.of(10, 20, 30, 0) };
const everything: ReadableChunks = { readable: Uint8Array.of(1, 1, 1), chunkCount: 3, termsPerChunk: 20 };

function postings(...list: (readonly [number, number])[]): Postings {
  const encoder = new PostingsEncoder();
  for (const [chunk, frequency] of list) encoder.add(chunk, frequency);
  const decoded = new Postings();
  decoded.append(encoder.bytes(), table.documentOfChunk.length);
  return decoded;
}

describe("Ranking", () => {
  it("computes Lucene's BM25", () => {
    const ranking = new Ranking(table, everything);
    // ln(1 + (3 - 2 + 0.5) / (2 + 0.5)) = ln 1.6
    expect(ranking.add(postings([0, 1], [2, 3]), 1)).toBeCloseTo(0.470004, 6);
    const [first, second] = ranking.best(10);
    // 0.470004 · 3 / (3 + 1.2 · (0.25 + 0.75 · 30 / 20))
    expect(first).toEqual({ chunk: 2, score: expect.closeTo(0.303228, 6) });
    // 0.470004 · 1 / (1 + 1.2 · (0.25 + 0.75 · 10 / 20))
    expect(second).toEqual({ chunk: 0, score: expect.closeTo(0.268574, 6) });
  });

  it("counts a term as often as the query holds it", () => {
    const once = new Ranking(table, everything);
    once.add(postings([1, 1]), 1);
    const twice = new Ranking(table, everything);
    twice.add(postings([1, 1]), 2);
    expect(twice.best(1)[0]!.score).toBeCloseTo(once.best(1)[0]!.score * 2, 12);
  });

  it("leaves out what may not be read and what is gone, in the counts too", () => {
    const view: ReadableChunks = { readable: Uint8Array.of(1, 0, 0), chunkCount: 1, termsPerChunk: 10 };
    const ranking = new Ranking(table, view);
    const idf = ranking.add(postings([0, 1], [1, 1], [2, 1], [3, 1]), 1);
    expect(idf).toBeCloseTo(Math.log(1 + 0.5 / 1.5), 12);
    expect(ranking.best(10).map(({ chunk }) => chunk)).toEqual([0]);
  });

  it("has no idf for a term that only others may read", () => {
    const view: ReadableChunks = { readable: Uint8Array.of(0, 1, 1), chunkCount: 2, termsPerChunk: 25 };
    expect(new Ranking(table, view).add(postings([0, 5]), 1)).toBe(0);
  });

  it("keeps equal scores in chunk order and the best within the limit", () => {
    const equal = { documentOfChunk: new Int32Array(6), termsOfChunk: new Uint32Array(6).fill(5) };
    const ranking = new Ranking(equal, { readable: Uint8Array.of(1), chunkCount: 6, termsPerChunk: 5 });
    const list = new Postings();
    const encoder = new PostingsEncoder();
    for (let chunk = 0; chunk < 6; chunk++) encoder.add(chunk, chunk === 4 ? 2 : 1);
    list.append(encoder.bytes(), 6);
    ranking.add(list, 1);
    expect(ranking.best(3).map(({ chunk }) => chunk)).toEqual([4, 0, 1]);
    expect(ranking.best(0)).toEqual([]);
  });
});
