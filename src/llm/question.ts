/** What a question asks for, as far as words tell it: its terms, how much each one says, and the kind of answer. */
import { analyze } from "../lib/english-analyzer.js";

export interface Question {
  /** The terms that tell what the question is about, and how much each counts before the passages are known. */
  readonly telling: ReadonlyMap<string, number>;
  /** Terms that fit any question. */
  readonly generic: ReadonlySet<string>;
  /** Terms with digits, such as part numbers and years: a passage without them is about something else. */
  readonly identifiers: readonly string[];
  readonly seeks: "steps" | "quantity" | "fact";
}

/** Weight of a word from the user's turn before, if the question leans on it; a word of its own has 1. */
const PRIOR_WEIGHT = 0.5;

export function readQuestion(text: string, priorUserTurn?: string): Question {
  const terms = new Set(analyze(text));
  const own = [...terms].filter((term) => !GENERIC.has(term));
  const telling = new Map(own.map((term) => [term, 1]));
  if (priorUserTurn !== undefined && (own.length < 2 || LEANS_BACK.test(text))) {
    for (const term of analyze(priorUserTurn)) {
      if (!GENERIC.has(term) && !telling.has(term)) telling.set(term, PRIOR_WEIGHT);
    }
  }
  return {
    telling,
    generic: new Set([...terms].filter((term) => GENERIC.has(term))),
    identifiers: own.filter((term) => /\p{N}/u.test(term)),
    seeks: seeks(text),
  };
}

function seeks(text: string): Question["seeks"] {
  if (QUANTITY.test(text)) return "quantity";
  return STEPS.test(text) ? "steps" : "fact";
}

const QUANTITY =
  /\bhow (?:long|many|much|often|far|high|deep|wide|thick|fast|hot|cold|warm|heavy|old|soon|late|early|big|large|loud|close)\b|\bwhen\b|\bwhat (?:time|day|date|temperature|pressure|torque|speed|distance|price|number|percentage|dose|limit|weight|voltage|size)\b/i;

const STEPS =
  /\bhow (?:do|to|can|should|must|would|are|is)\b|\bwhat (?:do|should|must|shall|are) (?:i|we|you|they|the (?:first )?steps)\b|\b(?:steps?|procedures?|checklists?|instructions?|process|walk me through|take me through)\b/i;

/** Words that point back at what was said before. */
const LEANS_BACK =
  /\b(?:it|its|that|this|they|them|those|these|there|then|he|she|one|ones|same|else|next)\b|^(?:and|but|so|or)\b/i;

/** Words that fit any question or request, as the analyzer writes them. */
const GENERIC: ReadonlySet<string> = new Set(
  analyze(
    "what which who whom whose when where why how do does did done doing i we you me my our us he she him his her its " +
      "can could should would shall may might must need needs have has had having am been being were from about " +
      "after before during over under out up down off than so more most less least other also just only very please " +
      "many much long often far old big some any all each every first last next one two three get got getting go " +
      "goes going come comes take takes make makes use uses using used say says said tell give gives find know " +
      "happen happens mean means call called list describe explain define show name type kind sort thing things way " +
      "ways different difference between ask asked want wants work works okay ok hello hi hey thanks thank here now",
  ),
);
