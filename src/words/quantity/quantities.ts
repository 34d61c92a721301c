/** Finds the quantities of a tokenized sentence. */

import type { Token } from "../tokens.js";
import { boundOf } from "./bounds.js";
import { clockAt } from "./clock-times.js";
import { dateAt } from "./dates.js";
import { fractionAt } from "./fractions.js";
import { isNumberWord, type Numeral, numeralAt } from "./numerals.js";
import type { Quantity } from "./quantity.js";
import { type UnitMatch, unitAt } from "./unit-at.js";

/** All quantities in order. A list number at the beginning ("3." or "Step 3:") is none. */
export function findQuantities(text: string, tokens: readonly Token[]): Quantity[] {
  const found: Quantity[] = [];
  for (let at = listMarkerEnd(tokens); at < tokens.length; ) {
    const quantity = mayBegin(tokens[at]!)
      ? (dateAt(text, tokens, at) ??
        clockAt(text, tokens, at) ??
        fractionAt(text, tokens, at) ??
        amountAt(text, tokens, at))
      : undefined;
    if (quantity === undefined) at += 1;
    else {
      found.push(quantity);
      at = quantity.lastToken + 1;
    }
  }
  return found;
}

/** Index of the first token behind a list number. */
export function listMarkerEnd(tokens: readonly Token[]): number {
  const [first, second, third] = tokens;
  if (
    first?.kind === "number" &&
    second !== undefined &&
    [".", ")"].includes(second.text) &&
    second.start === first.end
  )
    return 2;
  if (
    first?.lower === "step" &&
    second !== undefined &&
    (second.kind === "number" || isNumberWord(second.lower))
  )
    return third !== undefined && [":", ".", ",", "–", "—", "-"].includes(third.text) ? 3 : 2;
  return 0;
}

function mayBegin(token: Token): boolean {
  return (
    token.kind === "number" ||
    token.kind === "symbol" ||
    BEGINNERS.has(token.lower) ||
    isNumberWord(token.lower)
  );
}

const BEGINNERS: ReadonlySet<string> = new Set(
  (
    "minus a an half quarter three noon midnight midday once twice thrice eur usd gbp january february march april may june july " +
    "august september october november december jan feb mar apr jun jul aug sep sept oct nov dec"
  ).split(" "),
);

const CURRENCY_SIGNS = /^(?:[€$£¥]|eur|usd|gbp)$/;

function amountAt(text: string, tokens: readonly Token[], at: number): Quantity | undefined {
  const sign = CURRENCY_SIGNS.test(tokens[at]!.lower) ? unitAt(tokens, at) : undefined;
  const begin = sign === undefined ? at : at + 1;
  if (tokens[begin]?.text === "±") return undefined;
  const negative = sign === undefined && (isMinus(tokens, begin) || tokens[begin]?.lower === "minus");
  const first = numeralAt(tokens, begin + (negative ? 1 : 0));
  if (first === undefined) return sign === undefined ? repetitionAt(text, tokens, at) : undefined;
  const firstUnit = sign ?? unitAt(tokens, first.next);
  const range = rangeBehind(tokens, first, firstUnit, sign !== undefined);
  const unit = range?.unit ?? firstUnit;
  const next = Math.max(range?.next ?? 0, sign === undefined ? (firstUnit?.next ?? first.next) : first.next);
  return build(text, tokens, { at, next, first, last: range?.last, spread: range?.spread, unit, negative });
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
  const numeral: Numeral = { value, halfLastPlace: 0, halfLastDigit: 0, form: "words", next: at + 1 };
  const unit: UnitMatch = {
    unit: { dimension: "times", factor: 1, system: "none", name: "times" },
    next: at + 1,
  };
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
): RangeEnd | undefined {
  const at = signed ? first.next : (firstUnit?.next ?? first.next);
  const joiner = tokens[at];
  if (joiner === undefined || first.form === "ordinal") return undefined;
  const beforeFirst = wordBefore(tokens, first);
  const joins =
    /^[-–—±]$/.test(joiner.text) ||
    joiner.lower === "to" ||
    (joiner.lower === "and" && beforeFirst === "between");
  if (!joins) return undefined;
  const glued = tokens[at + 1]?.lower;
  const skip = glued !== undefined && CURRENCY_SIGNS.test(glued) ? 2 : 1;
  const minus = isMinus(tokens, at + skip) ? 1 : 0;
  const last = numeralAt(tokens, at + skip + minus);
  if (last === undefined || last.form === "ordinal") return undefined;
  const unit = unitAt(tokens, last.next);
  const next = unit?.next ?? last.next;
  if (joiner.text === "±") return { spread: last.value, unit: unit ?? firstUnit, next };
  if (firstUnit !== undefined && unit !== undefined && unit.unit.dimension !== firstUnit.unit.dimension)
    return undefined;
  // "from 9 to 5 people" is a range, "divide 20 to 4" hardly occurs; "2 to 1" is a ratio, and compares as well.
  return { last: minus === 1 ? { ...last, value: -last.value } : last, unit: unit ?? firstUnit, next };
}

function wordBefore(tokens: readonly Token[], numeral: Numeral): string | undefined {
  for (let at = numeral.next - 1; at >= Math.max(0, numeral.next - 4); at--)
    if (tokens[at]!.lower === "between") return "between";
  return undefined;
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
  const unit = parts.unit?.unit;
  const [factor, offset] = [unit?.factor ?? 1, unit?.offset ?? 0];
  const base = (value: number) => value * factor + offset;
  const value = base(negative ? -first.value : first.value);
  const other = last === undefined ? value : base(last.value);
  const around = (spread ?? 0) * factor;
  const { start } = tokens[at]!;
  const { end } = tokens[next - 1]!;
  return {
    dimension: unit?.dimension ?? "count",
    printed: first.value,
    low: Math.min(value, other) - around,
    high: Math.max(value, other) + around,
    ...(spread === undefined ? {} : { middle: value }),
    bound: boundOf(tokens, at, next),
    rounding: (last ?? first).halfLastDigit * factor,
    system: unit?.system ?? "none",
    unit: unit?.currency ?? unit?.name ?? "",
    use: useOf(tokens, at, next, first, unit !== undefined),
    known: "",
    text: text.slice(start, end),
    start,
    end,
    firstToken: at,
    lastToken: next - 1,
  };
}

const LABELLED: ReadonlySet<string> = new Set(
  (
    "channel extension ext door gate room step zone till line number no form table figure chapter section page class " +
    "point bay dock aisle rack shelf pump valve tank machine unit level floor building hall box cabinet breaker button " +
    "lane row post position station group type grade phase stage revision version part item route dial call band"
  ).split(" "),
);

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
  if (form === "spelled" || LABELLED.has(tokens[at - 1]?.lower ?? "")) return "label";
  if (form === "words" && value <= 1) {
    const follower = tokens[next];
    if (follower === undefined || follower.kind !== "word") return "idiom";
    if (IDIOM_FOLLOWERS.has(follower.lower) || IDIOM_LEADERS.has(tokens[at - 1]?.lower ?? "")) return "idiom";
  }
  return "count";
}

const IDIOM_FOLLOWERS: ReadonlySet<string> = new Set(
  "of another is was that who which or and in has".split(" "),
);
const IDIOM_LEADERS: ReadonlySet<string> = new Set("no any each every the this that some".split(" "));
