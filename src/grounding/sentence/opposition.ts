/** Whether two words exclude each other: opposites, or members of a set of which one thing has one. */
import { wordSet } from "../../lib/word-set.js";
import type { WordInfo } from "./lexicon.js";

/** Words that join, whose sense hangs on the order of what they join: see `check/roles.ts`. */
const JOINING = wordSet(
  "befor after before prior follow with in into within abov above below over under underneath beneath",
);

/** Prepositions that say the same with their sides exchanged. */
export const MIRRORED: Readonly<Record<string, string>> = {
  before: "after",
  after: "before",
  above: "below",
  below: "above",
  over: "under",
  under: "over",
};

export function excludes(a: WordInfo, b: WordInfo): boolean {
  if (a.exclusive >= 0 && a.exclusive === b.exclusive && a.term !== b.term) return true;
  return sharesAxis(a, b, -1);
}

/** On the same side of an axis: "always" and "all" are not the same, but no opposites either. */
export function sharesSide(a: WordInfo, b: WordInfo): boolean {
  return a.weight !== "function" && b.weight !== "function" && sharesAxis(a, b, 1) && !sharesAxis(a, b, -1);
}

function sharesAxis(a: WordInfo, b: WordInfo, sign: 1 | -1): boolean {
  if (a.poles.length === 0 || b.poles.length === 0 || a.term === b.term) return false;
  if (JOINING.has(a.stem) || JOINING.has(b.stem)) return false;
  return a.poles.some((one) =>
    b.poles.some(({ axis, sign: own }) => axis === one.axis && own === one.sign * sign),
  );
}
