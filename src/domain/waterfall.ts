/** When one turn came past which point: for those who look for lost time. */

/**
 * The points of a turn in the order in which a spoken answer comes past them. A turn passes only some of them: a
 * greeting searches nothing, a text has no packets.
 */
export const WATERFALL_MARKS = [
  /** Voice in: what was said is known. */
  "transcribed",
  /** It left the mailbox. */
  "started",
  /** Stage 1: the model has said what to search for. */
  "plan",
  "search",
  /** Stage 2: the model's first words. */
  "first_token",
  /** The first piece of its first sentence that is worth a voice of its own; the sentence itself at the latest. */
  "first_clause",
  /** The gate has let words through. */
  "first_sentence",
  "tts_request",
  "tts_first_byte",
  "first_packet",
  "last_packet",
  /** The one message of an answer in text. */
  "text_sent",
] as const;

export type WaterfallMark = (typeof WATERFALL_MARKS)[number];

export interface Waterfall {
  /** Milliseconds since the question was there: since a text came in, or since the button was released. */
  readonly marksMs: Readonly<Partial<Record<WaterfallMark, number>>>;
  /** How long the button was held before that: absent where none was. */
  readonly buttonMs?: number;
  /** Nothing was told before the last sentence had been checked: steps and warnings are told together or not at all. */
  readonly held: boolean;
}
