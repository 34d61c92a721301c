/** Who judges what is drafted: one entry for each kind of evidence. */
import type { Phrases } from "../answer/phrases.js";
import type { Persona } from "../capability/capability.js";
import type { Checker } from "../grounding/checker.js";
import { ActionsChecker } from "../grounding/checkers/actions.js";
import { PassagesChecker } from "../grounding/checkers/passages.js";
import { ReadingsChecker } from "../grounding/checkers/readings.js";

export interface CheckersJob {
  readonly persona: Persona;
  readonly phrases: Phrases;
  readonly language?: string | undefined;
}

/** New checkers, for one answer. `nowMs`: the wall clock, in Unix milliseconds. */
export function checkersFor(
  { language, persona, phrases }: CheckersJob,
  nowMs: () => number,
): readonly Checker[] {
  return [
    new PassagesChecker({ phrases, language, namesDocuments: persona !== "kiosk" }),
    new ReadingsChecker(nowMs),
    new ActionsChecker(),
  ];
}
