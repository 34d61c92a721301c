/** When documents that hold say different things about what a sentence claims, both are said instead of it. Pure. */
import type { Phrases } from "../answer/phrases.js";
import { sourceAloud } from "../answer/source.js";
import type { Passage } from "../domain/passage.js";
import type { Support } from "../grounding/check.js";
import { conflictsOf } from "../grounding/conflict.js";
import type { PreparedEvidence } from "../grounding/evidence.js";
import type { CheckedSentence } from "./checked-sentence.js";

/** The words for the disagreement; undefined when there is none. */
export function conflictIn(
  { text, check }: CheckedSentence,
  evidence: PreparedEvidence,
  passages: ReadonlyMap<string, Passage>,
  phrases: Phrases,
): string | undefined {
  const [conflict] = conflictsOf(text, check, evidence);
  if (conflict === undefined) return undefined;
  const said = ({ source, value }: Support) => {
    const passage = passages.get(source);
    return { source: passage === undefined ? source : sourceAloud(passage, phrases.locale), text: value };
  };
  return phrases.documentsDisagree(said(conflict.first), said(conflict.second));
}
