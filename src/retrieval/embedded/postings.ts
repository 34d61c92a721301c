/**
 * Posting lists: which chunks hold a term, and how often. Stored as bytes, read as two parallel arrays.
 *
 * A list is a sequence of postings in ascending order of chunk number. Each is the varint `gap * 2 + repeated`,
 * where `gap` is the distance from the chunk before (from -1 for the first) and `repeated` is 0 when the term
 * stands once in the chunk; when it is 1, the varint of the frequency follows. A varint holds 7 bits a byte, the
 * least significant first; the high bit says that another byte follows.
 */

import { IndexDamaged } from "./index-damaged.js";

/** Builds the bytes of one list. */
export class PostingsEncoder {
  #bytes = new Uint8Array(16);
  #length = 0;
  #lastChunk = -1;

  /** Chunk numbers ascend; `frequency` is 1 or more. */
  add(chunk: number, frequency: number): void {
    const gap = chunk - this.#lastChunk;
    if (gap <= 0) throw new RangeError(`chunk ${chunk} after chunk ${this.#lastChunk}`);
    this.#lastChunk = chunk;
    this.#varint(gap * 2 + (frequency === 1 ? 0 : 1));
    if (frequency !== 1) this.#varint(frequency);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #varint(value: number): void {
    if (this.#length + VARINT_BYTES_MAX > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }
}

/** Enough for 32 bits. */
const VARINT_BYTES_MAX = 5;

/** One decoded term: several lists, one after the other, in arrays that are used again for the next term. */
export class Postings {
  chunks = new Uint32Array(1024);
  frequencies = new Uint32Array(1024);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  /** Appends a list. Throws `IndexDamaged` when it is damaged or names a chunk beyond `chunkCount`. */
  append(bytes: Uint8Array, chunkCount: number): void {
    // Each posting takes a byte or more.
    this.#reserve(this.length + bytes.length);
    const reader = new VarintReader(bytes);
    let chunk = -1;
    while (!reader.atEnd) {
      const head = reader.next();
      chunk += head >>> 1;
      if (head < 2 || chunk >= chunkCount) throw new IndexDamaged("a posting list is damaged");
      this.chunks[this.length] = chunk;
      this.frequencies[this.length++] = (head & 1) === 0 ? 1 : reader.next();
    }
  }

  #reserve(size: number): void {
    if (size <= this.chunks.length) return;
    const capacity = Math.max(size, this.chunks.length * 2);
    const chunks = new Uint32Array(capacity);
    const frequencies = new Uint32Array(capacity);
    chunks.set(this.chunks.subarray(0, this.length));
    frequencies.set(this.frequencies.subarray(0, this.length));
    this.chunks = chunks;
    this.frequencies = frequencies;
  }
}

class VarintReader {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get atEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; shift < 7 * VARINT_BYTES_MAX; shift += 7) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new IndexDamaged("a posting list is damaged");
  }
}
