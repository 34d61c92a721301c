/** What the service asks of a speech synthesizer. */

export interface TextToSpeech {
  readonly name: string;
  /** Prepares what the first sentence would otherwise wait for. Rejects with `SpeechFailure` or the signal's reason. */
  warm(signal: AbortSignal): Promise<void>;
  /**
   * Speaks `text`: the bytes of one Ogg Opus stream as they arrive. Throws `SpeechFailure`, or the signal's reason.
   * Breaking off the iteration, like the signal, stops the work.
   */
  synthesize(text: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export type SpeechFailureKind =
  /** No connection, an HTTP error, no byte in time. */
  | "unavailable"
  /** The body is not an Ogg Opus stream, or holds no packet. */
  | "not_audio"
  /** Packets of a shape that the wire or this message cannot carry. */
  | "wrong_shape"
  /** The stream ended early, or is damaged. */
  | "cut";

export class SpeechFailure extends Error {
  override readonly name = "SpeechFailure";
  constructor(
    readonly kind: SpeechFailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
