/** Facts out of what tools answer, without a model: one for each thing with plain fields. Nothing is known by half. Pure. */
import { keyWords } from "../../grounding/readings/vocabulary.js";
import { isLasting, type LoopResult } from "./envelope.js";
import { FACT_VALUE_CHARS_MAX, type NewFact, QUERIED } from "./fact-memory.js";

/** How long what has no readings is known. */
const RESULT_AGE_MS_MAX = 300_000;
/** How long it is known that there is nothing, or that it cannot be read. */
const NEGATIVE_AGE_MS_MAX = 60_000;
/** UTF-16 units of a plain text that is remembered. */
const TEXT_CHARS_MAX = 120;

/**
 * What is known by a call. `about`: the id of what was asked of. `data`: as the model was told of it; undefined where it
 * was told in part only.
 */
export function factsOf(
  { about: target, id, key }: { readonly about: string; readonly id: string; readonly key: string },
  { data, error, maxAgeMs = RESULT_AGE_MS_MAX, readings = [] }: LoopResult,
  askedAtMs: number,
): readonly NewFact[] {
  const about = {
    call: id,
    about: [...new Set([target, ...readings.map((one) => one.target)])],
    takenAtMs: Math.min(askedAtMs, ...readings.map(({ takenAtMs }) => takenAtMs)),
    maxAgeMs: Math.min(RESULT_AGE_MS_MAX, maxAgeMs),
  };
  const marker = { ...about, key: `${key}${QUERIED}` };
  if (error !== undefined) {
    const value = error.code === "NOT_FOUND" ? "not_found" : "error";
    const none = { ...marker, value, error, tells: [], maxAgeMs: NEGATIVE_AGE_MS_MAX };
    return isLasting(error) ? [none] : [];
  }
  if (data === undefined) return [];
  const lines = linesOf(data).map(([path, value]) => ({ ...about, key: `${key}:${path}`, value }));
  const kept = lines.filter(({ value }) => value.length <= FACT_VALUE_CHARS_MAX);
  const tells = kept.map((fact) => fact.key);
  const all = { ...marker, value: summaryOfResult(data), tells, readings };
  return kept.length < lines.length ? kept : [...kept, all];
}

/** What JSON says, a line for each object and list, with the way to it: its plain values, and how many a list has. */
function linesOf(value: unknown, path = "result"): readonly (readonly [path: string, line: string])[] {
  if (typeof value === "string" && value.length > TEXT_CHARS_MAX) return [[path, value]];
  if (!isObject(value)) return [];
  const fields = Object.entries(value);
  const plain = fields.flatMap(([key, field]) => {
    const name = keyWords(key).join("_").replace(/_id$/, "");
    if (Array.isArray(field)) return [`${name}: ${field.length} items`];
    return isObject(field) ? [] : [`${name}=${field}`];
  });
  const told = Array.isArray(value) ? [`array with ${value.length} items`, ...plain] : plain;
  const inner = fields.flatMap(([key, field]) => linesOf(field, `${path}:${key}`));
  return [[path, oneLine(told.join(", "))], ...inner];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** What a result comes to in a few words: its first line, or its text. */
export function summaryOfResult(data: unknown): string {
  const [first] = linesOf(data);
  if (first !== undefined) return first[1];
  return data === null || data === "" ? "empty response" : `checked: ${oneLine(String(data))}`;
}
