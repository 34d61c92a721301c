/** The words of a sentence that deny, and how far each of them reaches. */

import { pattern } from "../../lib/pattern.js";
import { wordSet } from "../../lib/word-set.js";
import type { Language } from "../../words/polarity.js";
import type { Quantity } from "../../words/quantity/quantity.js";
import type { Token } from "../../words/tokens.js";
import type { Clause } from "./clauses.js";
import { negatesIn, type WordInfo } from "./lexicon.js";

/** What is known of a sentence before its denials are. */
export interface SentenceParts {
  readonly tokens: readonly Token[];
  readonly infos: readonly WordInfo[];
  readonly quantities: readonly Quantity[];
  readonly clauses: readonly Clause[];
}

export interface Denial {
  /** Token of the word that denies. */
  readonly at: number;
  /** The first token that it does not reach. */
  readonly to: number;
  /** Denies a thing, not what is done: "without". */
  readonly narrow: boolean;
}

/** Words that deny, but for those that belong to an amount ("no more than 10 kg") or to a phrase ("not only"). */
export function denialsOf(parts: SentenceParts, language: Language): Denial[] {
  const { clauses, infos, quantities, tokens } = parts;
  const found: Denial[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { lower } = tokens[at]!;
    const isForeign = language !== "en" && negatesIn(lower, language);
    const denies = infos[at]!.negates || isInstead(tokens, at) || isForeign;
    if (isFreeOf(tokens, at)) found.push({ at: at - 1, to: at + 1, narrow: true });
    if (!denies || isPhrase(tokens, at) || quantities.some((one) => boundsAmount(one, tokens, at))) continue;
    if (isCell(tokens, at)) {
      const before = tokens.findLastIndex(({ text }, i) => i < at && text === ";");
      found.push({ at: before, to: at - 1, narrow: true });
      continue;
    }
    const clause = clauses.findLastIndex(({ from }) => from <= at);
    const narrow = NARROW.has(lower) || isInstead(tokens, at);
    const to = narrow ? phraseEnd(parts, at, clauses[clause]!.to) : listEnd(parts, clause);
    found.push({ at, to, narrow });
  }
  return found;
}

/** "Gluten: no;" denies what the cell is named after. */
function isCell(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1]?.text, tokens[at + 1]?.text ?? "."];
  return before === ":" && /^[;.]$/.test(after) && tokens[at + 2]?.kind !== "number";
}

/** "instead of cash", "rather than cash" */
function isInstead(tokens: readonly Token[], at: number): boolean {
  return /^(?:instead of|rather than)$/.test(`${tokens[at]!.lower} ${tokens[at + 1]?.lower}`);
}

/** "lead-free" has no lead. */
function isFreeOf(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return tokens[at]!.kind === "word" && next?.lower === "free" && next.start === tokens[at]!.end + 1;
}

/** Words of an item at the most, where a list goes on behind a comma. */
const ITEM_WORDS_MAX = 4;

/** Where a clause ends, or the list that its last words begin: "never use a match, lighter or open flame". */
function listEnd({ clauses, infos, tokens }: SentenceParts, clause: number): number {
  for (let at = clause + 1; at < clauses.length; at++) {
    const { from, kind, to } = clauses[at]!;
    if (tokens[from - 1]!.text !== "," || kind !== "main" || infos[from]!.action) break;
    const joins = tokens.slice(from, to).findIndex(({ lower }) => lower === "or" || lower === "nor");
    if ((joins < 0 ? to - from : joins) > ITEM_WORDS_MAX || (joins === 0 && at === clause + 1)) break;
    if (joins >= 0) return to;
  }
  return clauses[clause]!.to;
}

const NOT_DENIALS: ReadonlySet<string> = new Set(
  (
    "not only|not just|not merely|no matter|no later|no sooner|no doubt|none other|nobody but|nobody except|none but" +
    "|nothing but|without fail|without exception|without delay|not before|not until|not earlier|hardly any"
  ).split("|"),
);

function isPhrase(tokens: readonly Token[], at: number): boolean {
  const [word, next] = [tokens[at]!.lower, tokens[at + 1]];
  if (word === "no" && next?.text === ".") return tokens[at + 2]?.kind === "number";
  // "No, …" answers the question; what follows says it.
  if (word === "no" && at === 0 && next?.kind === "stop") return true;
  // "no one but", "no person other than": those behind it may.
  const third = tokens[at + 2]?.lower ?? "";
  const isExcepted =
    third === "other" ? tokens[at + 3]?.lower === "than" : /^(?:but|except|save)$/.test(third);
  if (word === "no" && isExcepted) return true;
  // "into a rafter, not just through the sheathing"
  if (next?.lower === "just" && tokens[at - 1]?.text === ",") return false;
  return NOT_DENIALS.has(`${word} ${next?.lower}`);
}

/** Words that deny a thing, not what is done. */
const NARROW: ReadonlySet<string> = new Set(["without", "sin", "sans", "ohne", "bez", "без"]);
const PHRASE_WORDS_MAX = 3;

function phraseEnd({ infos, tokens }: SentenceParts, at: number, clauseEnd: number): number {
  let words = 0;
  for (let to = at + 1; to < clauseEnd; to++) {
    if (words > 0 && (PRONOUNS.has(tokens[to]!.lower) || infos[to]!.modality !== undefined)) return to;
    if (infos[to]!.weight !== "function") words += 1;
    if (words === PHRASE_WORDS_MAX) return to + 1;
  }
  return clauseEnd;
}

const PRONOUNS = wordSet("i you he she it we they is are was were");

const BOUND_WORDS_MAX = 4;

function boundsAmount({ bound, firstToken }: Quantity, tokens: readonly Token[], at: number): boolean {
  if (bound !== "at_most" && bound !== "at_least") return false;
  if (at >= firstToken || firstToken - at > BOUND_WORDS_MAX) return false;
  return BOUND_WORDS.test(tokens[at + 1]!.lower);
}

const BOUND_WORDS = pattern()`
  ^(?:more|less|longer|fewer|later|greater|higher|lower|larger|smaller|shorter|older
  |deeper|heavier|further|exceed|over|above|below|under)$
`;
