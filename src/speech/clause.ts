/**
 * The first clause of a text that is still being written: a piece that can be pronounced by itself, so that a voice
 * need not wait for the end of the sentence.
 */
import { pattern } from "../lib/pattern.js";
import { findSentenceEnd } from "../lib/sentence-end.js";

/** A shorter piece is not worth a request of its own, and is over before the rest of its sentence has a voice. */
export const CLAUSE_CHARS_MIN = 20;

/** A longer piece is a sentence's, which is cut elsewhere. */
export const CLAUSE_CHARS_MAX = 400;

/** Before a conjunction a voice makes no pause, so a cut there is heard more: only after a longer piece. */
export const CLAUSE_BEFORE_CONJUNCTION_CHARS_MIN = 40;

/**
 * Length of the first piece of `text` that ends a clause or a sentence, with the white space behind it; undefined as
 * long as there is none. What was found once is found again however much follows. A clause ends after a comma, a
 * semicolon, a colon or a dash, or before an English conjunction, but not within a number, a list of numbers, an
 * abbreviation, brackets or quotation marks.
 */
export function firstClauseEnd(text: string): number | undefined {
  const sentence = findSentenceEnd(text, 0, false);
  const sentenceEnd = sentence.type === "end" ? sentence.index : undefined;
  return clauseEnd(text.slice(0, sentenceEnd)) ?? sentenceEnd;
}

/** The end of the first clause of `text` before its own end. */
export function clauseEnd(text: string): number | undefined {
  const start = text.length - text.trimStart().length;
  for (const match of text.slice(0, start + CLAUSE_CHARS_MAX).matchAll(BOUNDARY)) {
    const end = match.index + match[0].length;
    const follower = text.slice(end);
    const { conjunction } = match.groups!;
    const charsMin = conjunction === undefined ? CLAUSE_CHARS_MIN : CLAUSE_BEFORE_CONJUNCTION_CHARS_MIN;
    const clause = text.slice(start, match.index);
    if (clause.length >= charsMin && isWhole(clause) && !isInside(clause, follower)) return end;
  }
  return undefined;
}

/**
 * Length of `text` if all of it is a first clause, whatever follows: what comes behind "4," may belong to the number, but
 * a mark behind a word ends a clause before the next word is there. Undefined otherwise.
 */
export function clauseSoFar(text: string): number | undefined {
  const clause = text.trimEnd();
  const isOver = /\p{L}[,;]$/u.test(clause) && clauseEnd(`${clause} x`) === clause.length + 1;
  return isOver ? text.length : undefined;
}

/** Marks with the white space behind them, or the white space before a conjunction. */
const BOUNDARY = pattern("gu")`
  [,;:](?:\s+)(?=\S)|[，；：、](?=\S)|(?<!\s)\s+[–—-]\s+(?=\S)|—(?=\S)
  |(?<conjunction>(?<!\s)\s+)(?=(?:after|although|because|before|if|unless|until|when
  |where|while)\s)
`;

/** Between numbers, and behind an abbreviation, a mark does not end a clause. */
function isInside(clause: string, follower: string): boolean {
  return clause.endsWith(".") || (/\d$/.test(clause) && /^\d/.test(follower));
}

/** Whether all that is opened is closed. */
function isWhole(clause: string): boolean {
  const count = (pattern: RegExp) => clause.match(pattern)?.length ?? 0;
  return (
    count(/[([{]/g) === count(/[)\]}]/g) &&
    count(/[“«„]/g) <= count(/[”»]/g) &&
    count(/"/g) % 2 === 0 &&
    count(/\*\*/g) % 2 === 0 &&
    count(/`/g) % 2 === 0
  );
}
