/**
 * Words cut into the pieces of a vocabulary, greedily from the left, the longest piece first (WordPiece: Wu and others,
 * "Google's Neural Machine Translation System", 2016). A piece that does not begin its word is written `##piece`.
 */

/** UTF-16 units of a word that is cut; a longer one is no word, and has no pieces. */
const WORD_CHARS_MAX = 64;

export interface Pieces {
  /** Without case and accents. */
  readonly word: string;
  /** None where it cannot be cut. */
  readonly ids: readonly number[];
}

export class WordPieces {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #longest: number;

  /** The id of a piece is its place in `vocabulary`. */
  constructor(vocabulary: readonly string[]) {
    this.#ids = new Map(vocabulary.map((piece, id) => [piece, id]));
    this.#longest = vocabulary.reduce((most, piece) => Math.max(most, piece.length), 0);
  }

  /** The words and numbers of a text with their pieces, in order. */
  *of(text: string): Generator<Pieces> {
    const plain = text
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "")
      .toLowerCase();
    for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) yield { word, ids: this.#cut(word) };
  }

  #cut(word: string): readonly number[] {
    const pieces: number[] = [];
    if (word.length > WORD_CHARS_MAX) return pieces;
    for (let start = 0; start < word.length; ) {
      const mark = start === 0 ? "" : "##";
      let end = Math.min(word.length, start + this.#longest);
      let id: number | undefined;
      while (end > start) {
        id = this.#ids.get(mark + word.slice(start, end));
        if (id !== undefined) break;
        end -= 1;
      }
      if (id === undefined) return [];
      pieces.push(id);
      start = end;
    }
    return pieces;
  }
}
