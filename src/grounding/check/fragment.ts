/**
 * An answer that is little more than a measure claims it of what was asked: "30 days." is an answer about gift cards
 * only where its evidence speaks of gift cards.
 */
import type { EvidenceSentence } from "../evidence.js";
import type { Sentence } from "../sentence/sentence.js";
import { type Finding, gap } from "./finding.js";

/** Longer answers say themselves what they are about. */
const TOKENS_MAX = 5;
const TERMS_MAX = 1;

/** The share of the question's terms that the evidence has to hold, its title and headings included. */
const SHARE_MIN = 0.75;

/** Words that ask for a measure: the answer is that measure. */
const MEASURES: ReadonlySet<string> = new Set(
  (
    "long much mani far high heavi fast often deep wide tall second minut hour dai week " +
    "month year metr kilometr kilogram gram litr percent degre euro amper volt bar"
  ).split(" "),
);

export function checkFragment(
  claim: Sentence,
  question: Sentence,
  window: readonly EvidenceSentence[],
  around: ReadonlySet<string>,
): Finding[] {
  if (claim.quantities.length === 0) return [];
  if (claim.tokens.length > TOKENS_MAX || claim.terms.size > TERMS_MAX) return [];
  const asked = [...question.terms].filter((term) => !claim.terms.has(term) && !MEASURES.has(term));
  if (asked.length === 0) return [];
  const held = asked.filter((term) => around.has(term) || window.some(({ terms }) => terms.has(term)));
  if (held.length / asked.length >= SHARE_MIN) return [];
  return [
    gap("other_subject", "answers with a measure alone, and the source does not speak of what was asked"),
  ];
}
