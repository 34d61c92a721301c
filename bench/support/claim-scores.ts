/**
 * Sentences with what their check came to and whether their passage says them: ClapNQ's gold sentences, and edits of
 * these that change what is said. All edits together weigh as much as the sentences that they were made from.
 */
import type { Verdict } from "../../src/domain/answer.js";
import { checkSentence } from "../../src/grounding/check/check-sentence.js";
import { EDITS } from "./grounding-edits.js";
import { readGold } from "./grounding-gold.js";

export interface ScoredClaim {
  readonly verdict: Verdict;
  readonly score: number;
  readonly label: 0 | 1;
  readonly weight: number;
  /** Which half of the passages it is of; curves are fitted on 0 and judged on 1. */
  readonly half: number;
}

export function scoredClaims(): readonly ScoredClaim[] {
  const gold = readGold();
  const sentences = gold.flatMap((one) => [
    { one, text: one.text, label: 1 as const },
    ...Object.values(EDITS).flatMap((edit) => {
      const text = edit(one, gold);
      return text === undefined ? [] : [{ one, text, label: 0 as const }];
    }),
  ]);
  const editWeight = gold.length / (sentences.length - gold.length);
  return sentences.map(({ label, one: { passage, question, said }, text }) => {
    const { score, verdict } = checkSentence(text, passage.evidence, { question, said });
    return { verdict, score, label, weight: label === 1 ? 1 : editWeight, half: passage.half };
  });
}

/** Expected calibration error with weights, in ten bins of equal width. */
export function weightedCalibrationError(
  claims: readonly ScoredClaim[],
  confidenceOf: (claim: ScoredClaim) => number,
): number {
  const bins = Array.from({ length: 10 }, () => ({ said: 0, happened: 0 }));
  let total = 0;
  for (const claim of claims) {
    const confidence = confidenceOf(claim);
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]!;
    bin.said += claim.weight * confidence;
    bin.happened += claim.weight * claim.label;
    total += claim.weight;
  }
  return bins.reduce((sum, { happened, said }) => sum + Math.abs(said - happened), 0) / total;
}
