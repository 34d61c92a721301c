/**
 * How alike two words are in what they are about, by the vectors of `models/meaning`: "fuel" and "petrol", but also
 * "open" and "close", which stand beside the same words. It tells what a word may be about, never that it says the same.
 */
import { wordVector } from "./meaning.js";

/** Words whose vectors are kept, about 1 KiB each; the oldest are forgotten. */
const KEPT_MAX = 2_048;

const kept = new Map<string, Float32Array | undefined>();

/** From 0 for words of which one is not known, or that have nothing in common, to 1 for the same word. Pure. */
export function wordLikeness(one: string, other: string): number {
  if (one === other) return 1;
  const [first, second] = [vectorOf(one), vectorOf(other)];
  if (first === undefined || second === undefined) return 0;
  let sum = 0;
  for (let d = 0; d < first.length; d++) sum += first[d]! * second[d]!;
  return Math.max(0, sum);
}

function vectorOf(word: string): Float32Array | undefined {
  if (kept.has(word)) return kept.get(word);
  if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!);
  const vector = wordVector(word);
  kept.set(word, vector);
  return vector;
}
