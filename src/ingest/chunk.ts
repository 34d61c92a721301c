/**
 * Sections to chunks, the passages that search finds. A chunk stays within one section and holds whole blocks up to
 * the target; prose longer than that is cut between sentences, and the sentence before the cut is said again behind
 * it. A step, a bullet or a table row is never cut, and the steps of a procedure stay together as long as they are
 * no more than twice the target: half a procedure is a dangerous answer.
 */
import { splitSentences } from "../lib/sentence-end.js";
import type { Block, Section } from "./blocks.js";

export interface Chunk {
  readonly headings: readonly string[];
  readonly text: string;
}

export function chunkSections(sections: readonly Section[], wordsTarget: number): Chunk[] {
  return sections.flatMap(({ headings, blocks }) =>
    packBlocks(blocks, wordsTarget).map((text) => ({ headings, text })),
  );
}

/**
 * The size of a text in words. Scripts and files without spaces count by length, at a rate that normal words stay
 * below.
 */
export function countWords(text: string): number {
  return Math.max(text.match(/\S+/g)?.length ?? 0, Math.ceil(text.length / CHARS_PER_WORD_MAX));
}

const CHARS_PER_WORD_MAX = 12;

/** How many times the target a chunk with the steps of a procedure may reach. */
const PROCEDURE_TARGETS_MAX = 2;

/** A sentence beyond this many times the target is no sentence, and is cut between words. */
const SENTENCE_TARGETS_MAX = 2;

function packBlocks(blocks: readonly Block[], wordsTarget: number): string[] {
  const packer = new Packer(wordsTarget);
  blocks.forEach((block, index) => {
    const previous = blocks[index - 1]?.type;
    const separator = block.type !== "prose" && previous !== "prose" ? "\n" : "\n\n";
    if (block.type === "step") {
      if (previous !== "step")
        packer.makeRoom(procedureWords(blocks, index), wordsTarget * PROCEDURE_TARGETS_MAX);
      packer.add(separator, block.text, wordsTarget * PROCEDURE_TARGETS_MAX);
    } else if (block.type === "item" || countWords(block.text) <= wordsTarget) {
      packer.add(separator, block.text, wordsTarget);
    } else {
      packer.addSentences(separator, splitLongSentences(block.text, wordsTarget));
    }
  });
  return packer.end();
}

/** Words of the steps in a row from `start` on. */
function procedureWords(blocks: readonly Block[], start: number): number {
  let words = 0;
  for (let i = start; blocks[i]?.type === "step"; i++) words += countWords(blocks[i]!.text);
  return words;
}

class Packer {
  readonly #chunks: string[] = [];
  #text = "";
  #words = 0;

  constructor(private readonly wordsTarget: number) {}

  /** Adds a piece that stays whole, starting a new chunk when this one would grow beyond `wordsMax`. */
  add(separator: string, piece: string, wordsMax: number): void {
    const words = countWords(piece);
    this.makeRoom(words, wordsMax);
    this.#text += this.#text === "" ? piece : separator + piece;
    this.#words += words;
  }

  /** Starts a new chunk when so many words do not fit into this one. */
  makeRoom(words: number, wordsMax: number): void {
    if (this.#text !== "" && this.#words + words > wordsMax) this.#close();
  }

  addSentences(separator: string, sentences: readonly string[]): void {
    sentences.forEach((sentence, index) => {
      const chunksBefore = this.#chunks.length;
      const previous = sentences[index - 1];
      this.add(index === 0 ? separator : "", sentence, this.wordsTarget);
      const wasCut = previous !== undefined && this.#chunks.length > chunksBefore;
      if (wasCut && countWords(previous) + this.#words <= this.wordsTarget) {
        this.#text = previous + this.#text;
        this.#words += countWords(previous);
      }
    });
  }

  end(): string[] {
    this.#close();
    return this.#chunks;
  }

  #close(): void {
    const text = this.#text.trim();
    if (text !== "") this.#chunks.push(text);
    this.#text = "";
    this.#words = 0;
  }
}

/** Sentences with the white space behind them; endless ones in pieces. */
function splitLongSentences(text: string, wordsTarget: number): string[] {
  return splitSentences(text).flatMap((sentence) =>
    countWords(sentence) <= wordsTarget * SENTENCE_TARGETS_MAX
      ? [sentence]
      : splitWords(sentence, wordsTarget),
  );
}

function splitWords(sentence: string, wordsTarget: number): string[] {
  const charsMax = wordsTarget * CHARS_PER_WORD_MAX;
  const pieces: string[] = [];
  let piece = "";
  let words = 0;
  for (const word of sentence.match(new RegExp(`\\S{1,${charsMax}}\\s*`, "gu")) ?? []) {
    if (words >= wordsTarget || piece.length + word.length > charsMax) {
      pieces.push(piece);
      piece = "";
      words = 0;
    }
    piece += word;
    words += 1;
  }
  return piece === "" ? pieces : [...pieces, piece];
}
