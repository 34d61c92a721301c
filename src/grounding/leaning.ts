/** Whether a question leans on what was said before it, or says itself what it is about. Pure. */

import { readQuestion } from "../extractive/question.js";
import { common } from "../extractive/terms.js";
import { analyzeWithOffsets } from "../lib/english-analyzer.js";
import { POINTS_BACK } from "../words/pointing.js";
import { byLanguage, type Language, STOP_WORDS } from "../words/polarity.js";
import { QUESTION_WORDS } from "../words/questions.js";
import { languageOfQuestion } from "./language.js";

export type Leaning = "stands alone" | "may lean" | "leans";

/** What the words of a question tell of whether it needs the question before it. */
export function leaningOf(question: string): Leaning {
  const language = languageOfQuestion(question) ?? "en";
  const subjects = subjectsOf(question, language);
  if (subjects === 0) return "leans";
  if (POINTS_BACK[language].test(question)) return subjects < SUBJECTS_MIN ? "leans" : "may lean";
  return subjects < SUBJECTS_MIN ? "may lean" : "stands alone";
}

/** Different words that say what a question is about, from which on it can stand alone. */
const SUBJECTS_MIN = 2;

function subjectsOf(question: string, language: Language): number {
  const { topics } = readQuestion(question);
  const frequent = FREQUENT[language];
  const own = analyzeWithOffsets(question).filter(
    ({ start, end }) => !frequent.has(question.slice(start, end).toLowerCase()),
  );
  return new Set(own.map(({ term }) => common(term)).filter((term) => topics.has(term))).size;
}

/** Words of which any question consists. */
const FREQUENT = byLanguage((language) => new Set([...STOP_WORDS[language], ...QUESTION_WORDS[language]]));
