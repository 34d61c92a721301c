/**
 * The values of a turn: one press of the talk button, or one text message, and everything said back.
 */
import type { Outcome } from "./answer.js";
import type { Passage } from "./passage.js";
import type { User } from "./user.js";

export type ResponseType = "text" | "audio";

/** What the user asked, as every door hands it in. */
export interface TurnRequest {
  readonly id: string;
  readonly user: User;
  readonly text: string;
  readonly responseType: ResponseType;
  readonly mode?: string;
  readonly features: readonly string[];
  readonly groups: readonly string[];
  readonly language?: string;
  /** The route that the caller knows to be right, by its configured name; absent: the router decides. */
  readonly route?: string;
  /** What the caller attached for this one question. */
  readonly context?: AttachedContext;
  /** What was said before, where the caller keeps that; absent: what the chat remembers. */
  readonly history?: readonly HistoryEntry[];
  /** Echoed on everything that this request causes. */
  readonly requestId?: string;
}

/**
 * What a caller shows us beside the question, decoded: data, never instructions. Names as in the reference's request.
 * Used only when the question refers to it.
 */
export interface AttachedContext {
  /** What the user has marked: counts before all else. */
  readonly selectedText?: string;
  /** The whole text that the user has open. */
  readonly editorContent?: string;
  /** What the calling platform knows, such as usage figures. */
  readonly extraContext?: string;
  /** Who the user is to the platform, such as `{dev_id, project_id, org_id}`. */
  readonly userInfo?: Readonly<Record<string, string>>;
}

/** Whether any feature flag contains the word. */
export function isKiosk(features: readonly string[]): boolean {
  return features.some((feature) => feature.includes("kiosk"));
}

/** The stream that a capability produces; only `turn/` consumes it. */
export type TurnEvent =
  | { readonly type: "queries"; readonly queries: readonly string[] }
  | { readonly type: "passages"; readonly passages: readonly Passage[] }
  /** More of the answer, in the order in which it is to be said. */
  | { readonly type: "text"; readonly text: string }
  /** The answer broke off: the sentence that is not finished is not to be said. */
  | { readonly type: "cut" }
  | { readonly type: "outcome"; readonly outcome: Outcome; readonly degraded: boolean };

/** One line of a chat's memory, with where it came from. */
export interface HistoryEntry {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Ids of every document that had any part in this line, by way of earlier lines too. */
  readonly documentIds: readonly string[];
}

/** Why a turn ended without an answer; the names are the wire's error codes. */
export type FailureCode =
  | "message_too_long"
  | "chat_busy"
  | "rate_limited"
  | "blocked"
  | "unsupported_audio"
  | "transcription_unavailable"
  | "cancelled"
  | "assistant_unavailable"
  | "timeout"
  | "not_found"
  | "shutting_down";

/** A turn that ends with an error frame; `message` is written for the worker who reads it. */
export class TurnFailure extends Error {
  override readonly name = "TurnFailure";
  constructor(
    readonly code: FailureCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
