/**
 * Steps and warnings are said together or not at all: they wait until the last of them has passed. Warnings come
 * first, a warning of the document that the writer left out is added word for word, and one step or warning that does
 * not hold refuses them all. Plain statements beside them stand or fall alone. Pure.
 */
import type { Passage } from "../../domain/passage.js";
import { passageUnits } from "../../extractive/passage-units.js";
import { isWarning } from "../../extractive/spoken-units.js";
import { once } from "../../lib/once.js";
import type { SentenceCheck } from "../check/check.js";
import { checkSteps } from "../check/steps.js";
import { type CheckedSentence, type Conclusion, isInstruction } from "../checker.js";
import type { PreparedEvidence } from "../evidence.js";

/** A sentence that waited, with its check. */
export interface HeldSentence {
  readonly sentence: CheckedSentence;
  readonly check: SentenceCheck;
}

/**
 * What becomes of the sentences that waited. `isBroken`: a step or a warning among them does not hold. `refused`: the
 * writer said as well that the documents do not answer.
 */
export function judgeProcedure(
  draft: { readonly held: readonly HeldSentence[]; readonly isBroken: boolean; readonly refused: boolean },
  evidence: PreparedEvidence,
  /** A document as it is named aloud; empty where there is none. */
  nameOf: (source: string) => string,
  phrases: { procedureRefused(source: string): string },
): Pick<Conclusion, "parts" | "withheld"> {
  const { held, refused } = draft;
  const checks = held.map(({ check }) => check);
  const { problems, warnings } = checkSteps(checks, evidence);
  const isBroken = draft.isBroken || problems.length > 0;
  const supported = held.filter(({ check }) => check.verdict === "supported");
  const of = (wanted: (check: SentenceCheck) => boolean) =>
    supported.filter(({ check }) => wanted(check)).map(({ sentence }) => sentence);
  if (isBroken) {
    const statements = of((check) => !isInstruction(check));
    const source = mostUsed(supported.map(({ check }) => nameOf(check.evidence[0]?.source ?? "")));
    // "Ask again in a minute", without a document or beside "I can't find that", is no part of a procedure.
    const isAdvice = refused && statements.length === supported.length;
    if (source === undefined || isAdvice) return { parts: statements, withheld: false };
    return { parts: [...statements, { text: phrases.procedureRefused(source) }], withheld: true };
  }
  const missing = warnings.map((text) => ({ text }));
  const isWarned = ({ role }: SentenceCheck) => role === "warning";
  return { parts: [...missing, ...of(isWarned), ...of((check) => !isWarned(check))], withheld: false };
}

/** The document to follow instead, if there is any: the one that bears out most of the sentences. */
function mostUsed(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0];
}

/** Whether a passage has steps or a warning. Remembered, so that it may be found out ahead. */
export const holdsProcedure = once((passage: Passage) =>
  passageUnits(passage).some((unit) => unit.role === "step" || isWarning(unit)),
);
