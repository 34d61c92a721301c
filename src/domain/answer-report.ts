/** What one question came to, for those who measure and for doors that tell everything: the answer, its time, its cost. */
import type { Answer } from "./answer.js";
import type { FailureCode } from "./failure.js";
import type { SourceRef } from "./source-ref.js";
import type { Waterfall } from "./waterfall.js";

export interface AnswerReport {
  /** Which turn it was, where an evaluation asked. */
  readonly turn?: string;
  /** Absent when the turn ended with a failure. */
  readonly answer: Answer | undefined;
  readonly failure?: AnswerFailure;
  /** Everything that had any part in the answer, by way of earlier lines too. */
  readonly sources: readonly SourceRef[];
  /**
   * Milliseconds by stage, such as `route`, `plan`, `search`, `compose_first_text`, `compose`, `gate`, `total`. Stages
   * may overlap: they do not add up to `total`.
   */
  readonly timingsMs: Readonly<Record<string, number>>;
  readonly usage: AnswerUsage;
  /** Absent when the turn never left the mailbox. */
  readonly waterfall?: Waterfall;
}

export interface AnswerFailure {
  readonly code: FailureCode;
  /** There was no room for the turn: it may be asked again in a moment. */
  readonly isOverload?: true;
  /** Written for people. */
  readonly error: string;
}

export interface AnswerUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Absent when a model without a known price had a part. */
  readonly costUsd?: number;
}
