/** "half an hour", "a quarter of an hour", "an hour and a half", "half", "two thirds". */

import type { Token } from "../tokens.js";
import { boundOf } from "./bounds.js";
import { numeralAt } from "./numerals.js";
import { type Quantity, quantityOf } from "./quantity.js";
import { unitAt } from "./unit-at.js";
import { NO_UNIT, type Unit, unitNamed } from "./units.js";

/** The fraction that begins at token `at`: of a unit, or of a whole, which is a ratio in percent. */
export function fractionAt(text: string, tokens: readonly Token[], at: number): Quantity | undefined {
  return unitAndHalf(text, tokens, at) ?? partOf(text, tokens, at);
}

/** "an hour and a half", "a minute": an article before a unit of time is one of it. */
function unitAndHalf(text: string, tokens: readonly Token[], at: number): Quantity | undefined {
  const article = tokens[at]!.lower;
  if (article !== "a" && article !== "an" && article !== "one") return undefined;
  const unit = unitAt(tokens, at + 1);
  if (
    unit?.unit.dimension !== "time" ||
    tokens[at + 1]!.lower.length < 3 ||
    tokens[at + 1]!.lower === "second"
  )
    return undefined;
  const behind = [0, 1, 2].map((i) => tokens[unit.next + i]?.lower).join(" ");
  if (behind === "and a half") return build(text, tokens, at, unit.next + 3, 1.5, unit.unit);
  if (article === "one" || isRate(tokens, at)) return undefined;
  return build(text, tokens, at, unit.next, 1, unit.unit);
}

/** "twice a day", "once an hour": how often, not how long. */
function isRate(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined) return false;
  return !/^(?:for|in|within|after|takes?|least|most|about|than|to|lasts?|is|wait|every|over|under|around)$/.test(
    before.lower,
  );
}

const PARTS: Readonly<Record<string, number>> = {
  half: 1 / 2,
  quarter: 1 / 4,
  quarters: 1 / 4,
  third: 1 / 3,
  thirds: 1 / 3,
  fifth: 1 / 5,
  fifths: 1 / 5,
  eighth: 1 / 8,
  eighths: 1 / 8,
  sixteenth: 1 / 16,
  sixteenths: 1 / 16,
};

function partOf(text: string, tokens: readonly Token[], at: number): Quantity | undefined {
  const { lower } = tokens[at]!;
  const isArticle = lower === "a" || lower === "an";
  const count = isArticle ? undefined : lower === "half" ? undefined : numeralAt(tokens, at);
  const partAt = lower === "half" ? at : (count?.next ?? at + 1);
  const part = PARTS[tokens[partAt]?.lower ?? ""];
  if (part === undefined || (count !== undefined && count.form === "ordinal")) return undefined;
  if (!isArticle && lower !== "half" && count === undefined) return undefined;
  const times = count?.value ?? 1;
  if (times >= 1 / part) return undefined;
  let next = partAt + 1;
  while (["of", "a", "an", "the"].includes(tokens[next]?.lower ?? "")) next += 1;
  const unit = unitAt(tokens, next);
  if (unit !== undefined && (next > partAt + 1 || tokens[partAt]!.end < tokens[next]!.start))
    return build(text, tokens, at, unit.next, times * part, unit.unit);
  if (lower === "half" && next === partAt + 2 && /^an?$/.test(tokens[partAt + 1]!.lower))
    return halfOf(text, tokens, at, next);
  // "third" without a count is mostly an ordinal.
  if (part !== 1 / 2 && tokens[partAt + 1]?.lower !== "of") return undefined;
  return { ...build(text, tokens, at, partAt + 1, times * part * 100, unitNamed("%")!), use: "idiom" };
}

/** "Half a tablet", "half a dozen": the article is no part of the amount that `½ tablet` gives. */
function halfOf(text: string, tokens: readonly Token[], at: number, noun: number): Quantity {
  const many = numeralAt(tokens, noun - 1);
  const amount = (many?.value ?? 1) / 2;
  return { ...build(text, tokens, at, many?.next ?? noun - 1, amount, NO_UNIT), use: "count" };
}

function build(
  text: string,
  tokens: readonly Token[],
  at: number,
  next: number,
  amount: number,
  unit: Unit,
): Quantity {
  const value = amount * unit.factor + unit.offset;
  // "A month" is a month, give or take; "half an hour" is exact.
  const place = Number.isInteger(amount) ? 0.5 * unit.factor : 0;
  const bound = boundOf(tokens, at, next);
  return quantityOf(text, tokens, at, next, { low: value, high: value, printed: amount, unit, place, bound });
}
