/** When documents that hold say different things about what a sentence claims, both are said instead of it. Pure. */
import type { Phrases } from "../answer/phrases.js";
import { sourceAloud } from "../answer/source.js";
import type { Passage } from "../domain/passage.js";
import type { Support } from "../grounding/check/check.js";
import type { Conflict } from "../grounding/conflict.js";

/** The words for the disagreement. */
export function disagreement(
  conflict: Conflict,
  passages: ReadonlyMap<string, Passage>,
  phrases: Phrases,
): string {
  const said = ({ source, value }: Support) => {
    const passage = passages.get(source);
    return { source: passage === undefined ? source : sourceAloud(passage, phrases.locale), text: value };
  };
  return phrases.documentsDisagree(said(conflict.first), said(conflict.second));
}
