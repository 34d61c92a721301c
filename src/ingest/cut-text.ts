/** Where text may be cut so that each piece fits a budget: prose between sentences, source text between lines. */
import { splitSentences } from "../lib/sentence-end.js";
import { countTokens } from "../lib/tokens.js";

/**
 * The size of a text in tokens. Scripts and files without spaces count by length, at a rate that normal words stay
 * below.
 */
export function countChunkTokens(text: string): number {
  return Math.max(countTokens(text), Math.ceil(text.length / CHARS_PER_TOKEN_MAX));
}

export const CHARS_PER_TOKEN_MAX = 12;

/** A sentence beyond this many times the target is no sentence, and is cut between words. */
const SENTENCE_TARGETS_MAX = 2;

/** Sentences with the white space behind them; endless ones in pieces. Joined, they are the text. */
export function cutSentences(text: string, tokensTarget: number): string[] {
  return splitSentences(text).flatMap((sentence) =>
    countChunkTokens(sentence) <= tokensTarget * SENTENCE_TARGETS_MAX
      ? [sentence]
      : cutWords(sentence, tokensTarget),
  );
}

/** Pieces of at most `tokensMax`, cut at white space; a word that is longer by itself is cut inside. */
function cutWords(text: string, tokensMax: number): string[] {
  const charsMax = tokensMax * CHARS_PER_TOKEN_MAX;
  const words = text.match(/\s+(?:\S+\s*)?|\S+\s*/gu) ?? [];
  const pieces: string[] = [];
  let piece = "";
  let tokens = 0;
  for (const part of words.flatMap((word) =>
    countChunkTokens(word) <= tokensMax ? [word] : runs(word, charsMax),
  )) {
    const partTokens = countTokens(part);
    if (piece !== "" && (tokens + partTokens > tokensMax || piece.length + part.length > charsMax)) {
      pieces.push(piece);
      piece = "";
      tokens = 0;
    }
    piece += part;
    tokens += partTokens;
  }
  return piece === "" ? pieces : [...pieces, piece];
}

/** A word's letters and its punctuation in turn, none longer than `charsMax`: each counts for one token at the most. */
function runs(word: string, charsMax: number): string[] {
  // In code points, of which each has one or two units.
  const length = Math.max(1, Math.floor(charsMax / 2));
  return word.match(new RegExp(`[^\\p{P}]{1,${length}}|\\p{P}{1,${length}}`, "gu")) ?? [];
}

/** How good a place between two lines is for a cut, best first. */
const CUTS = { betweenParagraphs: 2, atOutermostIndent: 1, betweenLines: 0 } as const;

/**
 * Source text in pieces of whole lines: not cut when it has up to `tokensMax`; else pieces of at least half of that are
 * cut off, at the best place up to `tokensMax`. A line that is longer by itself is cut like an endless sentence. Joined
 * with line feeds, the pieces are the text, but for blank lines at cuts.
 */
export function cutLines(text: string, tokensMax: number): string[] {
  if (countChunkTokens(text) <= tokensMax) return [text];
  const lines = text
    .split("\n")
    .flatMap((line) => (countChunkTokens(line) <= tokensMax ? [line] : cutWords(line, tokensMax)));
  const sizes = lines.map((line) => Math.max(countTokens(line), (line.length + 1) / CHARS_PER_TOKEN_MAX));
  const cuts = cutQualities(lines);
  const pieces: string[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = endOfPiece(sizes, cuts, start, tokensMax);
    const piece = lines
      .slice(start, end)
      .join("\n")
      .replace(/^(?:[^\S\n]*\n)+/, "")
      .trimEnd();
    if (piece !== "") pieces.push(piece);
    start = end;
  }
  return pieces;
}

/** For each line, how good a cut before it is. */
function cutQualities(lines: readonly string[]): number[] {
  const indents = lines.map((line) => (line.trim() === "" ? Number.POSITIVE_INFINITY : line.search(/\S/)));
  const outermost = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines.map((line, index) => {
    // What only closes belongs to what it closes.
    if (/^\s*[\])}]/.test(line)) return CUTS.betweenLines;
    if (lines[index - 1]?.trim() === "") return CUTS.betweenParagraphs;
    return indents[index] === outermost ? CUTS.atOutermostIndent : CUTS.betweenLines;
  });
}

/** The index after the last line of the piece that begins at `start`; at least one line, at most `tokensMax`. */
function endOfPiece(
  sizes: readonly number[],
  cuts: readonly number[],
  start: number,
  tokensMax: number,
): number {
  let tokens = sizes[start]!;
  let best: number | undefined;
  let end = start + 1;
  for (; end < sizes.length && tokens + sizes[end]! <= tokensMax; end++) {
    if (tokens >= tokensMax / 2 && (best === undefined || cuts[end]! >= cuts[best]!)) best = end;
    tokens += sizes[end]!;
  }
  if (end === sizes.length) return end;
  return best !== undefined && cuts[best]! > cuts[end]! ? best : end;
}
