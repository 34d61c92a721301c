/**
 * The vectors of one network in memory, and the nearest ones to a query. The signs of all dimensions, one bit each, find
 * the candidates: those whose bits differ least from the query's (Charikar, "Similarity estimation techniques from
 * rounding algorithms", 2002). The stored bytes put the candidates in order. Up to `CANDIDATES_MIN` vectors that a reader
 * may read, that is the exact order; beyond, it finds 98 of the true 100 (see docs/decisions), in a seventh of the time.
 */
import type { ChunkHit, ChunkTable, ReadableChunks } from "./rank.js";
import type { DecodedVectors } from "./vectors.js";

/** Vectors whose bytes are compared at the least, and for each one that is wanted. */
const CANDIDATES_MIN = 2_000;
const CANDIDATES_PER_HIT = 50;

const WORD_BITS = 32;

export class VectorIndex {
  readonly #words: number;
  #count = 0;
  /** By slot, in the order in which they were added. */
  #chunks: Uint32Array;
  #scales: Float32Array;
  #codes: Int8Array;
  #signs: Uint32Array;

  /** Has room for `capacity` vectors before it grows. */
  constructor(
    readonly dimensions: number,
    capacity: number,
  ) {
    this.#words = Math.ceil(dimensions / WORD_BITS);
    this.#chunks = new Uint32Array(capacity);
    this.#scales = new Float32Array(capacity);
    this.#codes = new Int8Array(capacity * dimensions);
    this.#signs = new Uint32Array(capacity * this.#words);
  }

  /** Adds the vectors of a document's chunks. */
  add(firstChunk: number, { scales, codes }: DecodedVectors): void {
    this.#reserve(this.#count + scales.length);
    for (let i = 0; i < scales.length; i++) {
      if (scales[i] === 0) continue;
      const slot = this.#count++;
      const code = codes.subarray(i * this.dimensions, (i + 1) * this.dimensions);
      this.#chunks[slot] = firstChunk + i;
      this.#scales[slot] = scales[i]!;
      this.#codes.set(code, slot * this.dimensions);
      this.#signs.set(signsOf(code, this.#words), slot * this.#words);
    }
  }

  /** The chunks nearest to `query` by cosine, of those in the view; equal ones in the order in which they were added. */
  nearest(
    query: Float32Array,
    { documentOfChunk }: ChunkTable,
    { readable }: ReadableChunks,
    limit: number,
  ): ChunkHit[] {
    const distances = this.#distances(query, (chunk) => {
      const document = documentOfChunk[chunk]!;
      return document >= 0 && readable[document] === 1;
    });
    const hits: ChunkHit[] = [];
    const wanted = Math.max(CANDIDATES_MIN, limit * CANDIDATES_PER_HIT);
    const farthest = this.#distanceOf(distances, wanted);
    const length = Math.hypot(...query) || 1;
    for (let slot = 0; slot < this.#count; slot++) {
      if (distances[slot]! > farthest) continue;
      hits.push({ chunk: this.#chunks[slot]!, score: this.#product(slot, query) / length });
    }
    return hits.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  /** By slot: in how many signs it differs from the query; one more than there are where `isReadable` is false. */
  #distances(query: Float32Array, isReadable: (chunk: number) => boolean): Uint16Array {
    const words = this.#words;
    const signs = this.#signs;
    const querySigns = signsOf(query, words);
    const distances = new Uint16Array(this.#count).fill(this.dimensions + 1);
    for (let slot = 0; slot < distances.length; slot++) {
      if (!isReadable(this.#chunks[slot]!)) continue;
      let distance = 0;
      for (let word = 0; word < words; word++) {
        distance += bitCount(signs[slot * words + word]! ^ querySigns[word]!);
      }
      distances[slot] = distance;
    }
    return distances;
  }

  /** The smallest distance within which `wanted` of the readable vectors lie, or all of them. */
  #distanceOf(distances: Uint16Array, wanted: number): number {
    const counts = new Uint32Array(this.dimensions + 2);
    for (const distance of distances) counts[distance]! += 1;
    let within = 0;
    for (let distance = 0; distance <= this.dimensions; distance++) {
      within += counts[distance]!;
      if (within >= wanted) return distance;
    }
    return this.dimensions;
  }

  #product(slot: number, query: Float32Array): number {
    const from = slot * this.dimensions;
    let sum = 0;
    for (let d = 0; d < this.dimensions; d++) sum += this.#codes[from + d]! * query[d]!;
    return sum * this.#scales[slot]!;
  }

  #reserve(size: number): void {
    const capacity = this.#chunks.length;
    if (size <= capacity) return;
    const grown = Math.max(size, Math.ceil(capacity * 1.5));
    const copy = <A extends Uint32Array | Float32Array | Int8Array>(to: A, from: A): A => {
      to.set(from);
      return to;
    };
    this.#chunks = copy(new Uint32Array(grown), this.#chunks);
    this.#scales = copy(new Float32Array(grown), this.#scales);
    this.#codes = copy(new Int8Array(grown * this.dimensions), this.#codes);
    this.#signs = copy(new Uint32Array(grown * this.#words), this.#signs);
  }
}

/** One bit for each dimension, set where it is above 0. */
function signsOf(vector: Float32Array | Int8Array, words: number): Uint32Array {
  const signs = new Uint32Array(words);
  for (let d = 0; d < vector.length; d++) {
    if (vector[d]! > 0) signs[Math.floor(d / WORD_BITS)]! |= 1 << (d % WORD_BITS);
  }
  return signs;
}

/** The number of bits that are set in 32 (Warren, "Hacker's Delight", 5-1). */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bits, 0x01010101) >>> 24;
}
