/**
 * The telling words of a question, and how well a text meets each of them: 1 with a form of the word itself, less with a
 * word that is only about the same thing. Words count by how rare they are in English at large, since the index cannot
 * be asked from here.
 */
import type { Passage } from "../../domain/passage.js";
import { type List, type PassageUnit, passageUnits } from "../../extractive/passage-units.js";
import { analyzeWithOffsets } from "../../lib/english-analyzer.js";
import { once } from "../../lib/once.js";
import { queryTerms } from "../../retrieval/query-terms.js";
import { wordLikeness } from "../../words/meaning/word-likeness.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { DOCUMENTS, documentFrequency } from "./background.js";

/** How well each word of a question is met, 0–1, in the question's order. */
export type Met = readonly number[];

/** Words of a question that are looked for. */
const WORDS_MAX = 32;

/** Words that are less alike than this have nothing to do with one another: most pairs of English words are. */
const LIKENESS_MIN = 0.35;

interface Word {
  readonly term: string;
  /** As written, without capitals. */
  readonly word: string;
}

/** The words of a text that search looks at. */
export function wordsOf(text: string): readonly Word[] {
  return analyzeWithOffsets(text).map(({ end, start, term }) => ({
    term,
    word: text.slice(start, end).toLowerCase(),
  }));
}

export class AskedWords {
  readonly #words: readonly (Word & { readonly rarity: number })[];
  readonly #rarity: number;
  /** By word of a text. */
  readonly #met = new Map<string, Met>();

  constructor(question: string) {
    const text = question.slice(0, SENTENCE_CHARS_MAX);
    const telling = queryTerms(text);
    const byTerm = new Map(wordsOf(text).map((one) => [one.term, one]));
    this.#words = [...byTerm.values()]
      .filter(({ term }) => telling.has(term))
      .slice(0, WORDS_MAX)
      .map((one) => ({ ...one, rarity: rarityOf(one.term) }));
    this.#rarity = this.#words.reduce((sum, { rarity }) => sum + rarity, 0);
  }

  get count(): number {
    return this.#words.length;
  }

  /** By the best of these words for each. */
  metBy(words: readonly Word[]): Met {
    const met = this.#words.map(() => 0);
    for (const word of words) {
      const own = this.#metBy(word);
      for (let i = 0; i < met.length; i++) if (own[i]! > met[i]!) met[i] = own[i]!;
    }
    return met;
  }

  /** The share of the question, by weight, that is met. */
  share(met: Met): number {
    return this.#words.reduce((sum, { rarity }, i) => sum + rarity * met[i]!, 0) / this.#rarity;
  }

  /** The share of the question, by weight, of the word that lacks most. */
  mostMissed(met: Met): number {
    return Math.max(...this.#words.map(({ rarity }, i) => (rarity * (1 - met[i]!)) / this.#rarity));
  }

  /** The share of these words that the question does not have. */
  missedIn(words: readonly Word[]): number {
    const terms = new Set(this.#words.map(({ term }) => term));
    return words.length === 0 ? 0 : words.filter(({ term }) => !terms.has(term)).length / words.length;
  }

  #metBy(word: Word): Met {
    const known = this.#met.get(word.word);
    if (known !== undefined) return known;
    const met = this.#words.map((asked) =>
      asked.term === word.term
        ? 1
        : Math.max(0, (wordLikeness(asked.word, word.word) - LIKENESS_MIN) / (1 - LIKENESS_MIN)),
    );
    this.#met.set(word.word, met);
    return met;
  }
}

/** A unit of a passage as the question looks at it. */
export interface UnitMet {
  readonly unit: PassageUnit;
  readonly index: number;
  /** By the unit itself, and with the title, the headings and the lead-in above it. */
  readonly own: Met;
  readonly held: Met;
}

/** How well each unit of a passage meets the question; headings are none. */
export function* unitsMet(passage: Passage, asked: AskedWords): Generator<UnitMet> {
  const around = asked.metBy(wordsOf([passage.title, ...passage.headings].join(" . ")));
  const leads = new Map<List | undefined, Met>();
  for (const [index, unit] of passageUnits(passage).entries()) {
    if (unit.role === "heading") continue;
    const lead = leads.get(unit.list) ?? asked.metBy(wordsOf(unit.list?.lead ?? ""));
    leads.set(unit.list, lead);
    const own = asked.metBy(unitWords(unit));
    yield { unit, index, own, held: better(own, better(around, lead), AROUND_FACTOR) };
  }
}

/** What stands around a unit counts so much of what stands in it. */
const AROUND_FACTOR = 0.9;

// A passage is looked at for the search again, and for the answer.
const unitWords = once(({ text }: PassageUnit) => wordsOf(text));

/** For each word of the question the better of two; `factor`: what the other one counts. */
export function better(one: Met, other: Met, factor = 1): Met {
  return one.map((value, i) => Math.max(value, factor * other[i]!));
}

/** How rare a term is: Lucene's idf, over a sample of English text. */
function rarityOf(term: string): number {
  const having = documentFrequency(term);
  return Math.log(1 + (DOCUMENTS - having + 0.5) / (having + 0.5));
}
