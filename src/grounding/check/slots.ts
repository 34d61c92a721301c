/**
 * Another word in the same place: "leather gloves" where the source has "nitrile gloves". The claim is laid beside the
 * unit word by word; what stands between the same neighbours is the same thing.
 */
import { matchTokens } from "../sentence/match-tokens.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding } from "./finding.js";

/** Tokens between the two neighbours; more are a passage of their own. */
const SLOT_TOKENS_MAX = 8;

/** A finding where an added token of the claim stands in the place of another word of the unit. */
export function substituted(claim: Sentence, says: Sentence, added: readonly number[]): Finding | undefined {
  if (added.length === 0) return undefined;
  const match = matchTokens(claim, says);
  const said = new Set(claim.words.map(({ term }) => term));
  for (const token of added.filter((at) => at >= 0)) {
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
    if (other !== undefined && !says.tokens.slice(from, to).some(({ lower }) => PRONOUNS.test(lower)))
      return contradiction(
        "other_subject",
        `says "${claim.tokens[token]!.text}", the source says "${says.tokens[other.token]!.text}"`,
      );
  }
  return undefined;
}

const PRONOUNS = /^(?:he|she|it|they|his|her|its|their|him|them|this|these|who|which)$/;
