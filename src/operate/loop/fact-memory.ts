/** What is known from readings: facts by their keys, each for as long as it may be taken for the present. Bounded. */
import type { KnownFact } from "../../domain/known-fact.js";
import { keyWords } from "../../grounding/readings/vocabulary.js";
import type { Clock } from "../../lib/clock.js";
import { wellFormed } from "../../lib/well-formed.js";
import { isLasting, type LoopResult } from "./envelope.js";

export const FACTS_MAX = 60;
/** UTF-16 units of all values together, of one, and of a key: longer ones are not kept. */
export const FACT_CHARS_MAX = 2_000;
const FACT_VALUE_CHARS_MAX = 200;
const KEY_CHARS_MAX = 300;
/** A site's clock may be ahead of ours by so much. */
const CLOCK_SKEW_MS = 5_000;

/** Ends the key of a marker: that a call was made, and what it came to. It is not shown, and costs no characters. */
const QUERIED = ":queried";

export type NewFact = Omit<KnownFact, "turn">;

export interface FactMemory {
  /** Oldest first. */
  readonly facts: readonly KnownFact[];
  readonly turn: number;
}

/** What is left of what was known before: it is as old as it is. */
export function recalled(facts: readonly KnownFact[], nowMs: number): FactMemory {
  const turn = Math.max(0, ...facts.map((fact) => fact.turn));
  return withFacts({ facts, turn }, [], nowMs);
}

export const inNextTurn = (memory: FactMemory): FactMemory => ({ ...memory, turn: memory.turn + 1 });

/** With these facts, in the present turn. */
export function withFacts(memory: FactMemory, added: readonly NewFact[], nowMs: number): FactMemory {
  const { facts, turn } = memory;
  const byKey = new Map(facts.filter((fact) => isFresh(fact, nowMs)).map((fact) => [fact.key, fact]));
  for (const fact of added) {
    if (fact.key.length > KEY_CHARS_MAX || !isFresh(fact, nowMs)) continue;
    byKey.delete(fact.key);
    // A cut never leaves half a character.
    const value = wellFormed(fact.value, FACT_VALUE_CHARS_MAX).replace(/\ufffd$/, "");
    byKey.set(fact.key, { ...fact, value, turn });
  }
  return { ...memory, facts: bounded([...byKey.values()], turn) };
}

/** The oldest make room, those of this turn and the one before last of all: then the bound counts more. */
function bounded(facts: readonly KnownFact[], turn: number): readonly KnownFact[] {
  const kept = [...facts];
  const chars = () => kept.reduce((sum, fact) => sum + (isMarker(fact) ? 0 : fact.value.length), 0);
  while (kept.length > FACTS_MAX || chars() > FACT_CHARS_MAX) {
    const loose = kept.findIndex((fact) => fact.turn < turn - 1);
    kept.splice(Math.max(loose, 0), 1);
  }
  return kept;
}

const isMarker = ({ key }: KnownFact): boolean => key.endsWith(QUERIED);

/** Time that seems to go back makes nothing fresh for longer: a fact of the future is none. */
function isFresh({ maxAgeMs, takenAtMs }: NewFact, nowMs: number): boolean {
  const ageMs = nowMs - takenAtMs;
  return ageMs >= -CLOCK_SKEW_MS && ageMs < maxAgeMs;
}

/** The fact of this key, if it may be taken for the present. */
export function lookUp({ facts }: FactMemory, key: string, nowMs: number): KnownFact | undefined {
  return facts.find((fact) => fact.key === key && isFresh(fact, nowMs));
}

/** All that a call told, with its marker; undefined unless all of it is known. `call`: as `callKey` writes it. */
export function answerOf(memory: FactMemory, call: string, nowMs: number): readonly KnownFact[] | undefined {
  const marker = lookUp(memory, `${call}${QUERIED}`, nowMs);
  const facts = marker?.tells?.flatMap((key) => lookUp(memory, key, nowMs) ?? []);
  return facts?.length === marker?.tells?.length ? facts && [marker!, ...facts] : undefined;
}

/** For a prompt: the facts that one call told, in one line; empty when there are none. */
export function summaryOf({ facts }: FactMemory, call: string): string {
  const told = facts.filter((fact) => fact.call === call && !isMarker(fact));
  return told.map(({ key, value }) => `${key} = ${value}`).join("; ");
}

/** For a prompt: all facts, each on a line with its age. */
export function factsInWords(facts: readonly KnownFact[], nowMs: number): string {
  const ageOf = ({ takenAtMs }: KnownFact) => Math.max(0, Math.round((nowMs - takenAtMs) / 1_000));
  const shown = facts.filter((fact) => !isMarker(fact));
  return shown.map((fact) => `${fact.key} = ${fact.value} (${ageOf(fact)} s ago)`).join("\n");
}

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
    if (Array.isArray(field)) return `${name}: ${field.length} items`;
    return isObject(field) ? [] : `${name}=${field}`;
  });
  const told = Array.isArray(value) ? [`array with ${value.length} items`, ...plain] : plain;
  const inner = fields.flatMap(([key, field]) => linesOf(field, `${path}:${key}`));
  return [[path, oneLine(told.join(", "))], ...inner];
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** What a result comes to in a few words: its first line, or its text. */
export function summaryOfResult(data: unknown): string {
  const [first] = linesOf(data);
  if (first !== undefined) return first[1];
  return data === null || data === "" ? "empty response" : `checked: ${oneLine(String(data))}`;
}

/** Ids at once; with more of them, all that was read before counts as overtaken. */
export const WRITTEN_MAX = 1_000;

/** What was written to lately: nothing that was read of it before answers a check. */
export class Writes {
  readonly #writtenMs = new Map<string, number>();
  #allMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** These, and all that depends on them, are about to change, or have changed. */
  invalidate(ids: readonly string[]): void {
    if (this.#writtenMs.size + ids.length > WRITTEN_MAX) {
      this.#allMs = this.clock.now();
      this.#writtenMs.clear();
      return;
    }
    for (const id of ids) this.#writtenMs.set(id, this.clock.now());
  }

  /** Whether all that a fact is about has been left alone since it was asked for. */
  leave({ about, takenAtMs }: Pick<KnownFact, "about" | "takenAtMs">): boolean {
    const isBefore = (id: string) => takenAtMs <= (this.#writtenMs.get(id) ?? this.#allMs);
    return takenAtMs > this.#allMs && !about.some(isBefore);
  }
}
