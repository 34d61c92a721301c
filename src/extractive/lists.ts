/** A list as an answer: whole, or the first of it with what is left. */
import type { Passage } from "../domain/passage.js";
import { once } from "../lib/once.js";
import { type List, passageUnits } from "./passage-units.js";
import { ended } from "./spoken-units.js";
import { termsOf } from "./terms.js";

/** The lists of a passage that are no procedures, in order. */
export const listsIn = once((passage: Passage): readonly List[] => {
  const lists = passageUnits(passage).flatMap(({ list }) => (list === undefined ? [] : [list]));
  return [...new Set(lists)].filter(({ isOrdered, units }) => !isOrdered && units.length >= ITEMS_MIN);
});

/** One thing is no list. */
const ITEMS_MIN = 2;

/** The terms of what a list is said to be a list of: its lead-in, and where nothing else stands below it, its heading. */
export function aboutList({ lead }: List, { headings }: Passage): readonly string[] {
  return termsOf([headings.at(-1) ?? "", lead ?? ""].join(" . "));
}

/** A list as it is said, each item a sentence, the first behind what leads in to it. */
export function listAloud({ lead, units }: List, heading: string | undefined): readonly string[] {
  const about = lead ?? heading;
  return units.map(({ text }, i) =>
    i === 0 && about !== undefined ? `${about}: ${ended(text)}` : ended(capitalized(text)),
  );
}

/** With a large letter, by which the end of the sentence before it is known. "pH" and "µl" stay as they are. */
function capitalized(text: string): string {
  return text.replace(/^\p{Ll}(?=\p{Ll}|[ ,])/u, (letter) => letter.toUpperCase());
}

/**
 * A list with what of it stands in the next passages of its section, of which `document` has all: a long one is cut
 * into several.
 */
export function wholeOf(list: List, passage: Passage, document: readonly Passage[]): List {
  const units = [...list.units];
  let last: Passage = passage;
  for (const next of document) {
    const first = passageUnits(next)[0];
    if (next.position !== last.position + 1 || passageUnits(last).at(-1) !== units.at(-1)) continue;
    const isSame = next.headings.join("\n") === passage.headings.join("\n");
    if (!isSame || first?.list === undefined || first.list.isOrdered || first.list.lead !== undefined) break;
    units.push(...first.list.units);
    last = next;
  }
  return { ...list, units };
}
