import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexDamaged } from "./index-damaged.js";
import { Postings, PostingsEncoder } from "./postings.js";

type Posting = readonly [chunk: number, frequency: number];

const CHUNKS = 2 ** 30;

function encode(list: readonly Posting[]): Uint8Array {
  const encoder = new PostingsEncoder();
  for (const [chunk, frequency] of list) encoder.add(chunk, frequency);
  return encoder.bytes();
}

function decode(bytes: Uint8Array): Posting[] {
  const postings = new Postings();
  postings.append(bytes, CHUNKS);
  return Array.from({ length: postings.length }, (_, i) => [postings.chunks[i]!, postings.frequencies[i]!]);
}

const anyList = fc
  .uniqueArray(fc.tuple(fc.nat(CHUNKS - 1), fc.integer({ min: 1, max: 100_000 })), {
    selector: ([chunk]) => chunk,
    maxLength: 200,
  })
  .map((list) => list.sort(([a], [b]) => a - b));

describe("posting lists", () => {
  it("have the documented bytes", () => {
    expect([...encode([])]).toEqual([]);
    expect([
      ...encode([
        [0, 1],
        [1, 3],
        [101, 300],
      ]),
    ]).toEqual([0x02, 0x03, 0x03, 0xc9, 0x01, 0xac, 0x02]);
  });

  it("come back as they went in", () => {
    fc.assert(
      fc.property(anyList, (list) => {
        expect(decode(encode(list))).toEqual(list);
      }),
    );
  });

  it("append in order", () => {
    const postings = new Postings();
    postings.append(encode([[3, 1]]), CHUNKS);
    postings.append(encode([[4, 2]]), CHUNKS);
    expect([...postings.chunks.subarray(0, postings.length)]).toEqual([3, 4]);
  });

  it("refuse chunks out of order", () => {
    expect(() =>
      encode([
        [5, 1],
        [5, 1],
      ]),
    ).toThrow(RangeError);
  });

  it("refuse a chunk that does not exist", () => {
    expect(() => new Postings().append(encode([[10, 1]]), 10)).toThrow(IndexDamaged);
  });

  it("throw IndexDamaged or stay in range for damaged bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const postings = new Postings();
        try {
          postings.append(bytes, 1000);
        } catch (error) {
          expect(error).toBeInstanceOf(IndexDamaged);
        }
        for (let i = 0; i < postings.length; i++) expect(postings.chunks[i]).toBeLessThan(1000);
      }),
    );
  });
});
