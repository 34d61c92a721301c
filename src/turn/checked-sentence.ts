/** A sentence of a draft with its check, and whether the gate let it through. */
import type { SentenceCheck } from "../grounding/check/check.js";

export interface CheckedSentence {
  readonly text: string;
  check: SentenceCheck;
  said: boolean;
  /** It is a sentence of a document in another language than the answer's: that language. */
  readonly foreign?: string;
}
