/**
 * Finds what a passage plainly allows of a value of one thing, such as "Keep the cold room below 5 °C". A sentence that says
 * anything besides, of another thing, or on a condition, allows nothing. Judges what is said of it afterwards. Pure.
 */
import type { Reason } from "../domain/answer.js";
import type { Passage } from "../domain/passage.js";
import type { DocumentRule, Reading, RuleBound } from "../domain/reading.js";
import { grouped } from "../lib/grouped.js";
import { wordSet } from "../lib/word-set.js";
import {
  BINDING_WORDS,
  EXCEPTING_WORDS,
  GENERAL_WORDS,
  LIMIT_WORDS,
  LOWER_WORDS,
  UPPER_WORDS,
} from "../words/limits.js";
import { listMarkerEnd } from "../words/quantity/quantities.js";
import { amountOf, conversionError, near, type Quantity } from "../words/quantity/quantity.js";
import { unitIn } from "../words/quantity/unit-at.js";
import type { Unit } from "../words/quantity/units.js";
import type { Judgement } from "./checker.js";
import { type EvidencePart, type EvidenceSentence, prepareEvidence } from "./evidence.js";
import { trusted } from "./injection.js";
import { passageEvidence } from "./passage-evidence.js";
import { isPlainClause, lowerBetween, parseSentence, type Sentence } from "./sentence/sentence.js";

/** What the rule is to be of. */
export interface RuleSubject {
  readonly names: readonly string[];
  readonly kind: string;
  /** What is read of it, in all its names: "temperature". */
  readonly signals: readonly string[];
}

/** Digits of a figure that was converted. */
const CONVERTED_DIGITS = 3;

/** The rule of all passages for this reading; undefined where there is none, or two of equal standing that differ. */
export function ruleFor(
  passages: readonly Passage[],
  subject: RuleSubject,
  { unit = "" }: Pick<Reading, "unit">,
): DocumentRule | undefined {
  const measured = unitIn(unit);
  if (measured === undefined) return undefined;
  const found = passages.flatMap((passage) => rulesIn(passage, subject, measured, unit));
  const byRank = grouped(found, ({ rank }) => rank);
  const best = byRank.get(Math.max(...byRank.keys())) ?? [];
  const figures = new Set(best.map(({ rule }) => `${rule.bound} ${rule.low} ${rule.high}`));
  return figures.size === 1 ? best[0]!.rule : undefined;
}

/** Whether a value in the unit of the rule is within it. */
export function isAllowed({ bound, high, low }: DocumentRule, value: number): boolean {
  switch (bound) {
    case "at_most":
      return value <= high;
    case "less_than":
      return value < high;
    case "at_least":
      return value >= low;
    case "more_than":
      return value > low;
    case "between":
      return value >= low && value <= high;
  }
}

/** What the passage says of a sentence that states this rule; undefined: there is no such passage. */
export function judgeRule(rule: DocumentRule, passage: Passage | undefined): Judgement {
  const there = passage === undefined ? [] : boundsOf(passage).filter(({ quote }) => quote === rule.quote);
  const isThere = there.length > 0;
  const isSo = there.some((one) => isSame(rule, one));
  const reasons: readonly Reason[] = isSo
    ? []
    : [{ code: isThere ? "number_differs" : "quote_not_found", text: "the passage does not allow this" }];
  return {
    role: "claim",
    verdict: isSo ? "supported" : "unsupported",
    evidence: isThere ? [{ type: "passage", source: rule.chunk, value: rule.quote }] : [],
    reasons,
    confidence: isSo ? 1 : 0,
    rule,
  };
}

function isSame({ bound, high, low, unit }: DocumentRule, said: Bounded): boolean {
  const known = unitIn(unit);
  if (known?.dimension !== said.quantity.dimension || bound !== said.bound) return false;
  const { quantity } = said;
  const [from, to] = [amountOf(low, known), amountOf(high, known)];
  return (
    near(from.low, quantity.low, conversionError(from, quantity)) &&
    near(to.low, quantity.high, conversionError(to, quantity))
  );
}

interface FoundRule {
  /** How plainly it names its thing. */
  readonly rank: number;
  readonly rule: DocumentRule;
}

function rulesIn(passage: Passage, subject: RuleSubject, measured: Unit, unit: string): readonly FoundRule[] {
  const { headings, title } = trusted(passage);
  const around = [...headings.toReversed(), title];
  const named = namesOf(subject);
  return boundsOf(passage).flatMap((one): FoundRule[] => {
    const { bound, quantity, quote } = one;
    if (quantity.dimension !== measured.dimension) return [];
    const rank = rankOf(one, around, named, measured.dimension);
    if (rank === undefined) return [];
    const { high, low } = inUnit(quantity, measured);
    return [{ rank, rule: { chunk: passage.chunkId, quote, bound, low, high, unit } }];
  });
}

function inUnit({ high, low, unit }: Quantity, measured: Unit) {
  const digits = unit.name === measured.name ? 12 : CONVERTED_DIGITS;
  const [from, to] = [low, high].map((one) =>
    Number(((one - measured.offset) / measured.factor).toPrecision(digits)),
  );
  return { low: from!, high: to! };
}

interface Bounded {
  readonly sentence: EvidenceSentence;
  /** As it stands in the passage. */
  readonly quote: string;
  readonly quantity: Quantity;
  readonly bound: RuleBound;
  /** The tokens that have to be about nothing else. */
  readonly from: number;
  readonly to: number;
}

function boundsOf(passage: Passage): readonly Bounded[] {
  const [part] = prepareEvidence([passageEvidence(passage)]).parts;
  return part === undefined ? [] : part.sentences.flatMap((sentence) => boundsIn(sentence, part));
}

/** The limits that a sentence sets without a condition. */
function boundsIn(sentence: EvidenceSentence, { language = "en", source }: EvidencePart): readonly Bounded[] {
  const { clauses, excess, quantities, text, tokens } = sentence;
  const quote = source.text.slice(sentence.start, sentence.end);
  if (excess !== undefined || !clauses.every(isPlainClause) || text.trimEnd().endsWith("?")) return [];
  return quantities.flatMap((quantity) => {
    const at = clauses.findIndex(({ from, to }) => quantity.firstToken >= from && quantity.firstToken < to);
    const clause = clauses[at]!;
    // "Cold room: at most 5 °C."
    const isLabelled = at > 0 && tokens[clause.from - 1]?.text === ":";
    const from = Math.max(listMarkerEnd(tokens), isLabelled ? clauses[at - 1]!.from : clause.from);
    const bound = boundOf(sentence, quantity, { from, to: clause.to, forbids: clause.forbids }, language);
    return bound === undefined ? [] : [{ sentence, quote, quantity, bound, from, to: clause.to }];
  });
}

const FLIPPED = { more_than: "at_most", less_than: "at_least" } as const;

/** How the amount is bounded by a clause that binds; undefined where that is not plain. */
function boundOf(
  sentence: Sentence,
  { bound, firstToken, high, low }: Quantity,
  { forbids, from, to }: { readonly from: number; readonly to: number; readonly forbids: boolean },
  language: string,
): RuleBound | undefined {
  const words = lowerBetween(sentence, from, to);
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  if (has(EXCEPTING_WORDS)) return undefined;
  if (bound === "at_most" || bound === "at_least") return bound;
  const denied = forbids || sentence.denials.some(({ at, to: end }) => at < firstToken && firstToken < end);
  const isOrder = /^(?:do|don't|never)$/.test(words[0] ?? "");
  if (denied) {
    const isPlain = language === "en" && (isOrder || has(BINDING_WORDS));
    return isPlain && (bound === "more_than" || bound === "less_than") ? FLIPPED[bound] : undefined;
  }
  if (bound === "exact" && low === high)
    return has(UPPER_WORDS) ? "at_most" : has(LOWER_WORDS) ? "at_least" : undefined;
  // "May fall below" permits, and bounds nothing.
  if (!has(BINDING_WORDS) || bound === "about") return undefined;
  if (bound === "exact") return "between";
  return words.some((word) => MAY.has(word)) ? undefined : bound;
}

const MAY = wordSet("may might can could");

/** The keys of a name, word for word. */
type Keys = readonly string[];

interface SubjectKeys {
  readonly names: readonly Keys[];
  readonly kind: Keys;
  /** The last word of the kind, in the singular. */
  readonly kindWord: string;
  readonly signals: readonly Keys[];
  /** One of the signals, as it is called. */
  readonly own: readonly string[];
}

function namesOf({ kind, names, signals }: RuleSubject): SubjectKeys {
  const keys = (text: string) => keysOf(parseSentence(text));
  const own = signals.map((one) => one.replaceAll("_", " ").toLowerCase());
  const words = kind.replace(/[_-]/g, " ").toLowerCase();
  const kindWord = words.split(" ").at(-1)!;
  return { names: names.map(keys), kind: keys(words), kindWord, signals: own.map(keys), own };
}

/** Numbers by what they count, codes by their letters and digits, words by their terms. */
function keysOf({ codes, infos, quantities }: Sentence): Keys {
  return infos.map(({ term }, at) => {
    const number = quantities.find(({ firstToken, lastToken }) => firstToken === at && lastToken === at);
    if (number?.dimension === "count") return `#${number.printed}`;
    return codes.find((code) => code.token === at)?.key ?? term;
  });
}

/** How plainly a limit is one of the thing: by its name or its kind, in the sentence or in what stands above it. */
function rankOf(
  { from, quantity, sentence, to }: Bounded,
  around: readonly string[],
  named: SubjectKeys,
  dimension: string,
): number | undefined {
  const here = mentionIn(sentence, from, to, named, quantity);
  if (here === undefined) return undefined;
  const above = around.map((text) =>
    mentionIn(parseSentence(text.replace(/^[\d.]+\s+/, "")), 0, Infinity, named),
  );
  // What another thing stands above may be of that.
  const isOwn = above.every((each) => each !== undefined);
  const isMeant = named.own.includes(dimension) || [here, ...above].some((each) => each?.signal === true);
  if (!isMeant) return undefined;
  if (here.thing === "name") return 3;
  if (here.thing === "kind") return here.isGeneral || isOwn ? 1 : undefined;
  if (sentence.clauses.length > 1) return undefined;
  const first = above.find((each) => each === undefined || each.thing !== undefined);
  if (first?.thing === "name") return 2;
  return first?.thing === "kind" && (first.isGeneral || isOwn) ? 0 : undefined;
}

interface Mention {
  readonly thing: "name" | "kind" | undefined;
  /** It is of all things of the kind. */
  readonly isGeneral: boolean;
  readonly signal: boolean;
}

/** What the tokens are about, apart from the amount; undefined where they are about anything else. */
function mentionIn(
  sentence: Sentence,
  from: number,
  to: number,
  { kind, kindWord, names, signals }: SubjectKeys,
  amount?: Quantity,
): Mention | undefined {
  const { infos, tokens } = sentence;
  const keys = keysOf(sentence);
  const left = new Set(keys.map((_, at) => at).filter((at) => at >= from && at < to));
  for (let at = amount?.firstToken ?? 0; at <= (amount?.lastToken ?? -1); at++) left.delete(at);
  const take = (wanted: Keys): number | undefined => {
    const start = [...left].find(
      (at) => wanted.length > 0 && wanted.every((key, i) => keys[at + i] === key && left.has(at + i)),
    );
    if (start !== undefined) for (let i = 0; i < wanted.length; i++) left.delete(start + i);
    return start;
  };
  const longest = names.toSorted((a, b) => b.length - a.length);
  const isNamed = longest.some((name) => take(name) !== undefined);
  const ofKind = isNamed ? undefined : take(kind);
  const signal = signals.some((one) => take(one) !== undefined);
  const isKnown = (at: number) => {
    const { kind: type, lower } = tokens[at]!;
    if (type === "stop" || type === "symbol") return true;
    if (type !== "word" || keys[at]!.startsWith("#")) return false;
    const { weight } = infos[at]!;
    return weight === "function" || LIMIT_WORDS.has(lower) || (amount === undefined && weight === "light");
  };
  if (![...left].every(isKnown)) return undefined;
  if (ofKind === undefined) return { thing: isNamed ? "name" : undefined, isGeneral: false, signal };
  const isPlural = tokens[ofKind + kind.length - 1]!.lower !== kindWord;
  const isGeneral = isPlural || GENERAL_WORDS.has(tokens[ofKind - 1]?.lower ?? "");
  return { thing: "kind", isGeneral, signal };
}
