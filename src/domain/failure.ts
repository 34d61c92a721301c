/** How a turn fails: there is no answer, and the user is told why. */

/** Why a turn ended without an answer; the names are the wire's error codes. */
export type FailureCode =
  | "bad_parameter"
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

/** There is no room for the turn now; on the wire it is `assistant_unavailable`. */
export class Overload extends TurnFailure {
  constructor(message: string) {
    super("assistant_unavailable", message);
  }
}
