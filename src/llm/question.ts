/** What a question asks for, as far as words tell it: its terms, how much each one says, and the kind of answer. */
import { analyze } from "../lib/english-analyzer.js";

export interface Question {
  /** The terms that tell what the question is about, and how much each counts before the passages are known. */
  readonly telling: ReadonlyMap<string, number>;
  /** Terms that fit any question. */
  readonly generic: ReadonlySet<string>;
  /** Terms with digits, such as part numbers and years: a passage without them is about something else. */
  readonly identifiers: readonly string[];
  /** Asks how something is done: the answer is a procedure. */
  readonly seeksSteps: boolean;
  /** What an answer has to show when a certain kind is asked for, such as a figure or a place. */
  readonly expects?: RegExp;
}

/** Weight of a word from the user's turn before, if the question leans on it; a word of its own has 1. */
const PRIOR_WEIGHT = 0.5;

export function readQuestion(text: string, priorUserTurn?: string): Question {
  const terms = new Set(analyze(text.replace(HOW_MEASURED, "how")));
  const own = [...terms].filter((term) => !GENERIC.has(term));
  const telling = new Map(own.map((term) => [term, 1]));
  if (priorUserTurn !== undefined && (own.length < 2 || LEANS_BACK.test(text))) {
    for (const term of analyze(priorUserTurn)) {
      if (!GENERIC.has(term) && !telling.has(term)) telling.set(term, PRIOR_WEIGHT);
    }
  }
  const expects = KINDS.find(([asked]) => asked.test(text))?.[1];
  return {
    telling,
    generic: new Set([...terms].filter((term) => GENERIC.has(term))),
    identifiers: own.filter((term) => /\p{N}/u.test(term)),
    seeksSteps: expects === undefined && STEPS.test(text),
    ...(expects === undefined ? {} : { expects }),
  };
}

/** In "how deep" the second word tells what kind of answer is wanted, not what it is about. */
const HOW_MEASURED =
  /\bhow (?:long|many|much|often|far|high|low|deep|wide|thick|fast|quickly|hot|cold|warm|heavy|old|soon|late|early|big|large|loud|close)\b/gi;

/** Kinds of question, and what a sentence has that answers it. The first that fits counts. */
const KINDS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bhow often\b/i, /\b(?:every|each|once|twice|hourly|daily|weekly|monthly|yearly|times)\b/i],
  [/\bhow (?:long|soon|old)\b/i, /\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|until|h|min)\b/i],
  [
    /\bwhen (?:is|are|was|do|does|did|can|may|must|should|will|would|shall)\b|\bwhat (?:time|day|date)\b/i,
    /\d:\d\d|\b(?:\d+ ?[ap]m|before|after|until|when|as soon as|at the end|every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/i,
  ],
  [
    /\bwhere\b/i,
    /\b(?:at|in|beside|behind|next to|near|under|above|along|inside|outside|left|right|hangs?|stands?)\b/i,
  ],
  [
    new RegExp(HOW_MEASURED, "i"),
    /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|no|none|all)\b/iu,
  ],
];

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
      "some any all each every first last next one two three get got getting go " +
      "goes going come comes take takes make makes use uses using used say says said tell give gives find know " +
      "happen happens mean means call called list describe explain define show name type kind sort thing things way " +
      "ways different difference between time times ask asked want wants work works okay ok hello hi hey thanks thank here now",
  ),
);
