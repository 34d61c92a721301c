/** The known simple rules, as the peer of the grounding benchmark: sets of numbers, counts of "not", a list of antonyms. */
import { analyze } from "../../src/lib/english-analyzer.js";
import { splitSentences } from "../../src/lib/sentence-end.js";
import { ANTONYM_PAIRS } from "./grounding-edits.js";

export interface SimpleRules {
  /** A number of the sentence is not in the passage. */
  numbers(sentence: string, passage: string): boolean;
  /** The sentence and the most similar one of the passage have an even and an odd number of denials. */
  negation(sentence: string, passage: string): boolean;
  /** The most similar sentence of the passage has the antonym of a word, and not the word. */
  antonyms(sentence: string, passage: string): boolean;
}

export const SIMPLE_RULES: SimpleRules = {
  numbers: (sentence, passage) => {
    const known = new Set(numbersOf(passage));
    return numbersOf(sentence).some((number) => !known.has(number));
  },
  negation: (sentence, passage) => denials(sentence) % 2 !== denials(mostSimilar(sentence, passage)) % 2,
  antonyms: (sentence, passage) => {
    const [ours, theirs] = [wordsOf(sentence), wordsOf(mostSimilar(sentence, passage))];
    return ANTONYM_PAIRS.some(([a, b]) => isSwapped(a, b, ours, theirs) || isSwapped(b, a, ours, theirs));
  },
};

function isSwapped(
  word: string,
  antonym: string,
  ours: ReadonlySet<string>,
  theirs: ReadonlySet<string>,
): boolean {
  return ours.has(word) && !theirs.has(word) && theirs.has(antonym);
}

function numbersOf(text: string): string[] {
  return (text.match(/\d+(?:[.,]\d+)*/g) ?? []).map((number) => number.replaceAll(",", ""));
}

function denials(text: string): number {
  return text.match(/\b(?:not|never|no|none|nor|neither|cannot|without)\b|n't\b/gi)?.length ?? 0;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}+/gu) ?? []);
}

function mostSimilar(sentence: string, passage: string): string {
  const terms = new Set(analyze(sentence));
  let [best, most] = ["", -1];
  for (const candidate of splitSentences(passage)) {
    const shared = new Set(analyze(candidate).filter((term) => terms.has(term))).size;
    if (shared > most) [best, most] = [candidate, shared];
  }
  return best;
}
