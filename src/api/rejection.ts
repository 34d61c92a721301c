/** Why a door turns a request down. Each door says it in the words of its own protocol. */
import type { FailureCode } from "../domain/failure.js";

export type RejectionCode =
  | FailureCode
  | "bad_json"
  | "missing_parameter"
  | "bad_parameter"
  | "unauthorized"
  | "forbidden"
  | "method_not_allowed"
  | "unsupported_media_type"
  | "payload_too_large"
  | "model_not_found"
  | "not_implemented"
  | "conflict"
  | "gone"
  | "overloaded"
  | "internal";

/** A request that is turned down; `message` is written for whoever sent it, and holds no secret. */
export class Rejection extends Error {
  override readonly name = "Rejection";
  constructor(
    readonly code: RejectionCode,
    message: string,
    /** The parameter that is at fault, such as `history[0].role`. */
    readonly field?: string,
    /** When trying again may help, in milliseconds from now, where that is known. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
