/**
 * How much text is looked at. A sentence is the unit of all checks: since each one is bounded, so is each step of the
 * work, and the whole grows with the number of sentences. What is over a bound is not checked, and so not supported.
 */

/** UTF-16 units of a sentence; a longer one of an answer or of a source is not checked. */
export const SENTENCE_CHARS_MAX = 2_000;

/** Words, numbers and marks of a sentence. */
export const SENTENCE_TOKENS_MAX = 320;

/** Amounts, times and dates of a sentence. */
export const SENTENCE_AMOUNTS_MAX = 48;

/** Pairs of words, names or places that one check compares with their surroundings, in all of a window. */
export const PAIRS_MAX = 2_000;

/** UTF-16 units of all texts together that sentences are held against; what is beyond is no evidence. */
export const EVIDENCE_CHARS_MAX = 200_000;

/** Sentences of one text, or of one answer, that are checked. */
export const CHECKED_SENTENCES_MAX = 400;

/** Values, lists and objects of all readings together, and UTF-16 units of one value or key of them. */
export const READING_VALUES_MAX = 5_000;
export const READING_CHARS_MAX = 2_000;

/** UTF-16 units of a clause that is held against readings. */
export const CLAUSE_CHARS_MAX = 600;

/** UTF-16 units of one answer that are checked. */
export const ANSWER_CHARS_MAX = 40_000;

/** Computing time for all checks of one answer or one request, in milliseconds. */
export const CHECK_MS_MAX = 3_000;
