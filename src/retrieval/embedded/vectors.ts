/**
 * Embeddings as they are stored: one byte for each dimension. It costs a hundredth of the true neighbours and takes a
 * quarter of the space (see docs/decisions).
 *
 * The vectors of a document's chunks are stored together: first one scale for each, as 32-bit little-endian floats,
 * then one signed byte for each dimension of each. A vector is its bytes times its scale. A chunk without a vector has
 * the scale 0.
 */
import { checksumWith } from "./checksum.js";
import { IndexDamaged } from "./index-damaged.js";

/** Bytes go from -127 to 127. */
const BYTE_MAX = 127;

const SCALE_BYTES = Float32Array.BYTES_PER_ELEMENT;

export interface EncodedVectors {
  readonly dimensions: number;
  readonly bytes: Uint8Array;
}

/** The checksum of the stored vectors of a document's chunks. */
export function vectorsChecksum({ dimensions, bytes }: EncodedVectors): number {
  return checksumWith([dimensions], bytes);
}

export interface DecodedVectors {
  /** One for each chunk. */
  readonly scales: Float32Array;
  /** `dimensions` for each chunk. */
  readonly codes: Int8Array;
}

/**
 * The vectors of a document's chunks, absent ones included; `undefined` when there is none. Throws a `TypeError` when
 * they are not of one length or hold what is not a number.
 */
export function encodeVectors(vectors: readonly (Float32Array | undefined)[]): EncodedVectors | undefined {
  const dimensions = vectors.find((vector) => vector !== undefined)?.length;
  if (dimensions === undefined || dimensions === 0) return undefined;
  const bytes = new Uint8Array(vectors.length * (SCALE_BYTES + dimensions));
  const scales = new Float32Array(bytes.buffer, 0, vectors.length);
  const codes = new Int8Array(bytes.buffer, vectors.length * SCALE_BYTES);
  for (const [i, vector] of vectors.entries()) {
    if (vector === undefined) continue;
    if (vector.length !== dimensions)
      throw new TypeError(`a vector has ${vector.length} dimensions, another one ${dimensions}`);
    const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    if (!Number.isFinite(largest)) throw new TypeError("a vector holds what is not a number");
    scales[i] = largest / BYTE_MAX;
    if (scales[i] === 0) continue;
    for (let d = 0; d < dimensions; d++) codes[i * dimensions + d] = Math.round(vector[d]! / scales[i]!);
  }
  return { dimensions, bytes };
}

/** Throws `IndexDamaged` when these are not the vectors of so many chunks. */
export function decodeVectors(bytes: ArrayBuffer, dimensions: number, chunkCount: number): DecodedVectors {
  if (bytes.byteLength !== chunkCount * (SCALE_BYTES + dimensions))
    throw new IndexDamaged("the vectors of a document do not fit its chunks");
  return {
    scales: new Float32Array(bytes, 0, chunkCount),
    codes: new Int8Array(bytes, chunkCount * SCALE_BYTES),
  };
}
