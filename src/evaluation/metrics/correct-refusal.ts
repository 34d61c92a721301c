/**
 * Credit for refusing at the right time, which RAGAS does not give (an honest "not in the documents" scores 0 in its
 * answer relevancy). It looks at the questions that should be refused and at those that were: the score is the share of
 * them where the outcome was the expected one. Refusing everything does not pay, and neither does answering everything.
 */
import { OUTCOMES, type Outcome } from "../../domain/answer.js";
import { notApplicable, type Score, scored } from "../score.js";

/** Whether the user is told that there is no answer, or asked back. */
export function isNoncommittal(outcome: Outcome): boolean {
  return !OUTCOMES[outcome].states;
}

/** `accepted`: the outcomes that are right; absent where the data set does not say. */
export function correctRefusal(accepted: readonly Outcome[] | undefined, outcome: Outcome): Score {
  if (accepted === undefined) return notApplicable("the data set names no outcome");
  const shouldRefuse = accepted.every(isNoncommittal);
  if (!shouldRefuse && !isNoncommittal(outcome)) return notApplicable("to be answered, and answered");
  return scored(accepted.includes(outcome) ? 1 : 0, [
    `expected ${accepted.join(" or ")}, came to ${outcome}`,
  ]);
}
