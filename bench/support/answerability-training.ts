/** What the model of `src/grounding/answerability.ts` is fitted with, and judged by: its data, its settings, its folds. */
import { FEATURES, featuresOf } from "../../src/grounding/answerability/features.js";
import { seededRandom } from "../../src/lib/random.js";
import type { FoundFor } from "./answerability-data.js";
import { crossValidated, type Example } from "./logistic.js";

/** Chosen by a look at 1, 3, 10 and 30. */
export const RIDGE = 3;
/** As many as the handbook has lists of questions. */
export const FOLDS = 5;
/** Cross-validation is repeated with other folds, and averaged: one split alone moves the figure by half a point. */
export const SEEDS = [1, 2, 3, 4, 5] as const;

export function examplesOf(found: readonly FoundFor[]): readonly Example[] {
  return found.map(({ isAnswerable, passages, question }) => ({
    features: featuresOf(question, passages)?.features ?? FEATURES.map(() => 0),
    label: isAnswerable ? 1 : 0,
  }));
}

/**
 * For each question, the probability by a model that was fitted on the other folds. No question is in two folds; of the
 * handbook's, a whole list is left out at a time, for within a list they resemble each other.
 */
export function outOfFold(found: readonly FoundFor[], examples: readonly Example[], seed: number): number[] {
  const random = seededRandom(seed);
  const foldOf = found.map(({ list }) => list ?? Math.floor(random.fraction() * FOLDS));
  return crossValidated(examples, RIDGE, foldOf);
}
