/** Whether the words of a sentence come from somewhere: the evidence, or the question where they only name things. */

import type { PreparedEvidence } from "../evidence.js";
import type { Sentence } from "../sentence/sentence.js";
import type { Alignment, Weights } from "./align.js";
import { type Finding, gap } from "./finding.js";

/** Share of the sentence's weight that must be carried. */
const CARRIED_MIN = 0.62;
/** As `CARRIED_MIN`, of an instruction: what is done on its account cannot be undone. */
const INSTRUCTION_CARRIED_MIN = 0.72;
/** What a term is worth that stands elsewhere in the same text, in another text, or in the question only. */
const SAME_TEXT_SHARE = 0.6;
const OTHER_TEXT_SHARE = 0.3;
const QUESTION_SHARE = 0.5;

/** Share of the sentence's weight that the evidence carries, 0–1. */
export function carriedShare(
  claim: Sentence,
  { window }: Alignment,
  weights: Weights,
  evidence: PreparedEvidence,
  question: Sentence,
): number {
  if (weights.total === 0) return 1;
  let carried = 0;
  for (const [term, weight] of weights.of)
    carried += weight * shareOf(term, claim, window, evidence, question);
  return carried / weights.total;
}

export function checkWords(
  claim: Sentence,
  { window }: Alignment,
  weights: Weights,
  evidence: PreparedEvidence,
  question: Sentence,
  isInstruction: boolean,
): Finding[] {
  const missing: string[] = [];
  let carried = 0;
  for (const [term, weight] of weights.of) {
    const share = shareOf(term, claim, window, evidence, question);
    carried += weight * share;
    if (share < QUESTION_SHARE) missing.push(term);
  }
  if (
    weights.total === 0 ||
    carried >= weights.total * (isInstruction ? INSTRUCTION_CARRIED_MIN : CARRIED_MIN)
  )
    return [];
  const words = claim.words
    .filter(({ term }) => missing.includes(term))
    .map(({ token }) => claim.tokens[token]!.text);
  return [gap("words_not_found", `the sources do not carry: ${[...new Set(words)].join(", ")}`)];
}

function shareOf(
  term: string,
  claim: Sentence,
  window: Alignment["window"],
  evidence: PreparedEvidence,
  question: Sentence,
): number {
  if (window.some(({ terms }) => terms.has(term))) return 1;
  const part = evidence.parts[window[0]!.part]!;
  if (part.around.has(term)) return 1;
  const poles = claim.words.find((word) => word.term === term)?.info.poles ?? [];
  if (
    poles.some(({ axis }) =>
      window.some(({ words }) => words.some(({ info }) => info.poles.some((pole) => pole.axis === axis))),
    )
  )
    return 0.9;
  if (part.terms.has(term)) return SAME_TEXT_SHARE;
  if (question.terms.has(term)) return QUESTION_SHARE;
  return evidence.byTerm.has(term) ? OTHER_TEXT_SHARE : 0;
}
