/**
 * How alike two words are in what they are about, by the vectors of `models/meaning`: "fuel" and "petrol", but also
 * "open" and "close", which stand beside the same words. It tells what a word may be about, never that it says the same.
 */
import { pieceLikeness, pieceOf } from "./meaning.js";

/** Words that are remembered; the oldest are forgotten. */
const KEPT_MAX = 4_096;

const kept = new Map<string, number | undefined>();

/** From 0 for words of which one is not known, or that have nothing in common, to 1 for the same word. Pure. */
export function wordLikeness(one: string, other: string): number {
  if (one === other) return 1;
  const [first, second] = [wholePieceOf(one), wholePieceOf(other)];
  if (first === undefined || second === undefined) return 0;
  return Math.max(0, pieceLikeness(first, second));
}

function wholePieceOf(word: string): number | undefined {
  if (kept.has(word)) return kept.get(word);
  if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!);
  const piece = pieceOf(word);
  kept.set(word, piece);
  return piece;
}
