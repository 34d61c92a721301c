/**
 * Another word in the same place: "leather gloves" where the source has "nitrile gloves". The claim is laid beside the
 * unit word by word; what stands between the same neighbours is the same thing.
 */
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding } from "./check.js";

/** Tokens between the two neighbours; more are a passage of their own. */
const SLOT_TOKENS_MAX = 8;

/** A finding where something that the claim adds stands in the place of another word of the unit. */
export function substituted(
  claim: Sentence,
  says: Sentence,
  added: readonly { readonly token: number }[],
): Finding | undefined {
  if (added.length === 0) return undefined;
  const match = matchTokens(claim, says);
  const said = new Set(claim.words.map(({ term }) => term));
  for (const { token } of added) {
    let [left, right] = [token - 1, token + 1];
    while (left >= 0 && match[left]! < 0) left -= 1;
    while (right < claim.tokens.length && match[right]! < 0) right += 1;
    const to =
      right < claim.tokens.length
        ? match[right]!
        : Math.min(says.tokens.length, match[left]! + 1 + SLOT_TOKENS_MAX);
    const from = left >= 0 ? match[left]! + 1 : Math.max(0, to - SLOT_TOKENS_MAX);
    if (to - from > SLOT_TOKENS_MAX || right - left > SLOT_TOKENS_MAX) continue;
    const other = says.words.find(
      (word) =>
        word.token >= from && word.token < to && word.info.weight === "content" && !said.has(word.term),
    );
    if (other === undefined || says.tokens.slice(from, to).some(({ lower }) => PRONOUNS.test(lower)))
      continue;
    const [ours, theirs] = [claim.tokens[token]!.text, says.tokens[other.token]!.text];
    return contradiction("other_subject", `says "${ours}", the source says "${theirs}"`);
  }
  return undefined;
}

const PRONOUNS = /^(?:he|she|it|they|his|her|its|their|him|them|this|these|who|which)$/;

/** What a match is worth: words that hold a sentence together only decide between places that are as good. */
const WORTH = { content: 8, light: 3, function: 1 } as const;
const FIGURE_WORTH = 6;
/** Two matches without a gap on either side are worth more than two with one. */
const NEXT_BONUS = 2;

/** Longer sentences are looked at up to here. */
const TOKENS_MAX = 160;

/** Of each token of `a` the token of `b` that it matches, or -1: the common subsequence that is worth most. */
function matchTokens(a: Sentence, b: Sentence): Int16Array {
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
