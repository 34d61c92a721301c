/** What is known from readings: facts by their keys, each for as long as it may be taken for the present. Bounded. Pure. */
import type { KnownFact } from "../../domain/known-fact.js";
import { wellFormed } from "../../lib/well-formed.js";

export const FACTS_MAX = 60;
/** UTF-16 units of all values together. */
export const FACT_CHARS_MAX = 2_000;
/** UTF-16 units of one value. */
export const FACT_VALUE_CHARS_MAX = 200;
/** UTF-16 units of a key; longer ones are not kept. */
const KEY_CHARS_MAX = 300;
/** A site's clock may be ahead of ours by so much. */
const CLOCK_SKEW_MS = 5_000;

/** Ends the key of a marker: that a call was made, and what it came to. It is not shown, and costs no characters. */
export const QUERIED = ":queried";

export type NewFact = Omit<KnownFact, "turn">;

export interface FactMemory {
  /** Oldest first. */
  readonly facts: readonly KnownFact[];
  /** The present turn of the model. */
  readonly turn: number;
}

export const NOTHING_KNOWN: FactMemory = { facts: [], turn: 0 };

/** What is left of what was known before: it is as old as it is. */
export function recalled(facts: readonly KnownFact[], nowMs: number): FactMemory {
  const turn = Math.max(0, ...facts.map((fact) => fact.turn));
  return withFacts({ facts, turn }, [], nowMs);
}

/** The next turn of the model. */
export function inNextTurn(memory: FactMemory): FactMemory {
  return { ...memory, turn: memory.turn + 1 };
}

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

function isMarker({ key }: KnownFact): boolean {
  return key.endsWith(QUERIED);
}

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
  return facts
    .filter((fact) => fact.call === call && !isMarker(fact))
    .map(({ key, value }) => `${key} = ${value}`)
    .join("; ");
}

/** For a prompt: all facts, each on a line with its age. */
export function factsInWords(facts: readonly KnownFact[], nowMs: number): string {
  const ageOf = ({ takenAtMs }: KnownFact) => Math.max(0, Math.round((nowMs - takenAtMs) / 1_000));
  const shown = facts.filter((fact) => !isMarker(fact));
  return shown.map((fact) => `${fact.key} = ${fact.value} (${ageOf(fact)} s ago)`).join("\n");
}
