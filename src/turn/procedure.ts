/**
 * Steps and warnings are said together or not at all: they wait until the last of them has passed. Warnings come
 * first, a warning of the document that the writer left out is added word for word, and one step or warning that does
 * not hold refuses them all. Plain statements beside them stand or fall alone. Pure.
 */

import type { Phrases } from "../answer/phrases.js";
import { sourceAloud } from "../answer/source.js";
import type { Passage } from "../domain/passage.js";
import { passageUnits } from "../extractive/passage-units.js";
import { isWarning } from "../extractive/spoken-units.js";
import type { SentenceCheck } from "../grounding/check/check.js";
import { checkSteps } from "../grounding/check/steps.js";
import type { PreparedEvidence } from "../grounding/evidence.js";
import type { Locale } from "../locale/locale.js";
import type { CheckedSentence } from "./checked-sentence.js";

/** Whether this sentence, and all that follow it, must wait for the last of them. */
export function mustWait(check: SentenceCheck, passages: ReadonlyMap<string, Passage>): boolean {
  if (check.role === "step" || check.role === "warning") return true;
  return check.evidence.some(({ source }) => holdsProcedure(passages.get(source)));
}

export interface Judged {
  readonly type: "confirmed" | "withheld";
  /** What may be said, in the order in which to say it; fixed phrases and words of the document are strings. */
  readonly parts: readonly (CheckedSentence | string)[];
}

/** What becomes of the sentences that waited. `refused`: the writer said as well that the documents do not answer. */
export function judgeProcedure(
  { held, refused }: { readonly held: readonly CheckedSentence[]; readonly refused: boolean },
  evidence: PreparedEvidence,
  passages: ReadonlyMap<string, Passage>,
  phrases: Phrases,
): Judged {
  if (held.length === 0) return { type: "confirmed", parts: [] };
  const problems = checkSteps(
    held.map(({ check }) => check),
    evidence,
  );
  const fails = ({ check }: CheckedSentence) => isInstruction(check) && check.verdict !== "supported";
  const isBroken = held.some(fails) || problems.some(({ type }) => type !== "missing_warning");
  const supported = held.filter(({ check }) => check.verdict === "supported");
  if (isBroken) {
    const statements = supported.filter(({ check }) => !isInstruction(check));
    const source = sourceOf(held, passages, phrases.locale);
    // "Ask again in a minute", without a document or beside "I can't find that", is no part of a procedure.
    const isAdvice = refused && !supported.some(({ check }) => isInstruction(check));
    if (source === undefined || isAdvice) return { type: "confirmed", parts: statements };
    return { type: "withheld", parts: [...statements, phrases.procedureRefused(source)] };
  }
  const missing = problems.flatMap((one) => (one.type === "missing_warning" ? [one.warning] : []));
  const warnings = supported.filter(({ check }) => check.role === "warning");
  const others = supported.filter(({ check }) => check.role !== "warning");
  return { type: "confirmed", parts: [...missing, ...warnings, ...others] };
}

/** Whether a sentence tells somebody what to do, or what not to do. */
export function isInstruction({ role }: SentenceCheck): boolean {
  return role === "step" || role === "warning";
}

/** The document to follow instead, if there is any: the one that bears out most of the sentences. */
function sourceOf(
  held: readonly CheckedSentence[],
  passages: ReadonlyMap<string, Passage>,
  locale: Locale,
): string | undefined {
  const counts = new Map<Passage, number>();
  for (const { check } of held) {
    if (check.verdict !== "supported") continue;
    const passage = passages.get(check.evidence[0]?.source ?? "");
    if (passage !== undefined) counts.set(passage, (counts.get(passage) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first && sourceAloud(first[0], locale);
}

const known = new WeakMap<Passage, boolean>();

/** Whether a passage has steps or a warning. Remembered, so that it may be found out ahead. */
export function holdsProcedure(passage: Passage | undefined): boolean {
  if (passage === undefined) return false;
  const before = known.get(passage);
  if (before !== undefined) return before;
  const holds = passageUnits(passage).some((unit) => unit.role === "step" || isWarning(unit));
  known.set(passage, holds);
  return holds;
}
