/** Words behind which a number is a name: "channel 4", "gate 4C". */
import { wordSet } from "../lib/word-set.js";

const LABELLED = wordSet(
  "channel extension ext door gate room step zone till line number no form table figure chapter section page class " +
    "point bay dock aisle rack shelf pump valve tank machine unit level floor building hall box cabinet breaker button " +
    "lane row post position station group type grade phase stage revision version part item route dial call band seat " +
    "appendix annex",
);

/** Whether a number behind this word, in lower case, is a name. */
export function isNumbered(lower: string | undefined): boolean {
  return lower !== undefined && LABELLED.has(lower);
}
