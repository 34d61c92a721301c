/**
 * How an evaluation asks. The composition answers over the same `runTurn` as the radio, so that what is measured is what
 * a worker hears; tests answer from a list.
 */
import type { AnswerReport } from "../domain/answer-report.js";
import type { HistoryEntry } from "../domain/turn.js";

export interface EvaluationQuestion {
  readonly network: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly text: string;
  readonly features: readonly string[];
  readonly mode?: string;
  readonly language?: string;
  /** What was said before, oldest first; nothing of it is remembered by whoever answers. */
  readonly history?: readonly HistoryEntry[];
}

/** Failures of the turn are part of the report. Rejects with the signal's reason only. */
export type Answerer = (question: EvaluationQuestion, signal: AbortSignal) => Promise<AnswerReport>;
