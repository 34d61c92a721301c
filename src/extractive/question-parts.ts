/** Two questions in one turn, taken apart: "How long do I cool a burn, and where is the first aid box?". Pure. */

import { BEGINS_QUESTION, BETWEEN } from "../words/question-forms.js";

/**
 * The questions of a turn in order; the whole, where it is one. Taken apart is only what asks again in its own words:
 * "who signs, and when" stays one question.
 */
export function questionParts(question: string): readonly string[] {
  const parts = question
    .trim()
    .replace(/\s+/g, " ")
    .split(BETWEEN)
    .map((part) => part.trim());
  const areQuestions = parts.every(
    (part) => BEGINS_QUESTION.test(part) && part.split(" ").length >= PART_WORDS_MIN,
  );
  return areQuestions && parts.length <= PARTS_MAX ? parts : [question];
}

/** More in one breath are not told apart. */
const PARTS_MAX = 3;

/** Fewer words lean on the part before: "and what with?". */
const PART_WORDS_MIN = 3;
