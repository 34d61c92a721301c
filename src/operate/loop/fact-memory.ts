/**
 * What is known of a site from readings, as one value that can be written down: facts with their keys, for as long as each
 * may be taken for the present. A write takes the facts about its target and its dependants along, and until its effect
 * can be expected none is believed. Bounded in entries and characters. Pure.
 */
import type { Reading } from "../../domain/reading.js";
import type { Resource } from "../../domain/resource.js";
import { grouped } from "../../lib/grouped.js";
import { wellFormed } from "../../lib/well-formed.js";
import type { LoopError } from "./envelope.js";

export const FACTS_MAX = 60;
/** UTF-16 units of all values together. */
export const FACT_CHARS_MAX = 2_000;
/** UTF-16 units of one value. */
export const FACT_VALUE_CHARS_MAX = 200;
/** UTF-16 units of a key; longer ones are not kept. */
const KEY_CHARS_MAX = 300;
/** A site's clock may be ahead of ours by so much. */
const CLOCK_SKEW_MS = 5_000;
/** Writes that are remembered; each one waits for a person, so that more cannot be under way. */
const WRITES_MAX = 60;

/** Ends the key of a marker: that a call was made, and what it came to. It is not shown, and costs no characters. */
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
  /** As values, for the gate. */
  readonly readings?: readonly Reading[];
  /** Of a marker: the keys of all facts that the call told. It holds only as long as each of them does. */
  readonly tells?: readonly string[];
  /** Of a marker: why there is nothing. */
  readonly error?: LoopError;
}

export type NewFact = Omit<KnownFact, "turn">;

export interface FactMemory {
  /** Oldest first. */
  readonly facts: readonly KnownFact[];
  /** What was written, and when its effect can be expected, in Unix milliseconds. */
  readonly writes: readonly { readonly targets: readonly string[]; readonly settledAtMs: number }[];
  /** The present turn of the model. */
  readonly turn: number;
}

export const NOTHING_KNOWN: FactMemory = { facts: [], writes: [], turn: 0 };

/** The next turn of the model. */
export function inNextTurn(memory: FactMemory): FactMemory {
  return { ...memory, turn: memory.turn + 1 };
}

/** With these facts, in the present turn; what was read before the effect of a write that concerns it is left out. */
export function withFacts(memory: FactMemory, added: readonly NewFact[], nowMs: number): FactMemory {
  const { facts, turn, writes } = memory;
  const byKey = new Map(facts.filter((fact) => isFresh(fact, nowMs)).map((fact) => [fact.key, fact]));
  for (const fact of added) {
    const isUnsettled = writes.some(
      ({ settledAtMs, targets }) => fact.takenAtMs < settledAtMs && isAbout(fact, targets),
    );
    if (fact.key.length > KEY_CHARS_MAX || !isFresh(fact, nowMs) || isUnsettled) continue;
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

function isMarker({ key }: KnownFact): boolean {
  return key.endsWith(QUERIED);
}

/** Time that seems to go back makes nothing fresh for longer: a fact of the future is none. */
function isFresh({ maxAgeMs, takenAtMs }: NewFact, nowMs: number): boolean {
  const ageMs = nowMs - takenAtMs;
  return ageMs >= -CLOCK_SKEW_MS && ageMs < maxAgeMs;
}

function isAbout({ target }: NewFact, targets: readonly string[]): boolean {
  return target === undefined || targets.includes(target);
}

/**
 * After something was written, or may have been: facts about the target, and about all that is part of it or runs on it,
 * are gone, and what is read of these before `settledAtMs` is not remembered. `resources`: all that there are.
 */
export function afterWrite(
  memory: FactMemory,
  target: string,
  resources: readonly Pick<Resource, "id" | "parent">[],
  settledAtMs: number,
): FactMemory {
  const byParent = grouped(resources, ({ parent }) => parent);
  const found = new Set([target]);
  // A set grows while it is walked: what is found is looked at as well, each once.
  for (const id of found) for (const child of byParent.get(id) ?? []) found.add(child.id);
  const targets = [...found];
  const facts = memory.facts.filter((fact) => !isAbout(fact, targets));
  return { ...memory, facts, writes: [...memory.writes, { targets, settledAtMs }].slice(-WRITES_MAX) };
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
  return facts
    .filter((fact) => fact.call === call && !isMarker(fact))
    .map(({ key, value }) => `${key} = ${value}`)
    .join("; ");
}
