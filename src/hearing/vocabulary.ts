/**
 * The words of documents as somebody who listens needs them: which are rare in language and frequent here, which names
 * of things carry a number, and whether a word stands in any document at all. Pure.
 */

import type { SourceRef } from "../domain/source-ref.js";
import { DOCUMENTS, documentFrequency } from "../grounding/answerability/background.js";
import { isInjection } from "../grounding/injection.js";
import { analyze } from "../lib/english-analyzer.js";
import type { Steps } from "../lib/steps.js";
import { holdsChallengeWord } from "../locale/challenge.js";
import { FUNCTION_WORDS, LIGHT_WORDS } from "../words/function-words.js";
import { unitAt } from "../words/quantity/unit-at.js";
import { type Token, tokenize, WORD_CHARS_MAX } from "../words/tokens.js";

/** A word or a name of several words, and where it is from: a document, or a thing of a site. */
export interface KnownWord {
  readonly text: string;
  readonly source: SourceRef;
}

/** What a recogniser may be told: words and names, or single words that stand in no title, or nothing. */
export type Told = "titles_and_terms" | "terms" | "none";

export interface Vocabulary {
  /** Words and names that are rare in language and frequent in the documents, the most telling first. */
  readonly names: readonly KnownWord[];
  /** The same, without what stands in titles and without names of several words. */
  readonly terms: readonly KnownWord[];
  /** By the term of a name's last word: the numbers and letters that the documents put behind it, and how it is written. */
  readonly numbered: ReadonlyMap<string, readonly KnownWord[]>;
  /** Whether any document has a form of this word. */
  has(word: string): boolean;
}

/** Words of all names together that are ranked: a recogniser's prompt holds about as many. */
export const NAME_WORDS_MAX = 90;
/** Different terms that are counted. */
const TERMS_MAX = 20_000;
/** Different pairs of words that are counted. */
const PAIRS_MAX = 40_000;
/** Numbers behind one name that are kept. */
const NUMBERS_MAX = 64;
/** What stands in the documents less often is not frequent. */
const COUNT_MIN = 2;
/** Shorter words are heard well enough, but for codes. */
const CHARS_MIN = 4;
/** Of a word's places, the share that a pair needs to be its name. */
const PAIR_SHARE_MIN = 0.5;

/** Where a text stands. */
export type Place = "title" | "text";

interface Counted {
  count: number;
  inTitle: boolean;
  readonly documents: Set<string>;
  readonly forms: Map<string, number>;
}

/** Reads texts one by one, and says what it has counted. */
export class VocabularyReader {
  readonly #terms = new Map<string, Counted>();
  readonly #pairs = new Map<string, Counted>();
  readonly #numbered = new Map<string, Map<string, KnownWord>>();
  readonly #termOf = new Map<string, string | undefined>();

  /** Takes linear time. */
  read(text: string, documentId: string, place: Place): void {
    const tokens = tokenize(text);
    for (const [at, token] of tokens.entries()) {
      const term = this.#term(token);
      if (term === undefined) continue;
      const seen = { documentId, place };
      count(this.#terms, term, token.text, seen, TERMS_MAX);
      const next = tokens[at + 1];
      if (next === undefined || !isBeside(text, token, next)) continue;
      const following = this.#term(next);
      if (following !== undefined && token.kind === "word" && next.kind === "word")
        count(this.#pairs, `${term} ${following}`, `${token.text} ${next.text}`, seen, PAIRS_MAX);
      if (token.kind === "word" && isNumbering(tokens, at + 1)) this.#number(term, token, next, documentId);
    }
  }

  /** What was read. */
  vocabulary(): Vocabulary {
    const ranked = this.#ranked();
    const numbered = new Map([...this.#numbered].map(([term, numbers]) => [term, [...numbers.values()]]));
    const terms = new Set(this.#terms.keys());
    return {
      names: withinWords(ranked.map(({ counted, term }) => this.#name(term, counted))),
      terms: withinWords(
        ranked.filter(({ counted }) => !counted.inTitle).map(({ counted }) => wordOf(counted)),
      ),
      numbered,
      has: (word) => analyze(word).every((term) => terms.has(term)),
    };
  }

  /** Frequent here and rare in language: the logarithm of the count, times that of the rarity. */
  #ranked(): { readonly term: string; readonly counted: Counted }[] {
    return [...this.#terms]
      .filter(([, { count, inTitle }]) => count >= COUNT_MIN || inTitle)
      .map(([term, counted]) => ({ term, counted, weight: Math.log(1 + counted.count) * rarity(term) ** 2 }))
      .filter(({ counted, weight }) => weight > 0 && isTelling(formOf(counted)))
      .sort((one, other) => other.weight - one.weight);
  }

  /** The word, or the name of two words that it is most often part of. */
  #name(term: string, counted: Counted): KnownWord {
    const least = Math.max(COUNT_MIN, counted.count * PAIR_SHARE_MIN);
    const pair = this.#pairsOf(term).find((one) => one.count >= least);
    return wordOf(pair ?? counted);
  }

  #byTerm: ReadonlyMap<string, readonly Counted[]> | undefined;

  /** Pairs with this term, the most frequent first. */
  #pairsOf(term: string): readonly Counted[] {
    this.#byTerm ??= groupedByTerm(this.#pairs);
    return this.#byTerm.get(term) ?? [];
  }

  #term({ kind, lower, text }: Token): string | undefined {
    if (kind === "stop" || kind === "symbol" || text.length > WORD_CHARS_MAX) return undefined;
    if (FUNCTION_WORDS.has(lower) || LIGHT_WORDS.has(lower)) return undefined;
    if (!this.#termOf.has(lower)) {
      if (this.#termOf.size >= TERMS_MAX) return undefined;
      this.#termOf.set(lower, analyze(lower)[0]);
    }
    return this.#termOf.get(lower);
  }

  #number(term: string, name: Token, number: Token, documentId: string): void {
    const numbers = this.#numbered.get(term) ?? new Map<string, KnownWord>();
    if (numbers.size < NUMBERS_MAX && !numbers.has(number.text))
      numbers.set(number.text, { text: `${name.text} ${number.text}`, source: documentSource(documentId) });
    this.#numbered.set(term, numbers);
  }
}

function count(
  counts: Map<string, Counted>,
  key: string,
  form: string,
  { documentId, place }: { readonly documentId: string; readonly place: Place },
  countMax: number,
): void {
  let counted = counts.get(key);
  if (counted === undefined) {
    if (counts.size >= countMax) return;
    counted = { count: 0, inTitle: false, documents: new Set(), forms: new Map() };
    counts.set(key, counted);
  }
  counted.count++;
  counted.inTitle ||= place === "title";
  counted.documents.add(documentId);
  counted.forms.set(form, (counted.forms.get(form) ?? 0) + 1);
}

function groupedByTerm(pairs: ReadonlyMap<string, Counted>): ReadonlyMap<string, readonly Counted[]> {
  const grouped = new Map<string, Counted[]>();
  for (const [key, pair] of [...pairs].sort(([, one], [, other]) => other.count - one.count)) {
    if (pair.count < COUNT_MIN) break;
    for (const term of key.split(" ")) grouped.set(term, [...(grouped.get(term) ?? []), pair]);
  }
  return grouped;
}

/** Of the names that a recogniser is told, the share that things of a site take at the most. */
const THINGS_SHARE_MAX = 0.5;

/** In steps: names of things that a recogniser needs to be told, those with the rarest words first, no codes such as P1. */
export function* tellingNames(names: readonly KnownWord[]): Steps<readonly KnownWord[]> {
  const ranked: { readonly name: KnownWord; readonly rarity: number }[] = [];
  for (const [at, name] of names.entries()) {
    if (at % NAMES_A_STEP === 0) yield;
    if (LETTERS.test(name.text) && !isInjection(name.text))
      ranked.push({ name, rarity: meanRarity(name.text) });
  }
  ranked.sort((one, other) => other.rarity - one.rarity);
  return withinWords(
    ranked.map(({ name }) => name),
    NAME_WORDS_MAX * THINGS_SHARE_MAX,
  );
}

/** Names of things that are looked at in one step: less than a millisecond's work. */
const NAMES_A_STEP = 16;

const LETTERS = /\p{L}{4}/u;

function meanRarity(name: string): number {
  const terms = analyze(name).filter((term) => !/^\p{N}+$/u.test(term));
  return terms.reduce((sum, term) => sum + rarity(term), 0) / Math.max(1, terms.length);
}

/** The vocabulary with names of things beside those of the documents, which they go before. */
export function withThings(vocabulary: Vocabulary, things: readonly KnownWord[]): Vocabulary {
  if (things.length === 0) return vocabulary;
  const terms = new Set(things.flatMap(({ text }) => analyze(text)));
  return {
    ...vocabulary,
    names: withinWords([...things, ...vocabulary.names]),
    has: (word) => vocabulary.has(word) || analyze(word).every((term) => terms.has(term)),
  };
}

/** Natural logarithm of how much rarer than a word of every passage it is. */
function rarity(term: string): number {
  return Math.log(DOCUMENTS / documentFrequency(term));
}

/** As it is written most often. */
function formOf({ forms }: Counted): string {
  return [...forms].reduce((best, form) => (form[1] > best[1] ? form : best))[0];
}

function wordOf(counted: Counted): KnownWord {
  return { text: formOf(counted), source: documentSource([...counted.documents][0]!) };
}

function documentSource(id: string): SourceRef {
  return { type: "document", id };
}

function isTelling(word: string): boolean {
  if (/^[\p{N}.,:]+$/u.test(word)) return false;
  return word.length >= CHARS_MIN || /\p{N}|^\p{Lu}{2,}$/u.test(word);
}

/** Each once, whatever its case, as long as there is room. None holds a word that somebody has to say to consent. */
function withinWords(ranked: readonly KnownWord[], wordsMax = NAME_WORDS_MAX): readonly KnownWord[] {
  const chosen = new Map<string, KnownWord>();
  let words = 0;
  for (const one of ranked) {
    const key = one.text.toLowerCase();
    if (chosen.has(key) || holdsChallengeWord(key)) continue;
    words += one.text.split(" ").length;
    if (words > wordsMax) break;
    chosen.set(key, one);
  }
  return [...chosen.values()];
}

function isBeside(text: string, one: Token, next: Token): boolean {
  return /^[ -]?$/.test(text.slice(one.end, next.start));
}

/** Digits of a number that is a name: more are an amount, a year or a telephone number. */
const NUMBER = /^\d{1,3}$/;

/** Whether the token numbers what stands before it, rather than counting what stands behind it. */
function isNumbering(tokens: readonly Token[], at: number): boolean {
  const { kind, text } = tokens[at]!;
  if (kind === "code") return true;
  if (kind === "word") return /^\p{Lu}$/u.test(text) && text !== "I";
  return kind === "number" && NUMBER.test(text) && unitAt(tokens, at + 1) === undefined;
}
