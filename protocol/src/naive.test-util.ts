/** Test bytes made without the code under test, and results made comparable with the golden vectors. */
import type { DecodeResult } from "./envelope.js";

/** A frame exactly as told, right or wrong. `cl` is added unless the lines have one. */
export function naiveFrame(lines: readonly string[], payload: string | Uint8Array = ""): Buffer {
  const body = Buffer.from(payload);
  const all = lines.some((line) => line.startsWith("cl:")) ? lines : [...lines, `cl:${body.length}`];
  return Buffer.concat([Buffer.from(`LT\n${all.map((line) => `${line}\n`).join("")}\n`), body]);
}

/** A deterministic generator of 32-bit numbers (xorshift32, Marsaglia 2003); `seed` is not 0. */
export function xorshift32(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/**
 * What vectors say of a result: keys in snake_case, bytes in hex under `…_hex`, nothing that is undefined.
 */
export function toVector(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toVector);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const snakeKey = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (inner instanceof Uint8Array) entries.push([`${snakeKey}_hex`, Buffer.from(inner).toString("hex")]);
    else entries.push([snakeKey, toVector(inner)]);
  }
  return Object.fromEntries(entries);
}

/** Every answer of a decoder as one comparable value: what envelopes came, and how it ended. */
export interface DecodingResult {
  readonly envelopes: readonly unknown[];
  readonly end: "incomplete" | { readonly malformed: string };
}

/** The last answer of a drained decoder in the vectors' words. */
export function toEnd(last: Exclude<DecodeResult, { type: "envelope" }>): DecodingResult["end"] {
  return last.type === "incomplete" ? "incomplete" : { malformed: last.reason };
}
