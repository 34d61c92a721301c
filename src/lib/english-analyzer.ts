/**
 * English text to search terms, the way Lucene's EnglishAnalyzer does it: words by the rules of Unicode (UAX #29,
 * in outline), possessive 's removed, lower case, stop words dropped, Porter stems. Search, highlights and the
 * offline answerer compare text through these terms, so all of them mean the same thing by "the same word".
 */
import { stemmer } from "stemmer";
import { wordSet } from "./word-set.js";

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
  eachWord(text, (start, end) => {
    const term = termOf(text.slice(start, end));
    if (term !== undefined) terms.push({ term, start, end });
  });
  return terms;
}

/** How many words there are, stop words included; in scripts without blanks each character is one. */
export function countWords(text: string): number {
  let count = 0;
  eachWord(text, () => {
    count += 1;
  });
  return count;
}

/** Those of `analyzeWithOffsets` whose terms are wanted, in a third of the time: most words need no stemming. */
export function findTerms(text: string, wanted: ReadonlySet<string>): OffsetTerm[] {
  // A term begins as its word does. What is not ASCII may change its form, and is looked at in any case.
  const initials = new Uint8Array(ASCII_SIZE);
  for (const term of wanted) if (term.charCodeAt(0) < ASCII_SIZE) initials[term.charCodeAt(0)] = 1;
  const found: OffsetTerm[] = [];
  eachWord(text, (start, end) => {
    const [first, second] = [text.charCodeAt(start), end - start > 1 ? text.charCodeAt(start + 1) : 0];
    if (first < ASCII_SIZE && second < ASCII_SIZE && initials[lowerCase(first)] === 0) return;
    const term = termOf(text.slice(start, end));
    if (term !== undefined && wanted.has(term)) found.push({ term, start, end });
  });
  return found;
}

/** Longer words are cut to this many UTF-16 units before they are stemmed, as in Lucene's tokenizer. */
export const WORD_LENGTH_MAX = 255;

/** The stop words of Lucene's EnglishAnalyzer. */
const STOP_WORDS = wordSet(
  "a an and are as at be but by for if in into is it no not of on or such " +
    "that the their then there these they this to was will with",
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

/** Calls `visit` with the place of each match of `WORD`. What is ASCII only is found by hand, ten times as fast. */
function eachWord(text: string, visit: (start: number, end: number) => void): void {
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code < ASCII_SIZE && CHARACTERS[code] === OTHER) {
      at += 1;
      continue;
    }
    const end = code < ASCII_SIZE ? asciiWordEnd(text, at) : undefined;
    if (end !== undefined) {
      visit(at, end);
      at = end;
      continue;
    }
    WORD.lastIndex = at;
    const match = WORD.exec(text);
    if (match === null) return;
    at = match.index + match[0].length;
    visit(match.index, at);
  }
}

const ASCII_SIZE = 128;
const [OTHER, LETTER, DIGIT] = [0, 1, 2];
const CHARACTERS: Uint8Array = Uint8Array.from({ length: ASCII_SIZE }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z]/i.test(character) ? LETTER : /[0-9]/.test(character) ? DIGIT : OTHER;
});

function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** Where the word that begins at `start` ends, by the rules of `WORD`; `undefined` when another character has a say. */
function asciiWordEnd(text: string, start: number): number | undefined {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code >= ASCII_SIZE) return undefined;
    if (CHARACTERS[code]) continue;
    // After the end of the text, codes are NaN, which is of no kind.
    let next = at + 1;
    if (code === UNDERSCORE) while (text.charCodeAt(next) === UNDERSCORE) next++;
    const after = text.charCodeAt(next);
    if (after >= ASCII_SIZE && JOINERS.includes(code)) return undefined;
    if (!joins(code, CHARACTERS[text.charCodeAt(at - 1)] ?? OTHER, CHARACTERS[after] ?? OTHER)) return at;
    at = next;
  }
}

const [APOSTROPHE, COMMA, FULL_STOP, UNDERSCORE] = [0x27, 0x2c, 0x2e, 0x5f];
const JOINERS: readonly number[] = [APOSTROPHE, COMMA, FULL_STOP, UNDERSCORE];

function joins(code: number, before: number, after: number): boolean {
  if (code === UNDERSCORE) return after !== OTHER;
  if (before !== after || after === OTHER) return false;
  return code === FULL_STOP || code === (after === LETTER ? APOSTROPHE : COMMA);
}

const POSSESSIVE = /['’＇]s$/;

/** Texts use the same words again and again, and stemming is most of the work. */
const knownTerms = new Map<string, string | undefined>();
const KNOWN_TERMS_MAX = 50_000;

/** A longer word, cut out of a text, would keep all of the text in memory (V8 shares the characters from 13 on). */
const KNOWN_WORD_LENGTH_MAX = 12;

/** The term that a word stands for; `undefined` for a stop word. */
function termOf(word: string): string | undefined {
  if (word.length > KNOWN_WORD_LENGTH_MAX) return computeTerm(word);
  const known = knownTerms.get(word);
  if (known !== undefined || knownTerms.has(word)) return known;
  const term = computeTerm(word);
  if (knownTerms.size >= KNOWN_TERMS_MAX) knownTerms.clear();
  knownTerms.set(word, term);
  return term;
}

function computeTerm(word: string): string | undefined {
  const lower = word.slice(0, WORD_LENGTH_MAX).normalize("NFKC").toLowerCase().replace(POSSESSIVE, "");
  return STOP_WORDS.has(lower) ? undefined : stemmer(lower);
}
