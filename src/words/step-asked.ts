/** Questions for one step of a procedure, in English. */
import { NUMBER_WORDS } from "./number-words.js";

/** In the place of a number. */
export const LAST_STEP = Infinity;

/** "Step 4", "the third step", "what comes after step 3", where that is what is asked for. */
export function stepAsked(question: string): number | undefined {
  const [, beside = "", number, place = number] =
    (ASKS_OF_STEP.test(question) && STEP_ASKED.exec(question)) || [];
  if (place === undefined) return undefined;
  const word = place.toLowerCase();
  const at = ORDINALS.get(word) ?? CARDINALS.get(word) ?? Number.parseInt(word, 10);
  return at + (/after/i.test(beside) ? 1 : /before/i.test(beside) ? -1 : 0);
}

const CARDINALS = NUMBER_WORDS.en.small;
const ORDINALS = new Map([...NUMBER_WORDS.en.ordinals, ["last", LAST_STEP], ["final", LAST_STEP]]);
const ASKS_OF_STEP = /^(?:and |so |then )?(?:what|what's|which|read|tell|say|give|repeat|the|step)\b/i;
/** The words that name the step. */
export const STEP_ASKED = new RegExp(
  `\\b(?:(after|before) )?(?:step (?:number )?(\\d{1,2}|${[...CARDINALS.keys()].join("|")})|` +
    `(\\d{1,2}(?:st|nd|rd|th)|${[...ORDINALS.keys()].join("|")}) step)\\b`,
  "i",
);
