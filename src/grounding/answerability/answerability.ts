/**
 * How likely the passages that were found hold the answer to a question: a small logistic model over what can be seen
 * without understanding (`features.ts`). Its weights were fitted on questions of which people said
 * whether their passage answers them (`models/answerability.json`, written by `bench/train-answerability.ts`); how well it
 * tells the two apart is measured by `npm run bench -- refusal`.
 */
import type { Passage } from "../../domain/passage.js";
import { type LogisticModel, probabilityOf } from "../../lib/logistic.js";
import { shippedText } from "../../lib/shipped-files.js";
import { featuresOf } from "./features.js";

/** A weight for each of `FEATURES`, in their order. */
export const MODEL = JSON.parse(shippedText("models/answerability.json")) as LogisticModel;

/** 0–1. `passages` in any order; without any, nothing can be answered. */
export function answerability(question: string, passages: readonly Passage[]): number {
  const features = featuresOf(question, passages);
  return features === undefined ? 0 : probabilityOf(features, MODEL);
}
