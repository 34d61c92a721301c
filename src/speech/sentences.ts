/** Cuts an answer into sentences while it is being written, so that the first can be spoken before the last is known. */
import { findSentenceEnd } from "../lib/sentence-end.js";

/** Length of a piece at the most; a longer sentence is cut at a clause, else between words. */
export const SENTENCE_CHARS_MAX = 300;

/** Behind a piece, what tells whether its sentence ends there: a letter, or the beginning of a list item. */
const FOLLOWER_CHARS = 16;

export class SentenceSplitter {
  #rest = "";

  constructor(private readonly charsMax = SENTENCE_CHARS_MAX) {}

  /** Takes in more text; returns the sentences that are complete by now. All pieces joined are the text. */
  push(text: string): string[] {
    this.#rest += text;
    return this.#take(false);
  }

  /** The text is over: what is left. */
  flush(): string[] {
    return this.#take(true);
  }

  #take(whole: boolean): string[] {
    const pieces: string[] = [];
    while (this.#rest !== "") {
      const end = this.#pieceEnd(whole);
      if (end === undefined) break;
      pieces.push(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end);
    }
    return pieces;
  }

  #pieceEnd(whole: boolean): number | undefined {
    // What lies further behind decides nothing, and a long text is not looked through for each piece.
    const head = this.#rest.slice(0, this.charsMax + FOLLOWER_CHARS);
    const end = findSentenceEnd(head, 0, whole && head.length === this.#rest.length);
    if (end.type === "end" && end.index <= this.charsMax) return end.index;
    if (this.#rest.length > this.charsMax) return cutWithin(this.#rest, this.charsMax);
    return whole ? this.#rest.length : undefined;
  }
}

/** The best place to cut within the first `charsMax` characters: after a clause, after a word, or anywhere. */
function cutWithin(text: string, charsMax: number): number {
  const head = text.slice(0, charsMax);
  for (const pattern of [CLAUSES, WORDS]) {
    const length = pattern.exec(head)?.[0].length ?? 0;
    if (length >= charsMax / 3) return length;
  }
  return splitsSurrogates(text, charsMax) ? charsMax - 1 : charsMax;
}

const CLAUSES = /^[\s\S]*(?:[,;:—–](?=\s)\s+|[，；：、])/u;
const WORDS = /^[\s\S]*\s/u;

function splitsSurrogates(text: string, index: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(index - 1, index + 1)) && index > 1;
}
