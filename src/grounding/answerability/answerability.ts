/**
 * How likely the passages that were found hold the answer to a question: a small logistic model over what can be seen
 * without understanding (`answerability-features.ts`). Its weights were fitted on questions of which people said
 * whether their passage answers them (`models/answerability.json`, written by `bench/train-answerability.ts`); how well it
 * tells the two apart is measured by `npm run bench -- refusal`.
 */
import type { Passage } from "../../domain/passage.js";
import { probabilityOf } from "../../lib/logistic.js";
import { featuresOf } from "./features.js";
import { MODEL } from "./model.js";

export interface Answerability {
  /** How likely the passages hold the answer, 0–1. */
  readonly probability: number;
  /** The question's telling words, as it writes them, that the best passage lacks; the most telling first. */
  readonly missing: readonly string[];
}

/** `passages` in any order; without any, nothing can be answered. */
export function answerability(question: string, passages: readonly Passage[]): Answerability {
  const seen = featuresOf(question, passages);
  if (seen === undefined) return { probability: 0, missing: [] };
  return { probability: probabilityOf(seen.features, MODEL), missing: seen.missing };
}
