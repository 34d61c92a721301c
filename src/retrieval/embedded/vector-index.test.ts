import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../lib/random.js";
import { IndexDamaged } from "./index-damaged.js";
import type { ChunkTable, ReadableChunks } from "./rank.js";
import { VectorIndex } from "./vector-index.js";
import { decodeVectors, encodeVectors } from "./vectors.js";

const DIMENSIONS = 128;

/** Points around a number of centres, of length 1, the same for the same seed. */
function clustered(count: number, seed: number): Float32Array[] {
  const random = seededRandom(seed);
  const point = () =>
    Float32Array.from({ length: DIMENSIONS }, () => random.fraction() + random.fraction() - 1);
  const centres = Array.from({ length: 50 }, point);
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random.fraction() * centres.length)]!;
    const noise = point();
    return unit(centre.map((value, d) => value + 0.7 * noise[d]!));
  });
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, d) => sum + value * b[d]!, 0);
}

function indexOf(vectors: readonly (Float32Array | undefined)[], capacity = vectors.length): VectorIndex {
  const { dimensions, bytes } = encodeVectors(vectors)!;
  const index = new VectorIndex(dimensions, capacity);
  index.add(0, decodeVectors(bytes.buffer as ArrayBuffer, dimensions, vectors.length));
  return index;
}

/** Every chunk is a document of its own. */
function world(isReadable: readonly boolean[]): { table: ChunkTable; view: ReadableChunks } {
  return {
    table: {
      documentOfChunk: Int32Array.from(isReadable, (_, i) => i),
      termsOfChunk: new Uint32Array(isReadable.length),
    },
    view: {
      readable: Uint8Array.from(isReadable, (yes) => (yes ? 1 : 0)),
      chunkCount: isReadable.length,
      termsPerChunk: 1,
    },
  };
}

function exact(
  vectors: readonly Float32Array[],
  query: Float32Array,
  limit: number,
  isReadable: readonly boolean[],
) {
  return vectors
    .map((vector, chunk) => ({ chunk, score: cosine(vector, query) }))
    .filter(({ chunk }) => isReadable[chunk])
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

describe("the nearest vectors", () => {
  const coordinate = fc.integer({ min: -5, max: 5 });
  const vector = fc
    .array(coordinate, { minLength: 9, maxLength: 9 })
    .filter((values) => values.some((value) => value !== 0))
    .map((values) => unit(Float32Array.from(values)));

  it("are those of the true order, as far as a byte tells them apart, and only readable ones", () => {
    const stored = fc.array(fc.record({ vector, isReadable: fc.boolean() }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(stored, vector, fc.integer({ min: 1, max: 50 }), (drawn, query, limit) => {
        const vectors = drawn.map((one) => one.vector);
        const isReadable = drawn.map((one) => one.isReadable);
        const { table, view } = world(isReadable);
        const hits = indexOf(vectors).nearest(query, table, view, limit);
        const expected = exact(vectors, query, limit, isReadable);
        expect(hits).toHaveLength(expected.length);
        for (const [i, { chunk, score }] of hits.entries()) {
          expect(isReadable[chunk]).toBe(true);
          expect(score).toBeCloseTo(cosine(vectors[chunk]!, query), 1);
          expect(score).toBeCloseTo(expected[i]!.score, 1);
        }
      }),
    );
  });

  it("are found among many, a quarter of which may not be read", () => {
    const all = clustered(10_020, 1);
    const [vectors, queries] = [all.slice(20), all.slice(0, 20)];
    const isReadable = vectors.map((_, i) => i % 4 !== 0);
    const { table, view } = world(isReadable);
    const index = indexOf(vectors);
    let found = 0;
    for (const query of queries) {
      const hits = index.nearest(query, table, view, 10).map(({ chunk }) => chunk);
      expect(hits.every((chunk) => isReadable[chunk])).toBe(true);
      found += exact(vectors, query, 10, isReadable).filter(({ chunk }) => hits.includes(chunk)).length;
    }
    expect(found / (queries.length * 10)).toBeGreaterThan(0.95);
  });

  it("leave out chunks without a vector and chunks that are gone", () => {
    const index = indexOf([unit(Float32Array.of(1, 0)), undefined, unit(Float32Array.of(1, 1))]);
    const { table, view } = world([true, true, true]);
    const chunks = () => index.nearest(Float32Array.of(1, 0), table, view, 5).map(({ chunk }) => chunk);
    expect(chunks()).toEqual([0, 2]);
    table.documentOfChunk[0] = -1;
    expect(chunks()).toEqual([2]);
  });

  it("grow with what is added", () => {
    const [a, b] = [clustered(30, 3), clustered(50, 4)];
    const index = indexOf(a, 1);
    const more = encodeVectors(b)!;
    index.add(a.length, decodeVectors(more.bytes.buffer as ArrayBuffer, more.dimensions, b.length));
    const { table, view } = world([...a, ...b].map(() => true));
    expect(index.nearest(b[49]!, table, view, 1)[0]?.chunk).toBe(79);
    expect(index.nearest(a[0]!, table, view, 1)[0]?.chunk).toBe(0);
  });
});

describe("stored vectors", () => {
  it("have the documented bytes", () => {
    const { dimensions, bytes } = encodeVectors([Float32Array.of(127, -63.6), undefined])!;
    expect(dimensions).toBe(2);
    expect([...bytes]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0, 127, 256 - 64, 0, 0]);
  });

  it("are none where there is none", () => {
    expect(encodeVectors([])).toBeUndefined();
    expect(encodeVectors([undefined, undefined])).toBeUndefined();
  });

  it("are of one length, and of numbers", () => {
    expect(() => encodeVectors([Float32Array.of(1), Float32Array.of(1, 0)])).toThrow(/2 dimensions/);
    expect(() => encodeVectors([Float32Array.of(Number.NaN, 1)])).toThrow(/not a number/);
    expect(() => encodeVectors([Float32Array.of(1, Number.POSITIVE_INFINITY)])).toThrow(/not a number/);
  });

  it("are refused where they do not fit", () => {
    expect(() => decodeVectors(new ArrayBuffer(13), 2, 2)).toThrow(IndexDamaged);
  });
});
