/** Words that point at something said before, and with which people go on, in six languages. */
import { byLanguage, type Language } from "./polarity.js";

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
      "es|er|ihn|ihm|ihnen|ihre?[nmrs]?|diese[nmrs]?|jene[nmrs]?|dort|da(?:bei|durch|für|mit" +
      "|nach|ran|rauf|rin|rüber|von|vor|zu)|das(?=\\s*(?:[?.!]|$))",
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

/** Whether a question points back. `\\b` knows the letters of English alone. */
export const POINTS_BACK = byLanguage((language) => {
  const { leads, words } = POINTING[language];
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])|^\\P{L}*(?:${leads})(?!\\p{L})`, "iu");
});
