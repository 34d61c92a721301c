/**
 * Where a sentence ends, in running text that may still be growing: full stops of several scripts, but not those of
 * abbreviations, decimals, list numbers and addresses; blank lines and list items end a sentence too.
 */
import { wordSet } from "./word-set.js";

/** `more`: the text so far does not decide it yet. */
export type SentenceEnd =
  | { readonly type: "end"; readonly index: number }
  | { readonly type: "none" | "more" };

/**
 * The end of the sentence that starts at `start`: the index after its last character and the white space behind it.
 * `whole` says that nothing follows `text`; then the answer is never `more`.
 */
export function findSentenceEnd(text: string, start: number, whole: boolean): SentenceEnd {
  CANDIDATE.lastIndex = skipSpace(text, start);
  for (let match = CANDIDATE.exec(text); match !== null; match = CANDIDATE.exec(text)) {
    const end = match[0].startsWith("\n") ? lineEnd(text, start, match.index) : stopEnd(text, start, match);
    if (end.type === "end" || (end.type === "more" && !whole)) return end;
    if (match[0].startsWith("\n")) CANDIDATE.lastIndex = skipSpace(text, match.index);
  }
  return whole || text.length === start ? NONE : MORE;
}

/** Every sentence of a finished text, with the white space behind it: joined, they are the text. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = findSentenceEnd(text, start, true);
    const next = end.type === "end" ? end.index : text.length;
    sentences.push(text.slice(start, next));
    start = next;
  }
  return sentences;
}

const NONE: SentenceEnd = { type: "none" };
const MORE: SentenceEnd = { type: "more" };

/** Full stops with what closes behind them (quotes, brackets, emphasis, `[1]`), and line feeds. */
const CANDIDATE = /(?<stop>[.!?…]+|[。．？！।॥؟۔]+)(?:\[\d{1,3}\]|["'”’»)\]*_`」』）])*|\n/gu;

const WIDE_STOP = /^[。．？！]/u;

/** A line feed ends a heading, and what stands before a blank line or a list item; else it is a space like any other. */
function lineEnd(text: string, start: number, index: number): SentenceEnd {
  const next = skipSpace(text, index);
  if (next === text.length) return MORE;
  const isBlankLine = text.slice(index + 1, next).includes("\n");
  if (isBlankLine || HEADING.test(text.slice(start, index))) return { type: "end", index: next };
  LINE_START.lastIndex = next;
  if (LINE_START.test(text)) return { type: "end", index: next };
  return text.length - next < LINE_START_CHARS_MAX ? MORE : NONE;
}

const HEADING = /^\s*#{1,6} /;

/** A heading, a bullet or a number that starts a line. */
const LINE_START = /#{1,6} |[-*+•–] |\d{1,3}[.)] /y;
const LINE_START_CHARS_MAX = 7;

function stopEnd(text: string, start: number, match: RegExpExecArray): SentenceEnd {
  const after = match.index + match[0].length;
  if (after === text.length) return MORE;
  const next = skipSpace(text, after);
  if (WIDE_STOP.test(match[0])) return next === text.length ? MORE : { type: "end", index: next };
  if (next === after) return NONE;
  if (next === text.length) return MORE;
  const follower = String.fromCodePoint(text.codePointAt(next)!);
  if (/\p{Ll}/u.test(follower)) return NONE;
  if (match[0].startsWith(".") && !match[0].startsWith("..") && isInside(text, start, match.index, follower))
    return NONE;
  return { type: "end", index: next };
}

/** Whether the full stop at `stop` belongs to the word before it: an abbreviation or a list number. */
function isInside(text: string, start: number, stop: number, follower: string): boolean {
  const word =
    /(?<![\p{L}\p{N}.])[\p{L}\p{N}.]*$/u.exec(
      text.slice(Math.max(start, stop - WORD_CHARS_MAX), stop),
    )?.[0] ?? "";
  const marks = text.slice(start, stop - word.length);
  const startsSentence = marks.length <= LIST_MARKS_CHARS_MAX && /^[\s>#*_+•–-]*$/u.test(marks);
  if (startsSentence && /^(\d{1,3}|\p{L})$/u.test(word)) return true;
  const lower = word.toLowerCase();
  if (NEVER_LAST.has(lower)) return true;
  if (BEFORE_NUMBERS.has(lower)) return /\p{N}/u.test(follower);
  return /^\p{L}(\.\p{L})+$/u.test(word) && !MAYBE_LAST.has(lower);
}

const WORD_CHARS_MAX = 16;
/** White space and marks before the number of a list item at the most. */
const LIST_MARKS_CHARS_MAX = 64;

/** Abbreviations that always have something behind them. */
const NEVER_LAST = wordSet("e.g eg i.e ie cf vs dr mr mrs ms prof capt sgt st approx ca incl excl resp");
/** Abbreviations when a number follows, words otherwise: "No. 5", but "No. Stop." */
const BEFORE_NUMBERS = wordSet(
  "no nos nr fig figs p pp sec sect art vol ch eq rev ext par para max min qty tel",
);
/** With dots inside, and yet often the last word. */
const MAYBE_LAST = wordSet("a.m p.m");

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && /\s/.test(text[index]!)) index += 1;
  return index;
}
