/** Finds the quantities of a tokenized sentence. */

import { wordSet } from "../../lib/word-set.js";
import { isNumbered } from "../labels.js";
import { foreignNumber } from "../number-words.js";
import type { Language } from "../polarity.js";
import { type Token, tokenize } from "../tokens.js";
import { boundOf } from "./bounds.js";
import { clockAt } from "./clock-times.js";
import { dateAt, MONTHS } from "./dates.js";
import { fractionAt } from "./fractions.js";
import { isReference, listMarkerEnd } from "./item-numbers.js";
import { isNumberWord, type Numeral, numeralAt } from "./numerals.js";
import { type Quantity, quantityOf } from "./quantity.js";
import { ratioAt } from "./ratios.js";
import { type UnitMatch, unitAt, unitOfHeader } from "./unit-at.js";
import { type Dimension, NO_UNIT, type Unit, unitNamed } from "./units.js";

export { listMarkerEnd };

/**
 * All quantities in order; `language` decides what a point in `12.500` is. The number of a heading, of an item of a list
 * or of a figure is none.
 */
export function findQuantities(
  text: string,
  tokens: readonly Token[],
  language: Language = "en",
): Quantity[] {
  const found: Quantity[] = [];
  for (let at = listMarkerEnd(tokens); at < tokens.length; ) {
    const quantity = mayBegin(tokens[at]!)
      ? (dateAt(text, tokens, at) ??
        ratioAt(text, tokens, at) ??
        clockAt(text, tokens, at) ??
        fractionAt(text, tokens, at) ??
        amountAt(text, tokens, at, language))
      : undefined;
    if (quantity !== undefined && !isReference(tokens, at)) found.push(quantity);
    at = quantity === undefined ? at + 1 : quantity.lastToken + 1;
  }
  return found;
}

/** All quantities of a text. */
export function quantitiesIn(text: string, language: Language = "en"): Quantity[] {
  return findQuantities(text, tokenize(text), language);
}

function mayBegin(token: Token): boolean {
  return (
    token.kind === "number" ||
    token.kind === "symbol" ||
    BEGINNERS.has(token.lower) ||
    isAnyNumberWord(token.lower)
  );
}

const BEGINNERS: ReadonlySet<string> = new Set([
  ..."minus menos moins мінус a an half quarter noon midnight midday once twice thrice eur usd gbp".split(
    " ",
  ),
  ...MONTHS.keys(),
]);

const CURRENCY_SIGNS = /^(?:[€$£¥]|eur|usd|gbp)$/;

function amountAt(
  text: string,
  tokens: readonly Token[],
  at: number,
  language: Language,
): Quantity | undefined {
  const sign = CURRENCY_SIGNS.test(tokens[at]!.lower) ? unitAt(tokens, at) : undefined;
  const begin = sign === undefined ? at : at + 1;
  if (tokens[begin]?.text === "±") return undefined;
  const negative = sign === undefined && (isMinus(tokens, begin) || saysMinus(tokens, begin));
  const first = numberAt(tokens, begin + (negative ? 1 : 0), language);
  if (first === undefined) return sign === undefined ? repetitionAt(text, tokens, at) : undefined;
  const firstUnit = sign ?? unitAt(tokens, first.next);
  const whole = sign === undefined ? compound(tokens, first, firstUnit, language) : undefined;
  if (whole !== undefined) return build(text, tokens, { at, next: whole.unit.next, ...whole, negative });
  const range = rangeBehind(tokens, first, firstUnit, sign !== undefined, language);
  const unit = range?.unit ?? firstUnit ?? unitOfHeader(text, tokens[at]!.start, first.next);
  const end = Math.max(range?.next ?? 0, sign === undefined ? (firstUnit?.next ?? first.next) : first.next);
  if (range === undefined && !negative && isBelowZero(tokens, end, unit?.unit))
    return build(text, tokens, { at, next: end + 2, first, unit, negative: true });
  return build(text, tokens, {
    at,
    next: end,
    first,
    last: range?.last,
    spread: range?.spread,
    unit,
    negative,
  });
}

/** "1 hour and 30 minutes", "2h 15m", "5 ft 10 in": one amount, in the smallest of its units. */
function compound(
  tokens: readonly Token[],
  first: Numeral,
  unit: UnitMatch | undefined,
  language: Language,
): { readonly first: Numeral; readonly unit: UnitMatch } | undefined {
  if (unit === undefined || !COMPOUND.has(unit.unit.dimension) || !Number.isInteger(first.value))
    return undefined;
  const isJoined = tokens[unit.next]?.lower === "and" || tokens[unit.next]?.text === ",";
  const second = numberAt(tokens, unit.next + (isJoined ? 1 : 0), language);
  const smaller = second === undefined ? undefined : smallerUnit(tokens, second.next, unit.unit);
  if (second === undefined || smaller === undefined) return undefined;
  const ratio = unit.unit.factor / smaller.unit.factor;
  if (second.value >= ratio || Math.abs(ratio - Math.round(ratio)) > 1e-9) return undefined;
  const whole = { ...second, value: first.value * ratio + second.value };
  return compound(tokens, whole, smaller, language) ?? { first: whole, unit: smaller };
}

/** Dimensions of which an amount is said in several units at once. */
const COMPOUND: ReadonlySet<Dimension> = new Set<Dimension>(["time", "length", "mass"]);

/** The unit behind a second number, where it is a smaller one; "m" behind hours are minutes. */
function smallerUnit(tokens: readonly Token[], at: number, larger: Unit): UnitMatch | undefined {
  const isMinutes = larger.dimension === "time" && tokens[at]?.text === "m";
  const found = isMinutes ? { unit: unitNamed("min")!, next: at + 1 } : unitAt(tokens, at);
  const isSmaller = found?.unit.dimension === larger.dimension && found.unit.factor < larger.factor;
  return isSmaller ? found : undefined;
}

/** A number of the language or of English, or in the words of another where a unit stands behind: "anderthalb Stunden". */
function numberAt(tokens: readonly Token[], at: number, language: Language): Numeral | undefined {
  const token = tokens[at];
  const own = numeralAt(tokens, at, token?.kind === "number" ? language : "en");
  if (own !== undefined || token === undefined) return own;
  const foreign = foreignNumber(token.lower).map((each) => [each, numeralAt(tokens, at, each)] as const);
  return foreign.find(
    ([each, one]) =>
      one !== undefined && ((each === language && one.value > 1) || unitAt(tokens, one.next) !== undefined),
  )?.[1];
}

/** Whether a word belongs to a number in one of the languages. */
export function isAnyNumberWord(lower: string): boolean {
  return isNumberWord(lower) || foreignNumber(lower).length > 0;
}

const MINUS: ReadonlySet<string> = new Set(["minus", "menos", "moins", "мінус"]);

/** "minus 18"; not "plus or minus", "plus ou moins". */
function saysMinus(tokens: readonly Token[], at: number): boolean {
  return (
    MINUS.has(tokens[at]?.lower ?? "") && !/^(?:or|o|ou|oder|lub|або)$/.test(tokens[at - 1]?.lower ?? "")
  );
}

const BELOW = wordSet("below under unter bajo sous poniżej нижче");
const ZERO = wordSet("0 zero null cero zéro zera нуля");

/** "Five degrees below zero", "fünf unter null". */
function isBelowZero(tokens: readonly Token[], at: number, { dimension }: Unit = NO_UNIT): boolean {
  const [below, zero] = [tokens[at]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  return BELOW.has(below) && ZERO.has(zero) && ["temperature", "angle", "count"].includes(dimension);
}

/** A minus sign is glued to its number, and nothing that it could join stands before it. */
function isMinus(tokens: readonly Token[], at: number): boolean {
  const [sign, number, before] = [tokens[at], tokens[at + 1], tokens[at - 1]];
  if (
    sign === undefined ||
    !/^[-−–]$/.test(sign.text) ||
    sign.kind !== "symbol" ||
    number?.start !== sign.end
  )
    return false;
  return before === undefined || before.end < sign.start;
}

const REPETITIONS: Readonly<Record<string, number>> = { once: 1, twice: 2, thrice: 3 };

function repetitionAt(text: string, tokens: readonly Token[], at: number): Quantity | undefined {
  const value = REPETITIONS[tokens[at]!.lower];
  if (value === undefined) return undefined;
  const numeral: Numeral = { value, place: 0, form: "words", next: at + 1 };
  const unit: UnitMatch = { unit: unitNamed("times")!, next: at + 1 };
  const quantity = build(text, tokens, { at, next: at + 1, first: numeral, unit, negative: false });
  const follower = tokens[at + 1];
  const counts = follower === undefined || follower.kind === "stop" || COUNTED_BY.test(follower.lower);
  return value === 1 && (!counts || tokens[at - 1]?.lower === "at")
    ? { ...quantity, use: "idiom" }
    : quantity;
}

/** Behind "once", where it counts: "once a year", "once more". */
const COUNTED_BY = /^(?:an?|per|every|each|daily|only|to|with|for|in)$/;

interface RangeEnd {
  readonly last?: Numeral;
  readonly spread?: number;
  readonly unit: UnitMatch | undefined;
  readonly next: number;
}

/** `–15 minutes`, ` to 15 minutes`, `and 15` behind "between 10", `± 0.2 bar`. */
function rangeBehind(
  tokens: readonly Token[],
  first: Numeral,
  firstUnit: UnitMatch | undefined,
  signed: boolean,
  language: Language,
): RangeEnd | undefined {
  const at = signed ? first.next : (firstUnit?.next ?? first.next);
  const joiner = tokens[at];
  if (joiner === undefined || first.form === "ordinal") return undefined;
  const sign = toleranceSign(tokens, at);
  const joins =
    sign > 0 ||
    /^[-–—]$/.test(joiner.text) ||
    TO.has(joiner.lower) ||
    (AND.has(joiner.lower) && isBetween(tokens, first));
  if (!joins) return undefined;
  const glued = tokens[at + 1]?.lower;
  const skip = sign > 0 ? sign : glued !== undefined && CURRENCY_SIGNS.test(glued) ? 2 : 1;
  const minus = isMinus(tokens, at + skip) ? 1 : 0;
  const last = numberAt(tokens, at + skip + minus, language);
  if (last === undefined || last.form === "ordinal") return undefined;
  const unit = unitAt(tokens, last.next);
  const next = unit?.next ?? last.next;
  if (sign > 0) return { spread: last.value, unit: unit ?? firstUnit, next };
  if (firstUnit !== undefined && unit !== undefined && unit.unit.dimension !== firstUnit.unit.dimension)
    return undefined;
  // "from 9 to 5 people" is a range, "divide 20 to 4" hardly occurs; "2 to 1" is a ratio, and compares as well.
  return { last: minus === 1 ? { ...last, value: -last.value } : last, unit: unit ?? firstUnit, next };
}

/** Tokens that say "±", 0 for none: the sign, or ", plus or minus", ", give or take". */
function toleranceSign(tokens: readonly Token[], at: number): number {
  if (tokens[at]!.text === "±") return 1;
  const from = tokens[at]!.text === "," ? at + 1 : at;
  const [first, or, last] = tokens.slice(from, from + 3).map(({ lower }) => lower);
  return or === "or" && TOLERANCE.has(`${first} ${last}`) ? from + 3 - at : 0;
}

const TOLERANCE: ReadonlySet<string> = new Set(["plus minus", "give take"]);

const BETWEEN = wordSet("between zwischen entre między pomiędzy між");
const AND = wordSet("and und et y i a і й та");
const TO = wordSet("to bis à a hasta do до");

function isBetween(tokens: readonly Token[], { next }: Numeral): boolean {
  return tokens.slice(Math.max(0, next - 4), next).some(({ lower }) => BETWEEN.has(lower));
}

interface Parts {
  readonly at: number;
  readonly next: number;
  readonly first: Numeral;
  readonly last?: Numeral | undefined;
  readonly spread?: number | undefined;
  readonly unit: UnitMatch | undefined;
  readonly negative: boolean;
}

function build(text: string, tokens: readonly Token[], parts: Parts): Quantity {
  const { at, next, first, last, spread, negative } = parts;
  const unit = parts.unit?.unit ?? NO_UNIT;
  const base = (value: number) => value * unit.factor + unit.offset;
  const printed = negative ? -first.value : first.value;
  const [value, other] = [base(printed), base(last?.value ?? printed)];
  const around = (spread ?? 0) * unit.factor;
  return quantityOf(text, tokens, at, next, {
    low: Math.min(value, other) - around,
    high: Math.max(value, other) + around,
    ...(spread === undefined ? {} : { middle: value }),
    printed,
    unit,
    bound: boundOf(tokens, at, next),
    place: (last ?? first).place * unit.factor,
    use: useOf(tokens, at, next, first, unit !== NO_UNIT),
  });
}

/** "one of", "one another", "no one": a number in form only. */
function useOf(
  tokens: readonly Token[],
  at: number,
  next: number,
  { form, value }: Numeral,
  hasUnit: boolean,
): Quantity["use"] {
  if (form === "ordinal") return "order";
  if (hasUnit) return "measure";
  if (form === "spelled" || isNumbered(tokens[at - 1]?.lower)) return "label";
  if (form === "words" && value <= 1) {
    const follower = tokens[next];
    if (follower === undefined || follower.kind !== "word") return "idiom";
    if (IDIOM_FOLLOWERS.has(follower.lower) || IDIOM_LEADERS.has(tokens[at - 1]?.lower ?? "")) return "idiom";
  }
  return "count";
}

const IDIOM_FOLLOWERS = wordSet("of another is was that who which or and in has");
const IDIOM_LEADERS = wordSet("no any each every the this that some");
