/**
 * Cuts what a writer writes into sentences, while it is being written. A sentence that is longer than is checked is
 * given up: its beginning comes out as such, its rest is passed over, since a part of it might say the opposite of the
 * whole.
 */
import { SENTENCE_CHARS_MAX } from "../grounding/limits.js";
import { findSentenceEnd } from "../lib/sentence-end.js";

export interface DraftSentence {
  readonly text: string;
  /** False: there was more of it. */
  readonly isWhole: boolean;
}

export class DraftSentences {
  #rest = "";
  #isPassingOver = false;

  /** Takes in more text; returns the sentences that are over by now. */
  push(text: string): DraftSentence[] {
    this.#rest += text;
    return this.#take(false);
  }

  /** The text is over: what is left. */
  flush(): DraftSentence[] {
    return this.#take(true);
  }

  /** What is no whole sentence yet; empty while the rest of one is passed over. */
  get pending(): string {
    return this.#isPassingOver ? "" : this.#rest;
  }

  #take(isLast: boolean): DraftSentence[] {
    const found: DraftSentence[] = [];
    while (this.#rest !== "") {
      const end = findSentenceEnd(this.#rest, 0, isLast);
      const isOver = end.type === "end" || isLast;
      const length = end.type === "end" ? end.index : this.#rest.length;
      if (!isOver && length <= SENTENCE_CHARS_MAX) break;
      const isWhole = isOver && length <= SENTENCE_CHARS_MAX;
      const text = this.#rest.slice(0, Math.min(length, SENTENCE_CHARS_MAX));
      if (!this.#isPassingOver) found.push({ text, isWhole });
      this.#isPassingOver = !isOver;
      this.#rest = this.#rest.slice(length);
    }
    return found;
  }
}
