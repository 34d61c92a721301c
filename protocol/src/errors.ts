/** The codes of `ai_message_error` ([LT-110]), and the error that an encoder throws. */

export const ERROR_CODES = [
  "bad_json",
  "unknown_command",
  "missing_parameter",
  "bad_parameter",
  "identity_mismatch",
  "message_too_long",
  "chat_busy",
  "rate_limited",
  "blocked",
  "unsupported_audio",
  "transcription_unavailable",
  "cancelled",
  "assistant_unavailable",
  "timeout",
  "not_found",
  "shutting_down",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What an encoder refuses: a name that could forge a header, a number out of range, a payload over its limit. */
export type EncodeErrorCode = "bad_name" | "out_of_range" | "payload_too_large" | "bad_parameter";

/** Thrown by every encoding function instead of writing bytes that a decoder would refuse ([LT-14]). */
export class EncodeError extends Error {
  override readonly name = "EncodeError";
  readonly code: EncodeErrorCode;

  constructor(code: EncodeErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
