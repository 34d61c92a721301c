/** What a site's tool told, as those see it who follow a turn: each value as a sentence, with its age. Pure. */
import type { Reading } from "../domain/reading.js";
import type { StepEvidence } from "../domain/turn.js";
import type { Locale } from "../locale/locale.js";
import { type Rendering, readingInWords } from "./speech/statements.js";
import type { KnownResources } from "./targets/registry.js";
import { STATUS } from "./wanted.js";

/** Values of one step. */
const EVIDENCE_MAX = 24;

/** How readings of what is known are said; `isSpoken`: for a voice. */
export function renderingFor(locale: Locale, known: KnownResources, isSpoken: boolean): Rendering {
  return {
    locale,
    isSpoken,
    nameOf: (target) => known.byId(target)?.names[0] ?? partName(target, isSpoken),
    isState: (signal) => signal === STATUS,
  };
}

/** Sensors that say the same are one value, as old as the oldest of them. `nowMs`: Unix milliseconds. */
export function evidenceOf(
  readings: readonly Reading[],
  rendering: Rendering,
  nowMs: number,
): readonly StepEvidence[] {
  const told = new Map<string, StepEvidence>();
  for (const reading of readings.slice(0, EVIDENCE_MAX)) {
    const { signal, takenAtMs, target, unit, value } = reading;
    const text = readingInWords(reading, rendering);
    const ageMs = Math.max(told.get(text)?.ageMs ?? 0, Math.round(nowMs - takenAtMs));
    told.set(text, { target, signal, value, ...(unit === undefined ? {} : { unit }), text, ageMs });
  }
  return [...told.values()];
}

/** A part of a machine is called as the machine calls it, for a voice without what nobody says; its root has no name. */
function partName(target: string, isSpoken: boolean): string | undefined {
  const name = target.slice(target.indexOf("/") + 1);
  const words = name.replaceAll("/", " ").trim();
  return words === "" ? undefined : isSpoken ? words : name;
}
