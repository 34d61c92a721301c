/** Single values of a reply: numbers, states in a few plain words, units and times, each checked before it is believed. */
import type { Reading } from "../domain/reading.js";
import { quantitiesIn } from "../words/quantity/quantities.js";
import { unitIn } from "../words/quantity/unit-at.js";

/** Text of a reply that is looked at at all, in characters. */
const TEXT_CHARS_MAX = 200;
/** A state or a name is at most a few words. */
const STATE_WORDS_MAX = 8;
const UNIT_CHARS_MAX = 24;

/** How far the clock of a site may be ahead of ours. */
const CLOCK_AHEAD_MS_MAX = 60_000;
/** Before that it is no time in milliseconds: seconds, or a counter. 2000-01-01. */
const TIME_MS_MIN = 946_684_800_000;

/** What states and names are written with: no markup, no address, no code, nothing that is not seen. */
const PLAIN = /^[\p{L}\p{M}\p{N} .,:;'’"!/()&%+°#_-]+$/u;
/** A sentence that another one follows, and an address. */
const NO_STATE = /[.!;] +\p{Lu}|\/\//u;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
/** What programs write for what is no number, or a number without an end. */
const NO_NUMBER = /^[-+]?(?:nan|inf(?:inity)?|null|none|undefined)$/i;
/** ISO 8601 with a zone: a time without one may be that of anywhere. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** A value as it is said, in `unit` if it has one; or why it is none. Text with its unit is taken apart. */
export function measuredValue(
  value: unknown,
  unit: string | undefined,
): Pick<Reading, "value" | "unit"> | "not_a_value" | "not_a_state" {
  if (Number.isFinite(value)) return { value: value as number, ...(unit !== undefined && { unit }) };
  if (typeof value === "boolean") return unit === undefined ? { value } : "not_a_value";
  if (typeof value !== "string") return "not_a_value";
  const text = plainText(value);
  if (text === undefined) return "not_a_state";
  if (NO_NUMBER.test(text)) return "not_a_value";
  if (NUMBER.test(text)) return measuredValue(Number(text), unit);
  const amount = amountIn(text);
  if (amount !== undefined && (unit === undefined || unit === amount.unit)) return amount;
  return unit === undefined ? { value: text } : "not_a_value";
}

/** The number and the unit that a text is and nothing else. */
function amountIn(text: string): { readonly value: number; readonly unit: string } | undefined {
  const [amount, second] = quantitiesIn(text);
  if (amount?.use !== "measure" || second !== undefined || amount.text.length !== text.length)
    return undefined;
  const { bound, high, low, printed, unit } = amount;
  const isOne = bound === "exact" && low === high && unit.name !== "";
  return isOne ? { value: printed, unit: unit.name } : undefined;
}

/** A few words of plain text, trimmed; undefined for everything else. Numbers that name something are text as well. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "string" || value.length > TEXT_CHARS_MAX) return undefined;
  const text = value.trim();
  const isPlain = PLAIN.test(text) && !NO_STATE.test(text) && text.split(/ +/).length <= STATE_WORDS_MAX;
  return isPlain ? text : undefined;
}

/** A unit as the lexicon writes it; undefined where it knows none of this name. */
export function unitName(written: unknown): string | undefined {
  if (typeof written !== "string" || written.length > UNIT_CHARS_MAX) return undefined;
  return unitIn(written.trim())?.name;
}

/** When a reading was taken, in Unix milliseconds; a clock that is a little ahead says "now". */
export function takenAt(value: unknown, nowMs: number): number | "no_time" | "future" {
  const timeMs = typeof value === "string" && ISO_TIME.test(value) ? Date.parse(value) : value;
  if (typeof timeMs !== "number" || !(timeMs >= TIME_MS_MIN)) return "no_time";
  if (timeMs > nowMs + CLOCK_AHEAD_MS_MAX) return "future";
  return Math.min(timeMs, nowMs);
}
