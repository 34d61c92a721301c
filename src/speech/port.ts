/** What the service asks of a speech synthesizer. */

export interface TextToSpeech {
  readonly name: string;
  /** Duration of its packets where no shape is asked for; absent for a voice that heeds no shape. */
  readonly usualPacketMs?: number | undefined;
  /** Prepares what the first sentence would otherwise wait for. Rejects with `SpeechFailure` or the signal's reason. */
  warm(signal: AbortSignal): Promise<void>;
  /**
   * Speaks a text: the bytes of one Ogg Opus stream as they arrive. Throws `SpeechFailure`, or the signal's reason.
   * Breaking off the iteration, like the signal, stops the work.
   */
  synthesize(speech: SpeechRequest, signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** What is to be said. */
export interface SpeechRequest {
  /** Words and punctuation only (see `speakable`). */
  readonly text: string;
  /** The language of the text, a BCP 47 tag, for voices that want to be told; absent: they find out. */
  readonly language?: string | undefined;
  /** What the receiver likes best. Only a voice that encodes its own packets heeds it; absent: as the voice likes. */
  readonly shape?: SpeechShape | undefined;
}

/** What all packets of a stream have in common. Always mono. */
export interface SpeechShape {
  /** Nominal: what the encoder was fed with. Every Opus decoder plays at any rate. */
  readonly sampleRateHz: number;
  readonly packetMs: number;
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
