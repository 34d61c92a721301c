/** A sentence of a draft with its check, and whether the gate let it through. */
import type { SentenceCheck } from "../grounding/check.js";

export interface CheckedSentence {
  readonly text: string;
  check: SentenceCheck;
  said: boolean;
}
