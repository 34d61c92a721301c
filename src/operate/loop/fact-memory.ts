/**
 * What a chat knows of its site from readings, as one value that can be written down: facts with their keys, for as long
 * as each may be taken for the present. A write takes the facts about its target and its dependants along, and until its
 * effect can be expected none is believed. Bounded in entries and characters. Pure.
 */
import type { Reading } from "../../domain/reading.js";
import type { Resource } from "../../domain/resource.js";
import { grouped } from "../../lib/grouped.js";
import { wellFormed } from "../../lib/well-formed.js";

export const FACTS_MAX = 60;
/** UTF-16 units of all values together. */
export const FACT_CHARS_MAX = 2_000;
/** UTF-16 units of one value. */
export const FACT_VALUE_CHARS_MAX = 200;
/** UTF-16 units of a key; longer ones are not kept. */
const KEY_CHARS_MAX = 300;

/** Ends the key of a marker: that a call was made, and what it came to. It is not rendered, and costs no characters. */
export const QUERIED = ":queried";

export interface KnownFact {
  /** Names it: a fact of the same key takes its place. */
  readonly key: string;
  readonly value: string;
  /** Unix milliseconds. */
  readonly takenAtMs: number;
  /** After so long it is not known any more. */
  readonly maxAgeMs: number;
  /** Turn of the model in which it was read. */
  readonly turn: number;
  /** Id of the call that told it. */
  readonly call: string;
  /** Id of the resource that it is about; absent: of no single one, so that any write may change it. */
  readonly target?: string;
  /** As a value, for the gate. */
  readonly reading?: Reading;
  /** Of a marker: the keys of all facts that the call told. It holds only as long as each of them does. */
  readonly tells?: readonly string[];
}

/** A write whose effect may not show yet. */
interface PastWrite {
  readonly targets: readonly string[];
  readonly atMs: number;
  readonly untilMs: number;
}

export interface FactMemory {
  /** Oldest first. */
  readonly facts: readonly KnownFact[];
  readonly writes: readonly PastWrite[];
  /** The present turn of the model. */
  readonly turn: number;
}

export const NOTHING_KNOWN: FactMemory = { facts: [], writes: [], turn: 0 };

const LIMITS = { factsMax: FACTS_MAX, charsMax: FACT_CHARS_MAX };

export function factKey(target: string, signal: string): string {
  return `${target}:${signal}`;
}

/** The next turn of the model. */
export function inNextTurn(memory: FactMemory): FactMemory {
  return { ...memory, turn: memory.turn + 1 };
}

export type NewFact = Omit<KnownFact, "turn">;

/** With these facts, in the present turn; what was read before a write that concerns it is left out. */
export function withFacts(
  memory: FactMemory,
  added: readonly NewFact[],
  nowMs: number,
  limits = LIMITS,
): FactMemory {
  const byKey = new Map(memory.facts.filter((fact) => isFresh(fact, nowMs)).map((fact) => [fact.key, fact]));
  for (const fact of added) {
    const isOld = memory.writes.some((write) => concerns(write, fact) && fact.takenAtMs <= write.atMs);
    if (fact.key.length > KEY_CHARS_MAX || !isFresh(fact, nowMs) || isOld) continue;
    byKey.delete(fact.key);
    // A cut never leaves half a character.
    const value = wellFormed(fact.value, FACT_VALUE_CHARS_MAX).replace(/\ufffd$/, "");
    byKey.set(fact.key, { ...fact, value, turn: memory.turn });
  }
  const writes = memory.writes.filter(({ untilMs }) => nowMs < untilMs);
  return { ...memory, writes, facts: bounded([...byKey.values()], memory.turn, limits) };
}

/** The oldest make room, those of this turn and the one before last of all: then the bound counts more. */
function bounded(facts: readonly KnownFact[], turn: number, limits: typeof LIMITS): readonly KnownFact[] {
  const kept = [...facts];
  let chars = kept.reduce((sum, fact) => sum + costOf(fact), 0);
  while (kept.length > limits.factsMax || chars > limits.charsMax) {
    const helps = (fact: KnownFact) => chars <= limits.charsMax || costOf(fact) > 0;
    const loose = kept.findIndex((fact) => fact.turn < turn - 1 && helps(fact));
    const [gone] = kept.splice(loose >= 0 ? loose : kept.findIndex(helps), 1);
    chars -= costOf(gone!);
  }
  return kept;
}

function isMarker({ key }: Pick<KnownFact, "key">): boolean {
  return key.endsWith(QUERIED);
}

function costOf(fact: KnownFact): number {
  return isMarker(fact) ? 0 : fact.value.length;
}

/** Time that seems to go back makes nothing fresh for longer: a fact of the future is none. */
function isFresh({ maxAgeMs, takenAtMs }: NewFact, nowMs: number): boolean {
  const ageMs = nowMs - takenAtMs;
  return ageMs >= -CLOCK_SKEW_MS && ageMs < maxAgeMs;
}

/** A site's clock may be ahead of ours by so much. */
const CLOCK_SKEW_MS = 5_000;

function concerns(write: PastWrite, { target }: Pick<NewFact, "target">): boolean {
  return target === undefined || write.targets.includes(target);
}

/**
 * After something was written, or may have been: facts about the targets are gone, and until `untilMs` new ones answer no
 * call, since the effect may show later.
 */
export function afterWrite(
  memory: FactMemory,
  targets: readonly string[],
  atMs: number,
  untilMs: number,
): FactMemory {
  const write = { targets, atMs, untilMs };
  const facts = memory.facts.filter((fact) => !concerns(write, fact));
  const writes = [...memory.writes.filter((one) => atMs < one.untilMs), write].slice(-WRITES_MAX);
  return { ...memory, facts, writes };
}

/** Writes that are remembered; each one waits for a person, so that more cannot be under way. */
const WRITES_MAX = 60;

/** The ids of a resource and of all that is part of it or runs on it. */
export function withDependants(
  id: string,
  resources: readonly Pick<Resource, "id" | "parent">[],
): readonly string[] {
  const byParent = grouped(resources, ({ parent }) => parent);
  const found = new Set([id]);
  // A set grows while it is walked: what is found is looked at as well, each once.
  for (const parent of found) for (const child of byParent.get(parent) ?? []) found.add(child.id);
  return [...found];
}

/** Without what is about resources that the user may not know of (any more). */
export function visibleTo(memory: FactMemory, mayKnow: (target: string) => boolean): FactMemory {
  return { ...memory, facts: memory.facts.filter(({ target }) => target === undefined || mayKnow(target)) };
}

/** The fact of this key, if it may be taken for the present. `sinceMs`: not read before. */
export function lookUp(
  memory: FactMemory,
  key: string,
  nowMs: number,
  sinceMs = Number.NEGATIVE_INFINITY,
): KnownFact | undefined {
  const fact = memory.facts.find((one) => one.key === key);
  if (fact === undefined || !isFresh(fact, nowMs) || fact.takenAtMs < sinceMs) return undefined;
  const isUnsettled = memory.writes.some((write) => nowMs < write.untilMs && concerns(write, fact));
  return isUnsettled ? undefined : fact;
}

/**
 * What is known of the facts that a call would tell; undefined unless that is all of it. A key is known as a fact, or by
 * the marker of a call that asked for it: then the facts that this call told are all there are.
 */
export function answerOf(
  memory: FactMemory,
  keys: readonly string[],
  nowMs: number,
  sinceMs?: number,
): readonly KnownFact[] | undefined {
  const known = (key: string) => lookUp(memory, key, nowMs, sinceMs);
  const told = keys.flatMap((key): readonly (KnownFact | undefined)[] => {
    const fact = known(key) ?? known(`${key}${QUERIED}`);
    return [fact, ...(fact?.tells ?? []).map(known)];
  });
  const facts = [...new Set(told)].filter((fact) => fact !== undefined);
  return keys.length === 0 || told.includes(undefined) ? undefined : facts;
}

/** For a prompt: what is known now, a line each; empty when nothing is. */
export function renderFacts(memory: FactMemory, nowMs: number): string {
  return memory.facts
    .filter((fact) => !isMarker(fact) && lookUp(memory, fact.key, nowMs) !== undefined)
    .map(({ key, value }) => `[${key}] ${value}`)
    .join("\n");
}

/** The facts that one call told, in one line; empty when there are none. */
export function summaryOf({ facts }: FactMemory, call: string): string {
  return facts
    .filter((fact) => fact.call === call && !isMarker(fact))
    .map(({ key, value }) => `${key} = ${value}`)
    .join("; ");
}
