/**
 * "What do I do with a truck that fails?": a sentence that says what follows is the answer, rather than the steps below
 * a heading that says nothing about failing.
 */
import type { Passage } from "../domain/passage.js";
import { pause } from "../lib/pause.js";
import { type PassageUnit, passageUnits, unitTerms } from "./passage-units.js";
import { contextTerms, type QuestionScale } from "./question-scale.js";
import { isWarningAbout } from "./spoken-units.js";

/** Whether a question asks what to do in a case, and not how something is done. */
export function asksConsequence(question: string): boolean {
  return ASKS_CONSEQUENCE.test(question);
}

const ASKS_CONSEQUENCE =
  /\bwhat (?:do|should|must|shall|can|would) (?:i|we|you|they) (?:have to |need to )?do (?:with|when|if|about)\b/i;

export interface Consequence {
  readonly passage: Passage;
  readonly unit: PassageUnit;
  /** In the order of the document. */
  readonly warnings: readonly PassageUnit[];
}

/**
 * The sentence that names all that titles and headings of `sections` do not, with the warnings about it;
 * undefined where they name everything, or no sentence does.
 */
export async function consequenceOf(
  { question }: QuestionScale,
  sections: readonly Passage[],
  passages: readonly Passage[],
): Promise<Consequence | undefined> {
  const telling = [...question.telling.keys()];
  const titled = new Set(sections.flatMap((section) => [...contextTerms(section)]));
  const untitled = new Set(telling.filter((term) => !titled.has(term)));
  if (untitled.size === 0) return undefined;
  for (const passage of passages) {
    const context = contextTerms(passage);
    const units = passageUnits(passage);
    for (const unit of units) {
      await pause();
      if (unit.role === "heading" || unit.role === "step") continue;
      const own = new Set(unitTerms(unit));
      const says = (term: string) => own.has(term) || (context.has(term) && !untitled.has(term));
      if (!telling.every(says)) continue;
      const warnings = units.filter((other) => other !== unit && isWarningAbout(own, other));
      return { passage, unit, warnings };
    }
  }
  return undefined;
}
