/** What the service asks of a speech recogniser. */
import type { Utterance } from "../domain/utterance.js";

/** What helps to understand. */
export interface SpeechHints {
  /** A BCP 47 tag; absent: the recogniser finds out. */
  readonly language?: string | undefined;
  /** Words of the field, such as titles and names from documents that the user may read; most important first. */
  readonly words: readonly string[];
}

/** A word and how sure the recogniser is of it. */
export interface HeardWord {
  readonly text: string;
  /** 0 to 1. */
  readonly probability: number;
}

export type RecognitionResult =
  | {
      readonly type: "words";
      readonly text: string;
      /** The language that the recogniser heard, as a BCP 47 tag, where it tells. */
      readonly language?: string | undefined;
      /** In the order in which they were said, where the recogniser tells how sure it is. */
      readonly words?: readonly HeardWord[];
    }
  /** Nobody said anything that can be made out. */
  | { readonly type: "nothing"; readonly reason: "too_short" | "silent" | "unintelligible" };

export interface SpeechToText {
  readonly name: string;
  /** Prepares what the first utterance would otherwise wait for. */
  warm(signal: AbortSignal): Promise<void>;
  /**
   * Understands one utterance, beginning while it still comes in where the recogniser can. Rejects with
   * `RecognitionFailure`, with what the utterance throws, or with the signal's reason.
   */
  recognise(utterance: Utterance, hints: SpeechHints, signal: AbortSignal): Promise<RecognitionResult>;
  close(): Promise<void>;
}

export type RecognitionFailureKind =
  /** No connection, an HTTP error, no answer in time. */
  | "unavailable"
  /** What came in is not audio that could be decoded. */
  | "not_audio";

export class RecognitionFailure extends Error {
  override readonly name = "RecognitionFailure";
  constructor(
    readonly kind: RecognitionFailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
