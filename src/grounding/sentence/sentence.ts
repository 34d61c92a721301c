/** A sentence taken apart: words with what is denied of them, quantities, codes, and how strongly it binds. */

import { grouped } from "../../lib/grouped.js";
import { lately } from "../../lib/lately.js";
import { once } from "../../lib/once.js";
import type { Language } from "../../words/polarity.js";
import { findQuantities, listMarkerEnd } from "../../words/quantity/quantities.js";
import { compareAmounts, type Quantity } from "../../words/quantity/quantity.js";
import { type Token, tokenize, WORD_CHARS_MAX } from "../../words/tokens.js";
import { SENTENCE_AMOUNTS_MAX, SENTENCE_CHARS_MAX, SENTENCE_TOKENS_MAX } from "../limits.js";
import { type Clause, clausesOf } from "./clauses.js";
import { type Denial, denialsOf, type SentenceParts } from "./denials.js";
import { lookUp, type WordInfo } from "./lexicon.js";
import { joinPhrases } from "./phrases.js";

/** A word that says something, or that has an opposite. */
export interface SentenceWord {
  readonly info: WordInfo;
  readonly term: string;
  readonly token: number;
  readonly clause: number;
  /** Denied by a word of its clause. */
  readonly negated: boolean;
}

export interface Code {
  /** Letters and digits only, in lower case: `p101` of "P-101". */
  readonly key: string;
  readonly text: string;
  readonly token: number;
}

export interface Sentence extends SentenceParts {
  readonly text: string;
  /** There is more of it than can be checked: what is known of it is known of its beginning only. Absent: all is known. */
  readonly excess?: string;
  readonly words: readonly SentenceWord[];
  /** Distinct terms of content words. */
  readonly terms: ReadonlySet<string>;
  readonly codes: readonly Code[];
  readonly denials: readonly Denial[];
  /** Of each token, how many commas and conjunctions stand before it. */
  readonly breaks: Uint8Array;
}

/** Takes apart what stands in `text` from `from` to `to`, as far as the bounds reach; all offsets are in `text`. */
export function parseSentence(text: string, from = 0, to = text.length, language: Language = "en"): Sentence {
  const end = Math.min(to, from + SENTENCE_CHARS_MAX);
  const all = tokenize(text, from, end);
  const tokens = all.slice(0, SENTENCE_TOKENS_MAX);
  const infos = joinPhrases(tokens);
  const amounts = findQuantities(text, tokens, language);
  const quantities = amounts.slice(0, SENTENCE_AMOUNTS_MAX);
  const excess = excessOf(to - from, all, amounts);
  const clauses = clausesOf(tokens, infos);
  const parts = { tokens, infos, quantities, clauses };
  const denials = denialsOf(parts, language);
  const words = wordsOf(parts, denials);
  return {
    ...parts,
    text: text.slice(from, end),
    ...(excess === undefined ? {} : { excess }),
    words,
    terms: new Set(words.filter(({ info }) => info.weight === "content").map(({ term }) => term)),
    codes: codesOf(tokens),
    denials,
    breaks: breaksOf(tokens),
  };
}

/** Which bound the sentence is over, in words for a person. */
function excessOf(chars: number, tokens: readonly Token[], amounts: readonly Quantity[]): string | undefined {
  if (chars > SENTENCE_CHARS_MAX) return `more than ${SENTENCE_CHARS_MAX} characters`;
  if (tokens.length > SENTENCE_TOKENS_MAX) return `more than ${SENTENCE_TOKENS_MAX} words and numbers`;
  if (amounts.length > SENTENCE_AMOUNTS_MAX) return `more than ${SENTENCE_AMOUNTS_MAX} amounts`;
  return tokens.some(({ kind, text }) => kind === "number" && text.length > WORD_CHARS_MAX)
    ? `a number of more than ${WORD_CHARS_MAX} digits`
    : undefined;
}

const byClause = once(({ words }: Sentence) => grouped(words, ({ clause }) => clause));

/** The words of one clause, in order. */
export function wordsIn(sentence: Sentence, clause: number): readonly SentenceWord[] {
  return byClause(sentence).get(clause) ?? [];
}

/** Those of them that must come from somewhere. */
export function contentIn(sentence: Sentence, clause: number): readonly SentenceWord[] {
  return wordsIn(sentence, clause).filter(({ info }) => info.weight === "content");
}

/** Whether a sentence of the evidence gives an amount that is said. */
export function hasAmount({ quantities }: Sentence, said: Quantity): boolean {
  return quantities.some((known) => compareAmounts(said, known) === "same");
}

/** Whether a claim says an amount that the evidence gives. */
export function saysAmount({ quantities }: Sentence, known: Quantity): boolean {
  return quantities.some((said) => compareAmounts(said, known) === "same");
}

/** The share of its content words that another sentence has as well, 0–1. */
export function shareIn({ terms }: Sentence, other: Sentence): number {
  const shared = [...terms].filter((term) => other.terms.has(term));
  return terms.size === 0 ? 0 : shared.length / terms.size;
}

/** The words from one token to another, in lower case. */
export function lowerBetween({ tokens }: Sentence, from: number, to: number): readonly string[] {
  return tokens.slice(from, to).map(({ lower }) => lower);
}

/** Whether a clause is no condition, exception or time. */
export function isPlainClause({ kind }: Clause): boolean {
  return kind === "main" || kind === "other";
}

/** The content words between two tokens. */
export function contentBetween({ words }: Sentence, from: number, to: number): readonly SentenceWord[] {
  return words.filter(({ token, info }) => token >= from && token < to && info.weight === "content");
}

function tokensOf(quantities: readonly Quantity[]): Set<number> {
  const taken = new Set<number>();
  // "First" is the opposite of "last" as well as a number.
  for (const { firstToken, lastToken } of quantities.filter(({ use }) => use !== "order"))
    for (let at = firstToken; at <= lastToken; at++) taken.add(at);
  return taken;
}

function codesOf(tokens: readonly Token[]): Code[] {
  return tokens.flatMap(({ kind, text, lower }, token) =>
    kind === "code" ? [{ key: lower.replace(/[^\p{L}\d]/gu, ""), text, token }] : [],
  );
}

function wordsOf(parts: SentenceParts, denials: readonly Denial[]): SentenceWord[] {
  const { clauses, infos, quantities, tokens } = parts;
  const taken = tokensOf(quantities);
  const words: SentenceWord[] = [];
  let clause = 0;
  for (let token = listMarkerEnd(tokens); token < tokens.length; token++) {
    while (clauses[clause + 1] !== undefined && token >= clauses[clause + 1]!.from) clause += 1;
    const info = infos[token]!;
    // "Once a month" is "monthly", and "once" is an amount as well.
    const isAmount = taken.has(token) && info === lookUp(tokens[token]!.lower);
    if (tokens[token]!.kind !== "word" || isAmount) continue;
    if (info.weight === "function" && info.poles.length === 0) continue;
    const negated = isNegated(token, info, clauses[clause]!, denials);
    words.push({ info, term: info.term, token, clause, negated });
  }
  return words;
}

/** "Without" inside what is denied affirms: nobody enters without a permit. */
function isNegated(token: number, info: WordInfo, { forbids }: Clause, denials: readonly Denial[]): boolean {
  let [denied, without] = [false, false];
  for (const { at, to, narrow } of denials) {
    if (token <= at || token >= to) continue;
    if (narrow) without = true;
    else denied = true;
  }
  return (forbids ? info.modality === undefined || denied : denied) !== without;
}

function breaksOf(tokens: readonly Token[]): Uint8Array {
  const breaks = new Uint8Array(tokens.length);
  let count = 0;
  for (let at = 0; at < tokens.length; at++) {
    const { kind, lower } = tokens[at]!;
    if (kind === "stop" || lower === "and" || lower === "or" || lower === "but") count += 1;
    breaks[at] = Math.min(count, 255);
  }
  return breaks;
}

/** Texts that are looked at sentence after sentence, the question and what was said before, are taken apart once. */
const PARSED_MAX = 64;

const parsed = lately((text) => parseSentence(text), { textsMax: PARSED_MAX, charsMax: SENTENCE_CHARS_MAX });

/** `parseSentence` of an English text, as far as the bounds of a sentence reach. */
export function parsedText(whole: string): Sentence {
  return parsed(whole.slice(0, SENTENCE_CHARS_MAX));
}
