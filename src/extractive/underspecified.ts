/**
 * Questions that name one thing and nothing about it, "Which extension do I call?": where several documents have such a
 * thing, the user is asked which of them is meant.
 */

import type { Passage } from "../domain/passage.js";
import { BARE } from "../words/question-forms.js";
import { passageUnits, unitTerms } from "./passage-units.js";
import type { QuestionScale } from "./question-scale.js";

/** The best passages of two documents that `question` may be about alike; undefined where it says enough. */
export function meantByEither(
  question: string,
  scale: QuestionScale,
  passages: readonly Passage[],
): readonly [Passage, Passage] | undefined {
  const { identifiers, telling } = scale.question;
  if (!BARE.test(question.trim()) || telling.size === 0 || identifiers.length > 0) return undefined;
  // The verb is often another one: "report on channel 4" for "which channel do I use".
  const full = [...telling].filter(([, weight]) => weight === 1);
  const things = (full.length > 0 ? full : [...telling]).map(([term]) => term);
  const fitting = passages.filter((passage) =>
    passageUnits(passage).some((unit) => {
      const terms = new Set(unitTerms(unit));
      return SHOWS_ONE.test(unit.text) && scale.isOfKind(unit) && things.every((term) => terms.has(term));
    }),
  );
  const [first] = fitting;
  const second = fitting.find(({ title }) => title !== first?.title);
  return first === undefined || second === undefined ? undefined : [first, second];
}

/** One of several of its kind has a number or a letter to tell it from the others. */
const SHOWS_ONE = /\p{N}|\b\p{Lu}\b/u;
