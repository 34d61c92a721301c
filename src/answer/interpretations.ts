/**
 * What is searched for, given what was asked before. A question that says what it is about is searched for alone; one
 * that only points back is searched for together with the question before; where its words do not tell, both are
 * searched, and the better evidence answers. Pure.
 */
import type { HistoryEntry } from "../domain/turn.js";
import { leaningOf } from "../grounding/leaning.js";

/** One way to understand a question: what to search for, and the question before it, where that counts too. */
export interface Interpretation {
  readonly query: string;
  readonly prior: string | undefined;
}

/** The ways to understand a question after what was said, the likeliest first; one, or two where its words do not tell. */
export function readingsOf(
  question: string,
  history: readonly HistoryEntry[],
): readonly [Interpretation, ...Interpretation[]] {
  const alone = { query: question, prior: undefined };
  const prior = previousQuestion(history);
  if (prior === undefined) return [alone];
  const joined = { query: `${prior}\n${question}`, prior };
  switch (leaningOf(question)) {
    case "stands alone":
      return [alone];
    case "leans":
      return [joined];
    case "may lean":
      return [alone, joined];
  }
}

/** The user's question before this one, if the chat remembers it. */
export function previousQuestion(history: readonly HistoryEntry[]): string | undefined {
  return history.findLast(({ role }) => role === "user")?.text;
}
