/** Whether a question leans on what was said before it, or says itself what it is about. Pure. */

import { readQuestion } from "../extractive/question.js";
import { common } from "../extractive/terms.js";
import { analyzeWithOffsets } from "../lib/english-analyzer.js";
import { languageOfQuestion } from "./language.js";
import { type Language, STOP_WORDS } from "./words/polarity.js";
import { QUESTION_WORDS } from "./words/questions.js";

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

/**
 * Words that stand for something said before, and words with which people go on. Some of them have another use ("the
 * one at door 3"), which makes a second search and no more.
 */
const POINTING: Readonly<Record<Language, { readonly words: string; readonly leads: string }>> = {
  en: {
    words:
      "it|its|that|this|they|them|their|those|these|there|then|afterwards|he|she|him|her|one|ones|same|else|next|instead",
    leads: "and|but|so|or|also|then|(?:what|how) about",
  },
  de: {
    words:
      "es|er|ihn|ihm|ihnen|ihre?[nmrs]?|diese[nmrs]?|jene[nmrs]?|dort|da(?:bei|durch|für|mit|nach|ran|rauf|rin|rüber|von|vor|zu)|das(?=\\s*(?:[?.!]|$))",
    leads: "und|aber|oder|also|dann|was ist mit|wie ist es mit",
  },
  es: {
    words: "es[eoa]s?|est[eoa]s?|aquell?[oa]s?|ello|él|ellas?|ellos|allí|ahí|después|mism[oa]s?|otr[oa]s?",
    leads: "y|pero|o|entonces|qué tal|que tal",
  },
  fr: {
    words: "ça|cela|ceci|ce(?:lui|lle)|ce(?:ux|lles)|lui|leurs?|eux|ils?|elles?|là|y|ensuite|mêmes?|autres?",
    leads: "et|mais|ou|alors|qu'en est-il",
  },
  pl: {
    words:
      "to|on|ona|ono|oni|one|go|jego|jej|ich|im|nim|nią|nich|niej|tym|tego|temu|tych|tam|potem|sam[aoey]",
    leads: "a|i|ale|albo|lub|co z|a co",
  },
  uk: {
    words:
      "це|він|вона|воно|вони|його|її|їх|їм|ним|нею|них|цим|цього|цьому|цих|там|потім|сам[аеі]|інш(?:ий|а|е|і)",
    leads: "а|і|й|але|або|то|що з",
  },
};

/** `\b` knows the letters of English alone. */
const POINTS_BACK = byLanguage((language) => {
  const { leads, words } = POINTING[language];
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])|^\\P{L}*(?:${leads})(?!\\p{L})`, "iu");
});

function byLanguage<T>(of: (language: Language) => T): Readonly<Record<Language, T>> {
  return { en: of("en"), de: of("de"), es: of("es"), fr: of("fr"), pl: of("pl"), uk: of("uk") };
}
