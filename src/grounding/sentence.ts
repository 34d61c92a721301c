/** A sentence taken apart: words with what is denied of them, quantities, codes, names, and how strongly it binds. */
import { type Clause, clausesOf } from "./clauses.js";
import { lookUp, negatesIn, type WordInfo } from "./lexicon.js";
import { findNames, type Name } from "./names.js";
import { joinPhrases } from "./phrases.js";
import { findQuantities, listMarkerEnd } from "./quantities.js";
import type { Quantity } from "./quantity.js";
import { type Token, tokenize } from "./tokens.js";
import type { Language } from "./words/polarity.js";

/** A word that says something, or that has an opposite. */
export interface Word {
  readonly info: WordInfo;
  readonly term: string;
  readonly token: number;
  readonly clause: number;
  /** Denied by a word of its clause, an odd number of times. */
  readonly negated: boolean;
}

export interface Code {
  /** Letters and digits only, in lower case: `p101` of "P-101". */
  readonly key: string;
  readonly text: string;
  readonly token: number;
}

export interface Sentence {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly infos: readonly WordInfo[];
  readonly words: readonly Word[];
  /** Distinct terms of content words. */
  readonly terms: ReadonlySet<string>;
  readonly quantities: readonly Quantity[];
  readonly codes: readonly Code[];
  readonly names: readonly Name[];
  readonly clauses: readonly Clause[];
  /** Token indices of the words that deny. */
  readonly denials: readonly number[];
}

/** Takes apart what stands in `text` from `from` to `to`; all offsets are in `text`. */
export function parseSentence(
  text: string,
  from = 0,
  to = text.length,
  language: Language | undefined = "en",
): Sentence {
  const tokens = tokenize(text, from, to);
  const infos = joinPhrases(
    tokens,
    tokens.map(({ lower }) => lookUp(lower)),
  );
  const quantities = findQuantities(text, tokens);
  const clauses = clausesOf(tokens, infos);
  const denials = denialsOf(tokens, infos, quantities, language);
  const words = wordsOf(tokens, infos, quantities, clauses, denials);
  return {
    text: text.slice(from, to),
    tokens,
    infos,
    words,
    terms: new Set(words.filter(({ info }) => info.weight === "content").map(({ term }) => term)),
    quantities,
    codes: codesOf(tokens),
    names: findNames(tokens, infos, listMarkerEnd(tokens)),
    clauses,
    denials,
  };
}

function codesOf(tokens: readonly Token[]): Code[] {
  return tokens.flatMap(({ kind, text, lower }, token) =>
    kind === "code" ? [{ key: lower.replace(/[^\p{L}\d]/gu, ""), text, token }] : [],
  );
}

/** Tokens that deny, but for those that belong to an amount ("no more than 10 kg") or to a phrase ("not only"). */
function denialsOf(
  tokens: readonly Token[],
  infos: readonly WordInfo[],
  quantities: readonly Quantity[],
  language: Language | undefined,
): number[] {
  const found: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { lower } = tokens[at]!;
    const denies =
      infos[at]!.negates || (language !== undefined && language !== "en" && negatesIn(lower, language));
    if (!denies || NOT_DENIALS.has(`${lower} ${tokens[at + 1]?.lower}`) || isLabel(tokens, at)) continue;
    if (quantities.some((quantity) => boundsAmount(quantity, tokens, at))) continue;
    found.push(at);
  }
  return found;
}

const NOT_DENIALS: ReadonlySet<string> = new Set([
  "not only",
  "not just",
  "not necessarily",
  "no matter",
  "no later",
  "no sooner",
  "no doubt",
  "none other",
  "without fail",
  "without exception",
  "without delay",
]);

/** "No. 5" */
function isLabel(tokens: readonly Token[], at: number): boolean {
  return tokens[at]!.lower === "no" && tokens[at + 1]?.text === "." && tokens[at + 2]?.kind === "number";
}

const BOUND_WORDS_MAX = 4;

function boundsAmount({ bound, firstToken }: Quantity, tokens: readonly Token[], at: number): boolean {
  if (bound !== "at_most" && bound !== "at_least") return false;
  if (at >= firstToken || firstToken - at > BOUND_WORDS_MAX) return false;
  return /^(?:more|less|longer|fewer|later|greater|higher|lower|larger|smaller|shorter|older|deeper|heavier|further|exceed|over|above|below|under)$/.test(
    tokens[at + 1]!.lower,
  );
}

function wordsOf(
  tokens: readonly Token[],
  infos: readonly WordInfo[],
  quantities: readonly Quantity[],
  clauses: readonly Clause[],
  denials: readonly number[],
): Word[] {
  const inQuantity = new Set<number>();
  for (const { firstToken, lastToken } of quantities)
    for (let at = firstToken; at <= lastToken; at++) inQuantity.add(at);
  const words: Word[] = [];
  let clause = 0;
  for (let token = listMarkerEnd(tokens); token < tokens.length; token++) {
    while (clauses[clause + 1] !== undefined && token >= clauses[clause + 1]!.from) clause += 1;
    const info = infos[token]!;
    if (tokens[token]!.kind !== "word" || inQuantity.has(token)) continue;
    if (info.weight === "function" && info.poles.length === 0) continue;
    const inClause = denials.filter((at) => at < token && at >= clauses[clause]!.from).length;
    const negated = clauses[clause]!.forbids ? info.modality === undefined : inClause % 2 === 1;
    words.push({ info, term: info.term, token, clause, negated });
  }
  return words;
}
