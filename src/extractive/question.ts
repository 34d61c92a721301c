/** What a question asks for, as far as words tell it: its terms, how much each one says, and the kind of answer. */

import { analyze } from "../lib/english-analyzer.js";
import { pattern } from "../lib/pattern.js";
import { NUMBER_WORDS } from "../words/number-words.js";
import { quantitiesIn } from "../words/quantity/quantities.js";
import type { Dimension } from "../words/quantity/units.js";
import { GENERIC_WORDS, LIGHT_VERBS } from "../words/questions.js";
import { deniedIn } from "./denied.js";
import { expectedOf, forbids, MEASURED, type Shown, saidByUnit } from "./expected-kind.js";
import { common, denied, termsOf } from "./terms.js";

export interface Question {
  /** The terms that tell what the question is about, and how much each counts before the passages are known. */
  readonly telling: ReadonlyMap<string, number>;
  /** The telling terms that it may be about: not "take" or "deep". */
  readonly topics: ReadonlySet<string>;
  /** All terms in order, those that fit any question too. */
  readonly words: readonly string[];
  /** Terms with digits, such as part numbers and years: a passage without them is about something else. */
  readonly identifiers: readonly string[];
  /** The term before each number that tells one thing from others of its name, and the number: "room 3". */
  readonly numbered: readonly (readonly [string, string])[];
  /** Asks how something is done, or what to do now: the answer is a procedure, or stands under a heading. */
  readonly seeksSteps: boolean;
  /** The step of the procedure that is asked for alone, by its number, or `LAST_STEP`. */
  readonly step?: number;
  /** Asks what to do in a case: what follows may be said by a sentence as well. */
  readonly seeksConsequence: boolean;
  /** Asks about a case that may be so or not. */
  readonly supposes: boolean;
  /** Asks for several things: "what do I need", "which tools". A list answers it, as a whole. */
  readonly seeksList: boolean;
  /** What one wants to do, in "how do I start it"; absent when that is said otherwise. */
  readonly action?: string;
  /** Telling terms that a sentence of the kind asked says by its unit: "fast" by "8 km/h". */
  readonly implied: ReadonlySet<string>;
  /** Telling terms that only tell when or where: "before I drive". A sentence may leave them to its surroundings. */
  readonly circumstances: ReadonlySet<string>;
  /** Asks or orders something, rather than tell what is so. */
  readonly asks: boolean;
  /** The words for what has happened, where nothing else is asked than what follows from it. */
  readonly happened: readonly string[];
  /** The dimensions of the amounts that it gives. */
  readonly given: readonly Dimension[];
  /** What an answer has to show when a certain kind is asked for, such as a figure, a place or a permission. */
  readonly expects?: Shown;
}

/** Weight of a word from the user's turn before, where the question leans on it; a word of its own has 1. */
const PRIOR_WEIGHT = 0.5;
/** Weight of "deep" in "how deep": an answer may say it by the unit alone. */
const MEASURE_WEIGHT = 0.5;
/** Weight of "get" and its like: an answer often has another word for it. */
const LIGHT_WEIGHT = 0.5;

/** Different terms of a question that count, and terms in a row: as many as the search looks up. */
export const QUESTION_TERMS_MAX = 256;

/** `priorUserTurn`: what the same user asked before, where the question leans on it. */
export function readQuestion(asked: string, priorUserTurn?: string): Question {
  const whole = asked.replace(/\s+/g, " ").trim();
  const step = stepAsked(whole);
  const text = (step === undefined ? whole : whole.replace(STEP_ASKED, "steps")).replace(DEALING, "how to");
  const own = tellingTerms(text.replace(HOW_MUCH, "how"));
  const measures = termsOf(MEASURED.exec(text)?.[1] ?? "");
  const weightOf = (term: string) =>
    measures.includes(term) ? MEASURE_WEIGHT : LIGHT.has(term) ? LIGHT_WEIGHT : 1;
  const telling = new Map(own.map((term) => [term, weightOf(term)]));
  const topics = new Set(own.filter((term) => weightOf(term) === 1));
  for (const term of priorUserTurn === undefined ? [] : tellingTerms(priorUserTurn)) {
    if (telling.has(term)) continue;
    telling.set(term, PRIOR_WEIGHT);
    topics.add(term);
  }
  const expects = expectedOf(text);
  const asks = ASKS.test(text);
  const implied = new Set(termsOf(saidByUnit(text).join(" ")).filter((term) => telling.has(term)));
  const circumstances =
    expects !== undefined && ASKS_OF_FACTS.test(text) ? circumstancesIn(text, own) : new Set<string>();
  const action = termsOf(ACTION.exec(text)?.[1] ?? "").find((term) => telling.has(term));
  return {
    telling,
    topics,
    words: termsOf(text).slice(0, QUESTION_TERMS_MAX),
    implied,
    circumstances,
    identifiers: own.filter((term) => /\p{N}/u.test(term)),
    numbered: [...text.matchAll(NUMBERED)]
      .map(([, thing, number]) => [termsOf(thing!)[0] ?? "", number!] as const)
      .filter(([thing]) => topics.has(thing)),
    seeksList: expects === forbids || (expects === undefined && LIST.test(text)),
    seeksSteps: expects === undefined && STEPS.test(text),
    seeksConsequence: expects === undefined && CONSEQUENCE.test(text),
    supposes: SUPPOSES.test(text),
    asks,
    happened:
      asks && !/\bdo (?:when|if)\b/i.test(text)
        ? []
        : (text.toLowerCase().match(PAST) ?? []).filter((word) => tellingTerms(word).length > 0),
    given: quantitiesIn(text).flatMap(({ dimension }) => (dimension === "count" ? [] : [dimension])),
    ...(action === undefined ? {} : { action }),
    ...(step === undefined ? {} : { step }),
    ...(expects === undefined ? {} : { expects }),
  };
}

export const LAST_STEP = Infinity;

/** "Step 4", "the third step", "what comes after step 3", where that is what is asked for. */
function stepAsked(question: string): number | undefined {
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
const STEP_ASKED = new RegExp(
  `\\b(?:(after|before) )?(?:step (?:number )?(\\d{1,2}|${[...CARDINALS.keys()].join("|")})|` +
    `(\\d{1,2}(?:st|nd|rd|th)|${[...ORDINALS.keys()].join("|")}) step)\\b`,
  "i",
);

function tellingTerms(text: string): readonly string[] {
  const telling = (terms: readonly string[]) =>
    terms.filter((term) => !GENERIC.has(term) && !DENYING.test(term)).map(common);
  const marked = new Set(telling(deniedIn(text).flatMap(analyze)).map(denied));
  const terms = telling(analyze(text)).filter((term) => !marked.has(denied(term)));
  return [...new Set([...terms, ...marked])].slice(0, QUESTION_TERMS_MAX);
}

/** The telling terms of a clause at the end that are nowhere before it; none where too little would be left to ask. */
function circumstancesIn(text: string, own: readonly string[]): ReadonlySet<string> {
  const start = circumstanceStart(text);
  if (start === undefined) return new Set();
  const main = new Set(termsOf(text.slice(0, start)));
  const circumstances = own.filter((term) => !main.has(term));
  return new Set(own.length - circumstances.length >= MAIN_TERMS_MIN ? circumstances : []);
}

/** Not "may I", of which the answer hangs on the circumstances. */
const ASKS_OF_FACTS = /\b(?:how|what|which|where)\b/i;

/** Where the first such clause behind the last comma begins, if anything of the question stands before it. */
function circumstanceStart(text: string): number | undefined {
  const begun = BEGINNING.exec(text)?.[0].length ?? text.length;
  CIRCUMSTANCE.lastIndex = Math.max(begun, text.lastIndexOf(",") + 1);
  return CIRCUMSTANCE.exec(text)?.index;
}

/** Up to the second letter. */
const BEGINNING = /^\P{L}*\p{L}\P{L}*\p{L}/u;

const CIRCUMSTANCE =
  /(?<=\s)(?:(?:before|after|during|while)\b|when (?:i|we|you|they|he|she|somebody|someone|it)\b)/giu;

/** Telling terms outside of the circumstances at the least. */
const MAIN_TERMS_MIN = 1;

/** In "how do I treat a burn" the verb says no more than that something has to be done. */
const DEALING = pattern("gi")`
  \bhow (?:do i|do we|do you|should i|should we|can i|to) (?:treat|handle|deal with|manage
  |react to|respond to|run|perform|conduct|carry out|go about)\b
`;

/** In "how long" the second word tells what kind of answer is wanted, not what it is about. */
const HOW_MUCH = /\bhow (?:long|many|much|often|far|quickly|soon|late|early)\b/gi;

const ACTION = /\bhow (?:to|(?:do|can|should|must|would) \p{L}+) (\p{L}+)/iu;

const STEPS = pattern("i")`
  \bhow (?:do|to|can|should|must|would|are|is)\b|\bwhat (?:do|should|must|shall|can
  |would) (?:i|we|you|they|somebody) (?:do|have to do|need to do)\b|\bwhat (?:now|next
  |to do|happens|are the (?:first )?steps)\b|\bthing to do\b|\b(?:steps|procedures?
  |checklists?|instructions?|process|walk me through|take me through)\b
`;

const CONSEQUENCE =
  /\bwhat (?:do|should|must|shall|can|would) (?:i|we|you|they) (?:have to |need to )?do (?:with|when|if|about)\b|\bsteps (?:for|when|if|after)\b/i;

const ASKS = pattern("iu")`
  \?|\b(?:what|which|who|whom|whose|where|when|why|how)\b|^\P{L}*(?:is|are|am|was|were|do|does|did|has|have|can|could|may
  |must|should|shall|will|would|tell|show|give|list|name|read|explain|describe|steps?|procedures?)\b
  |\b(?:can|may|must|should|shall|do) (?:i|we|you|they|he|she|it)\b
`;

const PAST = /(?<!\p{L})\p{L}{2,}(?<!e)ed(?!\p{L})/gu;

const SUPPOSES =
  /\b(?:what|how)\b.{0,80}\b(?:if|when|happens|with)\b|^(?:if|when) \P{L}*(?:an?|the|my|our|some\p{L}+)\b/iu;

/** "What do I check", "what must it state", "which tools", "what are the rules", "who can stop it", "when is it always". */
const LIST = pattern("iu")`
  \b(?:what|which)(?: \p{L}+){0,3}? (?:do|does|must|mustn't|should|shouldn't|shall|can|can't
  |cannot|may) |\b(?:what|which) (?:\p{L}+ ){0,3}\p{L}{2,}s\b|\bwhat goes\b
  |\bwho (?:can|may|has|is allowed)\b|\b(?:list|name) (?:all|the)\b
`;

const NUMBERED = /(?<!\p{L})(\p{L}+) (\d{1,3})\b(?![.,:]\d| ?[%°])/gu;

/** Verbs that say something, but not much. */
const LIGHT: ReadonlySet<string> = new Set(analyze(LIGHT_VERBS));

/** Denied terms are marked; the words that deny them say no more. */
const DENYING = /^(?:cannot|without)$|n['’]t$/;

/** Words that fit any question or request, as the analyzer writes them. */
const GENERIC: ReadonlySet<string> = new Set(analyze(GENERIC_WORDS));
