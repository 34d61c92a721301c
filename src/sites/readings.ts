/** From a tool's reply to readings. It is data of a stranger: what is no reading becomes a problem, never an exception. */
import type { Reading, Trend } from "../domain/reading.js";
import { quantitiesIn } from "../words/quantity/quantities.js";
import { unitIn } from "../words/quantity/unit-at.js";
import type { ReadOptions } from "./options.js";
import type { SiteReply } from "./port.js";

export interface ReadingContext {
  /** As `{site}.{tool}`. */
  readonly tool: string;
  /** By signal. */
  readonly reads: Readonly<Record<string, ReadOptions>>;
  /** Id of what a signal's value belongs to, by its name in the reply where it has one; undefined: it may not be told. */
  targetOf(name: string | undefined, signal: string): string | undefined;
}

/** Why a value of a reply is no reading. */
export const READING_PROBLEMS = {
  missing: "nothing stands where the settings say",
  not_a_value: "what stands there is no value, or no number where there is a unit",
  no_unit: "the reply has no unit that is known",
  no_time: "its time is no ISO 8601 with a zone, and no Unix milliseconds",
  future: "its time is more than a minute from now",
  not_a_state: "its text is no state of a few plain words",
  unknown_target: "the reply does not say what it belongs to, or nothing that may be told of",
  too_many: "the reply has more values than are read",
} as const;
export type ReadingProblemCode = keyof typeof READING_PROBLEMS;

export interface ReadingProblem {
  readonly signal: string;
  readonly code: ReadingProblemCode;
  readonly target?: string;
}

/** Values of one list of a reply that are read. */
const READINGS_MAX = 1_000;

/** All readings of a reply, in the order of `reads` and of its lists. */
export function readingsOf({ content, takenAtMs }: SiteReply, context: ReadingContext) {
  const json = typeof content === "string" ? parsed(content) : content;
  const found = Object.entries(context.reads).flatMap(([signal, read]): (Reading | ReadingProblem)[] => {
    const list = read.each === undefined ? [json] : valueAt(json, read.each);
    if (!Array.isArray(list)) return [{ signal, code: "missing" }];
    const some = list.slice(0, READINGS_MAX).map((item) => readItem(item, signal, read, context, takenAtMs));
    return list.length > READINGS_MAX ? [...some, { signal, code: "too_many" }] : some;
  });
  return { readings: found.filter((one) => "value" in one), problems: found.filter((one) => "code" in one) };
}

/** Whether a reading is too old to be said as the present value. */
export function isOld({ takenAtMs }: Reading, { maxAgeMs }: ReadOptions, nowMs: number): boolean {
  return nowMs - takenAtMs > maxAgeMs;
}

/** Systems without structured content write JSON as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readItem(item: unknown, signal: string, read: ReadOptions, context: ReadingContext, nowMs: number) {
  const at = (pointer: string | undefined) => (pointer === undefined ? undefined : valueAt(item, pointer));
  const name = plainText(at(read.name));
  const target = read.name !== undefined && name === undefined ? undefined : context.targetOf(name, signal);
  if (target === undefined) return { signal, code: "unknown_target" as const };
  const takenAtMs = read.takenAt === undefined ? nowMs : takenAt(at(read.takenAt), nowMs);
  if (typeof takenAtMs === "string") return { signal, target, code: takenAtMs };
  const value = at(read.value) ?? undefined;
  if (value === undefined) return { signal, target, code: "missing" as const };
  const unit = unitOf(at(read.unitAt) ?? undefined, read);
  if (unit === null) return { signal, target, code: "no_unit" as const };
  const measured = measuredValue(value, unit);
  if (typeof measured === "string") return { signal, target, code: measured };
  const [usual, trend] = [at(read.usual), at(read.trend)];
  return {
    ...{ target, signal, ...measured, takenAtMs, tool: context.tool },
    ...(Number.isFinite(usual) && { usual: usual as number }),
    ...(TRENDS.includes(trend) && { trend: trend as Trend }),
  };
}

/** The unit that the reply tells, else that of the settings; null where the reply should tell a known one, and does not. */
function unitOf(told: unknown, { unit, unitAt }: ReadOptions): string | undefined | null {
  if (told !== undefined) return unitName(told) ?? null;
  if (unit === undefined) return unitAt === undefined ? undefined : null;
  return unitName(unit) ?? unit;
}

const TRENDS: readonly unknown[] = ["rising", "falling", "steady"] satisfies Trend[];
/** Text of a reply that is looked at at all, in characters; a state or a name is at most a few words of it. */
const TEXT_CHARS_MAX = 200;
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

type Measured = Pick<Reading, "value" | "unit">;

/** A value as it is said, in `unit` if it has one; or why it is none. Text with its unit is taken apart. */
export function measuredValue(value: unknown, unit?: string): Measured | "not_a_value" | "not_a_state" {
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
function amountIn(text: string): Measured | undefined {
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
  return typeof written === "string" && written.length <= UNIT_CHARS_MAX
    ? unitIn(written.trim())?.name
    : undefined;
}

/** When a reading was taken, in Unix milliseconds; a clock that is a little ahead says "now". */
export function takenAt(value: unknown, nowMs: number): number | "no_time" | "future" {
  const timeMs = typeof value === "string" && ISO_TIME.test(value) ? Date.parse(value) : value;
  if (typeof timeMs !== "number" || !(timeMs >= TIME_MS_MIN)) return "no_time";
  if (timeMs > nowMs + CLOCK_AHEAD_MS_MAX) return "future";
  return Math.min(timeMs, nowMs);
}

/** The value at a JSON pointer (RFC 6901), such as `/sensors/0/value`; undefined where there is none. */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const escaped of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!Object.hasOwn(value, name) || (Array.isArray(value) && !INDEX.test(name))) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
