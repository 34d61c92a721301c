/** What a turn asks of a capability: one call down, one stream of events up. */
import type { AttachedContext, HistoryEntry, ResponseType } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import type { DraftEvent } from "../grounding/draft.js";
import type { Locale } from "../locale/locale.js";
import type { Telemetry } from "../telemetry/events.js";

/** Who answers: see `prompts/`. */
export type Persona = "default" | "onboarding" | "kiosk";

export interface AskRequest {
  readonly question: string;
  /** Oldest first; only what this turn's access may read. */
  readonly history: readonly HistoryEntry[];
  readonly access: Access;
  readonly persona: Persona;
  readonly responseType: ResponseType;
  /** The language that fixed phrases are said in. */
  readonly locale: Locale;
  /** The BCP 47 tag of the language to answer in; absent: that of the question, or of `locale` where that is not told. */
  readonly language?: string | undefined;
  /** What the caller attached, when the question refers to it. */
  readonly context?: AttachedContext | undefined;
  /** Told what this turn does: it measures the turn and passes everything on. */
  readonly telemetry: Telemetry;
  /** When the answer must have begun, on the clock's monotonic scale. */
  readonly beginByMs: number;
  /** Takes back the text given so far, if none of it has reached the user; false when it is too late. */
  rewind(): boolean;
}

/**
 * A capability: drafts an answer. The stream tells what was searched and found, the text, and exactly one `end`; it
 * throws `TurnFailure` when there is no answer to give, or the signal's reason.
 */
export type Capability = (request: AskRequest, signal: AbortSignal) => AsyncIterable<DraftEvent>;
