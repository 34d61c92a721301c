// The one error class of this package. It is thrown for what the caller got wrong or what the codec refused;
// what a *stream* got wrong is never thrown but reported as a value (`malformed`, `truncated`, `ok: false`).

/** Why an {@link AudioError} was thrown. */
export type AudioErrorCode =
  /** An option or argument is outside its documented range. */
  | "bad_argument"
  /** A method was called after `end()`, `finish()` or `close()`. */
  | "already_finished"
  /** A packet is not a valid Opus packet (RFC 6716, section 3.4). */
  | "bad_packet"
  /** The Opus codec for this platform could not be loaded. */
  | "engine_unavailable"
  /** libopus itself refused to encode or decode. */
  | "codec_failed";

/** Thrown by this package; `code` says why in a form that code can act on. */
export class AudioError extends Error {
  override readonly name = "AudioError";

  constructor(
    readonly code: AudioErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
