/**
 * From what a tool replied to readings, as the settings say where each value stands. What a system of a site sends is
 * data of a stranger: whatever cannot be a reading becomes a problem with a code, and never an exception.
 */
import type { Reading, ReadingValue, Trend } from "../domain/reading.js";
import { valueAt } from "./json-pointer.js";
import { measuredValue, plainText, takenAt, unitName } from "./measured-value.js";
import type { ReadOptions } from "./options.js";
import type { SiteReply } from "./port.js";

/** What is known of a call whose reply is read. */
export interface ReadingContext {
  /** As `{site}.{tool}`. */
  readonly tool: string;
  /** By signal. */
  readonly reads: Readonly<Record<string, ReadOptions>>;
  /**
   * Id of the resource that a value belongs to: by the name that the reply has for it, where `name` says where that
   * stands; else of what was asked about. Undefined: no resource that may be told of.
   */
  targetOf(name: string | undefined): string | undefined;
}

export type ReadingProblemCode =
  /** Nothing stands where a value should, or where a list of them should. */
  | "missing"
  /** NaN, infinite, a list or an object; or text where there is a unit. */
  | "not_a_value"
  /** The reply should tell the unit, and does not; or it is none that is known. */
  | "no_unit"
  /** The time is no ISO 8601 with a zone and no Unix milliseconds. */
  | "no_time"
  /** It was taken later than in a minute from now. */
  | "future"
  /** Text that is no state of a few plain words. */
  | "not_a_state"
  /** The reply names something that may not be told of, or that nobody knows. */
  | "unknown_target"
  /** The reply has more values than are read. */
  | "too_many";

/** Why a value of a reply is no reading. */
export interface ReadingProblem {
  readonly signal: string;
  readonly code: ReadingProblemCode;
  /** Id of the resource, where it is known. */
  readonly target?: string;
}

export interface ReadingsResult {
  readonly readings: readonly Reading[];
  readonly problems: readonly ReadingProblem[];
}

/** Values of one reply that are read. */
const READINGS_MAX = 1_000;

/** All readings of a reply, in the order of `reads` and of its lists. */
export function readingsOf({ content, takenAtMs }: SiteReply, context: ReadingContext): ReadingsResult {
  const json = typeof content === "string" ? parsed(content) : content;
  const readings: Reading[] = [];
  const problems: ReadingProblem[] = [];
  for (const [signal, read] of Object.entries(context.reads)) {
    const list = read.each === undefined ? [json] : valueAt(json, read.each);
    if (!Array.isArray(list)) {
      problems.push({ signal, code: "missing" });
      continue;
    }
    for (const item of list) {
      if (readings.length + problems.length >= READINGS_MAX) {
        problems.push({ signal, code: "too_many" });
        return { readings, problems };
      }
      const found = readItem(item, signal, read, context, takenAtMs);
      if ("code" in found) problems.push(found);
      else readings.push(found);
    }
  }
  return { readings, problems };
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

function readItem(
  item: unknown,
  signal: string,
  read: ReadOptions,
  context: ReadingContext,
  nowMs: number,
): Reading | ReadingProblem {
  const name = read.name === undefined ? undefined : plainText(valueAt(item, read.name));
  const target = read.name !== undefined && name === undefined ? undefined : context.targetOf(name);
  if (target === undefined) return { signal, code: "unknown_target" };
  const takenAtMs = read.takenAt === undefined ? nowMs : takenAt(valueAt(item, read.takenAt), nowMs);
  if (typeof takenAtMs === "string") return { signal, target, code: takenAtMs };
  const measured = measuredAt(item, read);
  if (typeof measured === "string") return { signal, target, code: measured };
  const usual = read.usual === undefined ? undefined : finite(valueAt(item, read.usual));
  const trend = read.trend === undefined ? undefined : trendOf(valueAt(item, read.trend));
  const more = { ...(usual !== undefined && { usual }), ...(trend && { trend }) };
  return { target, signal, ...measured, takenAtMs, tool: context.tool, ...more };
}

function measuredAt(
  item: unknown,
  read: ReadOptions,
): { readonly value: ReadingValue; readonly unit?: string } | ReadingProblemCode {
  const value = valueAt(item, read.value);
  if (value === undefined || value === null) return "missing";
  const told = read.unitAt === undefined ? undefined : valueAt(item, read.unitAt);
  const known = told === undefined || told === null ? undefined : unitName(told);
  if (told !== undefined && told !== null && known === undefined) return "no_unit";
  const unit = known ?? (read.unit === undefined ? undefined : (unitName(read.unit) ?? read.unit));
  if (read.unitAt !== undefined && unit === undefined) return "no_unit";
  return measuredValue(value, unit);
}

function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function trendOf(value: unknown): Trend | undefined {
  return value === "rising" || value === "falling" || value === "steady" ? value : undefined;
}
