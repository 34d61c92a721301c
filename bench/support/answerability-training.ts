/** What the model of `src/grounding/answerability/` is fitted with, and judged by: its examples and its settings. */
import { FEATURES, featuresOf } from "../../src/grounding/answerability/features.js";
import type { FoundFor } from "./answerability-data.js";
import { crossValidated, type Example } from "./logistic.js";

/** With so few features 1, 3, 10 and 30 give the same. */
export const RIDGE = 10;

export function examplesOf(found: readonly FoundFor[]): readonly Example[] {
  return found.map(({ isAnswerable, passages, question }) => ({
    features: featuresOf(question, passages) ?? FEATURES.map(() => 0),
    label: isAnswerable ? 1 : 0,
  }));
}

/** For each question, the probability by a model that was fitted on all parts but its own. */
export function heldOut(found: readonly FoundFor[], examples: readonly Example[]): number[] {
  return crossValidated(
    examples,
    RIDGE,
    found.map(({ part }) => part),
  );
}
