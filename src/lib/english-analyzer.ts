/**
 * English text to search terms, the way Lucene's EnglishAnalyzer does it: words by the rules of Unicode (UAX #29,
 * in outline), possessive 's removed, lower case, stop words dropped, Porter stems. Search, highlights and the
 * offline answerer compare text through these terms, so all of them mean the same thing by "the same word".
 */
import { stemmer } from "stemmer";

/** A term and where its word stands in the text, in UTF-16 units: `text.slice(start, end)` is the word as written. */
export interface OffsetTerm {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** The terms of `text` in order, repeats included. */
export function analyze(text: string): string[] {
  return analyzeWithOffsets(text).map(({ term }) => term);
}

/** As `analyze`, with the place of each term. */
export function analyzeWithOffsets(text: string): OffsetTerm[] {
  const terms: OffsetTerm[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    const term = termOf(word);
    if (term !== undefined) terms.push({ term, start: match.index, end: match.index + word.length });
  }
  return terms;
}

/** Longer words are cut to this many UTF-16 units before they are stemmed, as in Lucene's tokenizer. */
export const WORD_LENGTH_MAX = 255;

/** The stop words of Lucene's EnglishAnalyzer. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be but by for if in into is it no not of on or such " +
    "that the their then there these they this to was will with"
  ).split(" "),
);

/**
 * Runs of letters and digits. Inside a run, an apostrophe or a full stop may stand between letters (`don't`, `U.S`),
 * a comma or a full stop between digits (`1,000.5`), an underscore between either. Scripts without spaces have one
 * word per character.
 */
const WORD = new RegExp(
  [
    "[\\p{sc=Han}\\p{sc=Hiragana}]\\p{M}*",
    "(?:" +
      [
        "(?![\\p{sc=Han}\\p{sc=Hiragana}])[\\p{L}\\p{N}]\\p{M}*",
        "['’＇.](?<=\\p{L}\\p{M}*.)(?=\\p{L})",
        "[.,](?<=\\p{N}.)(?=\\p{N})",
        "(?<=[\\p{L}\\p{N}])_+(?=[\\p{L}\\p{N}])",
      ].join("|") +
      ")+",
  ].join("|"),
  "gu",
);

const POSSESSIVE = /['’＇]s$/;

/** The term that a word stands for; `undefined` for a stop word. */
function termOf(word: string): string | undefined {
  const lower = word.slice(0, WORD_LENGTH_MAX).normalize("NFKC").toLowerCase().replace(POSSESSIVE, "");
  return STOP_WORDS.has(lower) ? undefined : stemmer(lower);
}
