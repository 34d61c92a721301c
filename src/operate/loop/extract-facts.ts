/**
 * Facts out of what tools answer, without a model: one for each reading where the tool gives readings; else out of any
 * JSON, one for each thing that has a name. A marker says that the call was made, where all of its answer is remembered:
 * nothing is known by half. Pure.
 */

import { keyWords } from "../../grounding/readings/vocabulary.js";
import { grouped } from "../../lib/grouped.js";
import { isRecord } from "../../lib/is-record.js";
import { callKey } from "./call-watch.js";
import type { KeepableReading, LoopArguments, LoopError, LoopErrorCode, LoopResult } from "./envelope.js";
import { FACT_VALUE_CHARS_MAX, FACTS_MAX, factKey, type NewFact, QUERIED } from "./fact-memory.js";
import { cleanText } from "./told.js";

/** How long what has no readings is known. */
const RESULT_AGE_MS_MAX = 300_000;
/** How long it is known that there is nothing, or that it cannot be read. */
const NEGATIVE_AGE_MS_MAX = 60_000;
/** Facts of one result; of a larger one only these are remembered, and the call is not answered from memory. */
const RESULT_FACTS_MAX = 40;
/** Fields of one object in it. */
const RESULT_FIELDS_MAX = 100;
/** UTF-16 units of a result that is text, and is read as JSON. */
const JSON_CHARS_MAX = 262_144;
/** Levels of a result that are looked at. */
const DEPTH_MAX = 8;
/** UTF-16 units of a plain text that is remembered. */
const TEXT_CHARS_MAX = 120;

/** Fields of a result that a summary tells. */
const SUMMARY_FIELDS_MAX = 12;

/** A marker's value where the thing asked for is not there, and where it cannot be read. */
export const NOT_FOUND = "not_found";
export const FAILED = "error";

export interface ToldCall {
  readonly id: string;
  readonly tool: string;
  readonly args: LoopArguments;
  /** What the tool says that the call tells. */
  readonly keys: readonly string[];
  readonly target: string | undefined;
}

/** The keys under which a call is remembered: what it tells, or else the call itself. */
export function keysOfCall({ args, keys, tool }: Omit<ToldCall, "id" | "target">): readonly string[] {
  return keys.length > 0 ? keys : [callKey(tool, args)];
}

export function factsOf(call: ToldCall, result: LoopResult, takenAtMs: number): readonly NewFact[] {
  const keys = keysOfCall(call);
  const about = { call: call.id, takenAtMs, ...(call.target !== undefined && { target: call.target }) };
  const marked = (value: string, maxAgeMs: number, facts: readonly NewFact[]): readonly NewFact[] => {
    // It could not be remembered as a whole.
    if (facts.length >= FACTS_MAX) return [];
    const tells = facts.map(({ key }) => key);
    const missing = keys.filter((key) => !tells.includes(key));
    return [
      ...facts,
      ...missing.map((key) => ({ ...about, key: `${key}${QUERIED}`, value, maxAgeMs, tells })),
    ];
  };
  const { data, error, meta, ok } = result;
  if (!ok) {
    const value = error === undefined ? undefined : negativeOf(error);
    return value === undefined ? [] : marked(value, NEGATIVE_AGE_MS_MAX, []);
  }
  if (meta?.readings !== undefined) {
    const facts = meta.readings.filter(isKeepable).map((reading) => ofReading(reading, call.id));
    const several = numbered(facts);
    const isWhole = facts.length === meta.readings.length;
    return isWhole
      ? marked(`${facts.length} readings`, RESULT_AGE_MS_MAX, several)
      : several.slice(0, FACTS_MAX);
  }
  const found = new ResultFacts(keys[0]!);
  const value = jsonOf(data);
  found.read(value);
  const each = found.facts.map((fact) => ({ ...about, ...fact, maxAgeMs: RESULT_AGE_MS_MAX }));
  const facts = numbered(each);
  return found.isCut ? facts : marked(summaryOfResult(value), RESULT_AGE_MS_MAX, facts);
}

/** What cannot be reached may be there in a moment: nothing is known of it. */
function negativeOf({ code, retryable }: LoopError): string | undefined {
  if (code === "NOT_FOUND") return NOT_FOUND;
  return retryable !== true && LASTING.has(code) ? FAILED : undefined;
}

const LASTING: ReadonlySet<LoopErrorCode> = new Set(["EXECUTION_FAILED", "TOO_LARGE", "MALFORMED"]);

/** A text that is too long is not remembered by half, and what is no number is no value. */
function isKeepable({ value }: KeepableReading): boolean {
  return typeof value === "string" ? value.length <= FACT_VALUE_CHARS_MAX : !Number.isNaN(Number(value));
}

function ofReading({ maxAgeMs, ...reading }: KeepableReading, call: string): NewFact {
  const { signal, takenAtMs, target, unit, value } = reading;
  const words = `${clean(String(value))}${unit === undefined ? "" : ` ${unit}`}`;
  return { key: factKey(target, signal), value: words, takenAtMs, maxAgeMs, call, target, reading };
}

/** Several values of one signal, such as alarms, have keys of their own: the marker tells of all. */
function numbered(facts: readonly NewFact[]): readonly NewFact[] {
  return [...grouped(facts, ({ key }) => key).values()].flatMap((same) =>
    same.length === 1 ? same : same.map((fact, at) => ({ ...fact, key: `${fact.key}#${at + 1}` })),
  );
}

/** Fields that name a thing, the most telling first. */
const NAMES =
  "name title hostname label guest_name instance device mountpoint host node resource_id id vmid key".split(
    " ",
  );

type FoundFact = Pick<NewFact, "key" | "value">;

/** Walks through JSON; what has a name becomes one fact with its plain fields. */
class ResultFacts {
  readonly facts: FoundFact[] = [];
  #isCut = false;

  constructor(private readonly key: string) {}

  /** Whether there is more than is remembered. */
  get isCut(): boolean {
    return this.#isCut;
  }

  read(value: unknown, path: readonly string[] = []): void {
    if (this.#isCut) return;
    if (path.length > DEPTH_MAX) this.#isCut = true;
    else if (Array.isArray(value)) this.#list(value, path);
    else if (isRecord(value)) this.#object(value, path);
    else if (typeof value === "string" && path.length === 0)
      this.#isCut ||= value.trim().length > TEXT_CHARS_MAX;
  }

  #list(values: readonly unknown[], path: readonly string[]): void {
    const scalars = values.slice(0, FACT_VALUE_CHARS_MAX).filter(isScalar);
    if (scalars.length > 0) this.#add(path, scalars.map(String).join(", "));
    for (const [at, value] of values.entries()) {
      if (this.#isCut) return;
      if (!isScalar(value)) this.read(value, [...path, nameIn(value) ?? String(at + 1)]);
    }
  }

  #object(fields: Readonly<Record<string, unknown>>, path: readonly string[]): void {
    const plain: string[] = [];
    const keys = Object.keys(fields);
    if (keys.length > RESULT_FIELDS_MAX) this.#isCut = true;
    for (const key of keys) {
      if (this.#isCut) return;
      const value = fields[key];
      if (isScalar(value)) plain.push(`${keyWords(key).join("_")}=${String(value)}`);
      else if (value !== null) this.read(value, [...path, keyWords(key).join("_")]);
    }
    const name = path.length === 0 ? nameIn(fields) : undefined;
    if (plain.length > 0) this.#add(name === undefined ? path : [name], plain.join(", "));
  }

  #add(path: readonly string[], text: string): void {
    // The call's own key is that of its marker.
    const name = [this.key, ...(path.length === 0 ? ["result"] : path)].join(":");
    if (this.facts.length === RESULT_FACTS_MAX || text.length > FACT_VALUE_CHARS_MAX) this.#isCut = true;
    if (this.facts.length < RESULT_FACTS_MAX) this.facts.push({ key: name, value: clean(text) });
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function nameIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const field = NAMES.find((one) => isScalar(value[one]) && value[one] !== "");
  return field === undefined ? undefined : clean(String(value[field]));
}

/** On one line. */
function clean(text: string): string {
  return cleanText(text.slice(0, FACT_VALUE_CHARS_MAX)).replace(/\s+/g, " ").trim();
}

/** Text that is JSON as its value. */
function jsonOf(data: unknown): unknown {
  if (typeof data !== "string" || data.length > JSON_CHARS_MAX || !/^\s*[[{]/.test(data)) return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** What a result comes to in a few words: how many of what, an error, or the first words of a text. */
export function summaryOfResult(data: unknown): string {
  const value = jsonOf(data);
  if (value === undefined || value === null || value === "") return "empty response";
  if (Array.isArray(value)) return `array with ${value.length} items`;
  if (!isRecord(value)) return `checked: ${clean(String(value)).slice(0, TEXT_CHARS_MAX)}`;
  const fields = Object.entries(value).slice(0, SUMMARY_FIELDS_MAX);
  const parts = fields.flatMap(([key, field]) => {
    if (Array.isArray(field)) return [`${key}: ${field.length} items`];
    return isScalar(field) ? [`${key === "resource_id" ? "resource" : key}=${clean(String(field))}`] : [];
  });
  return parts.join(", ");
}
