/** Two sentences laid beside each other: which token of the one is which of the other, both in their order. */
import type { Sentence } from "./sentence.js";

/** What a match is worth: words that hold a sentence together only decide between places that are as good. */
const WORTH = { content: 8, light: 3, function: 1 } as const;
const FIGURE_WORTH = 6;
/** Two matches without a gap on either side are worth more than two with one. */
const NEXT_BONUS = 2;

/** Longer sentences are looked at up to here. */
const TOKENS_MAX = 160;

/** Of each token of `a` the token of `b` that it matches, or -1: the common subsequence that is worth most. */
export function matchTokens(a: Sentence, b: Sentence): Int16Array {
  const [rows, columns] = [Math.min(a.tokens.length, TOKENS_MAX), Math.min(b.tokens.length, TOKENS_MAX)];
  const width = columns + 1;
  const best = new Int32Array((rows + 1) * width);
  const taken = new Uint8Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const at = i * width + j;
      const [down, right] = [best[at + width]!, best[at + 1]!];
      best[at] = Math.max(down, right);
      const worth = worthOf(a, i, b, j);
      if (worth === 0) continue;
      const value = worth + best[at + width + 1]! + NEXT_BONUS * taken[at + width + 1]!;
      if (value < best[at]!) continue;
      best[at] = value;
      taken[at] = 1;
    }
  const match = new Int16Array(a.tokens.length).fill(-1);
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    const at = i * width + j;
    if (taken[at] === 1) match[i++] = j++;
    else if (best[at + width]! >= best[at + 1]!) i += 1;
    else j += 1;
  }
  return match;
}

function worthOf(a: Sentence, i: number, b: Sentence, j: number): number {
  const [one, other] = [a.tokens[i]!, b.tokens[j]!];
  if (one.kind === "stop" || other.kind === "stop") return 0;
  if (one.kind !== "word" || other.kind !== "word") return one.lower === other.lower ? FIGURE_WORTH : 0;
  const [ours, theirs] = [a.infos[i]!, b.infos[j]!];
  if (ours.weight === "function" || theirs.weight === "function")
    return one.lower === other.lower ? WORTH.function : 0;
  return ours.term === theirs.term ? WORTH[ours.weight] : 0;
}
