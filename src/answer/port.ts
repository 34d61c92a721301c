/** What a turn asks of a capability: one call down, one stream of events up. */
import type { HistoryEntry, ResponseType, TurnEvent } from "../domain/turn.js";
import type { Access } from "../domain/user.js";

/** Who answers: see `prompts/`. */
export type Persona = "default" | "onboarding" | "kiosk";

export interface AskRequest {
  readonly question: string;
  /** Oldest first; only what this turn's access may read. */
  readonly history: readonly HistoryEntry[];
  readonly access: Access;
  readonly persona: Persona;
  readonly responseType: ResponseType;
  /** The BCP 47 tag of the language to answer in; absent: that of the question. */
  readonly language?: string | undefined;
  /** When the answer must have begun, on the clock's monotonic scale. */
  readonly beginByMs: number;
  /** Takes back the text given so far, if none of it has reached the user; false when it is too late. */
  rewind(): boolean;
}

/**
 * Answers from documents. The stream tells queries, passages and text, and ends with exactly one outcome; it throws
 * `TurnFailure` when there is no answer to give, or the signal's reason.
 */
export type Ask = (request: AskRequest, signal: AbortSignal) => AsyncIterable<TurnEvent>;
