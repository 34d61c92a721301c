/**
 * How an evaluation asks. The composition answers over the same `runTurn` as the radio, so that what is measured is what
 * a worker hears; tests answer from a list.
 */
import type { AnswerReport } from "../domain/answer-report.js";

/** Who asks, and how. */
export interface Speaker {
  readonly network: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly features: readonly string[];
  readonly mode?: string;
  readonly language?: string;
}

/** One chat: each question is heard with what was said before it. */
export interface Conversation {
  /** Failures of the turn are part of the report. Rejects with the signal's reason only. */
  ask(text: string, signal: AbortSignal): Promise<AnswerReport>;
  /** Nothing of it is remembered afterwards. */
  close(): Promise<void>;
}

/** Opens a conversation that has nothing to do with any other. */
export type Answerer = (speaker: Speaker) => Conversation;
