/** Dates: `2026-03-01`, "1 January 2026", "January 1st, 2026", "March 2026", "24 and 31 December" (the second of them). */

import type { Token } from "../tokens.js";
import { numeralAt } from "./numerals.js";
import { type Quantity, quantityOf } from "./quantity.js";
import { NO_UNIT } from "./units.js";

/** English months by their names and their first three letters. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  "january february march april may june july august september october november december"
    .split(" ")
    .flatMap((name, i): [string, number][] => [
      [name, i + 1],
      [name.slice(0, 3), i + 1],
    ])
    .concat([["sept", 9]]),
);

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly next: number;
}

/** The date that begins at token `at`. A month alone is a word, no date. */
export function dateAt(text: string, tokens: readonly Token[], at: number): Quantity | undefined {
  const parts = isoDate(tokens, at) ?? dayFirst(tokens, at) ?? monthFirst(tokens, at);
  if (parts === undefined) return undefined;
  const value = parts.year * 10_000 + parts.month * 100 + parts.day;
  const day = { low: value, high: value, printed: value };
  return quantityOf(text, tokens, at, parts.next, { dimension: "date", ...day, unit: NO_UNIT });
}

function isYear(token: Token | undefined): boolean {
  return token !== undefined && /^[12]\d{3}$/.test(token.text);
}

function isoDate(tokens: readonly Token[], at: number): Parts | undefined {
  const [year, hyphen, month, second, day] = [0, 1, 2, 3, 4].map((i) => tokens[at + i]);
  if (!isYear(year) || hyphen?.text !== "-" || !/^(?:0\d|1[0-2])$/.test(month?.text ?? "")) return undefined;
  const hasDay = second?.text === "-" && /^\d{2}$/.test(day?.text ?? "");
  return {
    year: Number(year!.text),
    month: Number(month!.text),
    day: hasDay ? Number(day!.text) : 0,
    next: at + (hasDay ? 5 : 3),
  };
}

/** Months are written with a capital; "may" and "march" are words. */
function monthOf(token: Token | undefined): number | undefined {
  if (token === undefined || !/^\p{Lu}/u.test(token.text)) return undefined;
  return MONTHS.get(token.lower);
}

function dayAt(tokens: readonly Token[], at: number): { day: number; next: number } | undefined {
  const numeral = numeralAt(tokens, at);
  if (numeral === undefined || numeral.value < 1 || numeral.value > 31 || !Number.isInteger(numeral.value))
    return undefined;
  return { day: numeral.value, next: numeral.next };
}

function dayFirst(tokens: readonly Token[], at: number): Parts | undefined {
  const day = dayAt(tokens, at);
  if (day === undefined) return undefined;
  const monthIndex = tokens[day.next]?.lower === "of" ? day.next + 1 : day.next;
  const month = monthOf(tokens[monthIndex]);
  if (month === undefined) return undefined;
  return withYear(tokens, monthIndex + 1, month, day.day);
}

function monthFirst(tokens: readonly Token[], at: number): Parts | undefined {
  const month = monthOf(tokens[at]);
  if (month === undefined) return undefined;
  const from = tokens[at + 1]?.text === "." ? at + 2 : at + 1;
  if (isYear(tokens[from])) return withYear(tokens, from, month, 0);
  const day = dayAt(tokens, from);
  return day === undefined ? undefined : withYear(tokens, day.next, month, day.day);
}

function withYear(tokens: readonly Token[], at: number, month: number, day: number): Parts {
  const yearAt = tokens[at]?.text === "," ? at + 1 : at;
  const hasYear = isYear(tokens[yearAt]);
  return { month, day, year: hasYear ? Number(tokens[yearAt]!.text) : 0, next: hasYear ? yearAt + 1 : at };
}
