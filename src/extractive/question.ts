/** What a question asks for, as far as words tell it: its terms, how much each one says, and the kind of answer. */

import { analyze } from "../lib/english-analyzer.js";
import { deniedIn } from "../words/denied.js";
import { quantitiesIn } from "../words/quantity/quantities.js";
import type { Quantity } from "../words/quantity/quantity.js";
import {
  ACTION,
  ASKS,
  ASKS_OF_FACTS,
  CIRCUMSTANCE,
  CONSEQUENCE,
  DEALING,
  DENYING,
  HAPPENING,
  HOW_MUCH,
  LIST,
  MARKED_AMOUNT,
  PAST,
  READING,
  STEPS,
  SUPPOSES,
} from "../words/question-forms.js";
import { GENERIC_WORDS, LIGHT_VERBS } from "../words/questions.js";
import { STEP_ASKED, stepAsked } from "../words/step-asked.js";
import { expectedOf, forbids, MEASURED, type Shown, saidByUnit } from "./expected-kind.js";
import { namedIn } from "./named-numbers.js";
import { limitOf, measuredIn, type Said, statedIn } from "./stated.js";
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
  /** By its name, the numbers that tell a thing from others of that: "room 3". */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
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
  /** Telling terms that only tell when or where: "before I drive". A sentence may leave them to its passage. */
  readonly circumstances: ReadonlySet<string>;
  /** Asks or orders something, rather than tell what is so. */
  readonly asks: boolean;
  /** The words for what has happened, where nothing else is asked than what follows from it. */
  readonly happened: readonly string[];
  /** The amounts that it gives. */
  readonly given: readonly Quantity[];
  /** Its first numbers. */
  readonly numbers: readonly Said[];
  /** Whether it states them, to hear whether they are as they should be. */
  readonly states: boolean;
  /** The terms of what they were measured of, where a word tells which of its kind: "lauter tun". */
  readonly measured: readonly string[];
  /** What an answer has to show when a certain kind is asked for, such as a figure, a place or a permission. */
  readonly expects?: Shown;
}

/** Weight of a word from the user's turn before, where the question leans on it; a word of its own has 1. */
const PRIOR_WEIGHT = 0.5;
/** Of "deep" in "how deep", which the unit says, of "get" and its like, and of the number of "room 3", which says little more. */
const LIGHT_WEIGHT = 0.5;

/** Weight of what one wants to do with a value that one states, in clauses without it: it tells less than what was measured. */
const ASIDE_WEIGHT = 0.25;

/** More are not looked for in the names of rows and columns. */
const NUMBERS_MAX = 8;

/** Different terms of a question that count, and terms in a row: as many as the search looks up. */
export const QUESTION_TERMS_MAX = 256;

/** `priorUserTurn`: what the same user asked before, where the question leans on it. */
export function readQuestion(asked: string, priorUserTurn?: string): Question {
  const whole = asked.replace(/\s+/g, " ").trim();
  const step = stepAsked(whole);
  const quantities = quantitiesIn(whole);
  const stated = statedOfThings(whole);
  const text = (step === undefined ? without(stated, whole) : whole.replace(STEP_ASKED, "steps")).replace(
    DEALING,
    "how to",
  );
  const all = tellingTerms(text.replace(HOW_MUCH, "how"));
  const isCoded = all.some((term) => CODE.test(term));
  const own = isCoded ? all.filter((term) => !CALLS_A_CODE.has(term)) : all;
  const measures = termsOf(MEASURED.exec(text)?.[1] ?? "");
  const isThing = (term: string) => own.includes(term) && !measures.includes(term) && !LIGHT.has(term);
  const named = new Map<string, Set<string>>();
  for (const { code, kinds, number } of namedIn(text)) {
    const kind = kinds[0]!;
    if (code !== undefined || isThing(kind)) named.set(kind, (named.get(kind) ?? new Set()).add(number));
  }
  const numbers = new Set([...named.values()].flatMap((ofKind) => [...ofKind]));
  const weightOf = (term: string) => (isThing(term) && !numbers.has(term) ? 1 : LIGHT_WEIGHT);
  const within = new Set(tellingTerms(clausesOf(stated, whole)));
  const isAside = (term: string) => !within.has(term) && own.some((one) => within.has(one));
  const telling = new Map(own.map((term) => [term, isAside(term) ? ASIDE_WEIGHT : weightOf(term)]));
  const topics = new Set(own.filter((term) => weightOf(term) === 1));
  for (const term of priorUserTurn === undefined ? [] : tellingTerms(priorUserTurn)) {
    if (telling.has(term)) continue;
    telling.set(term, PRIOR_WEIGHT);
    topics.add(term);
  }
  const tellsCode = isCoded && (own.length === 1 || !ASKS_OF_FACTS.test(text));
  const measured = tellingTerms(measuredIn(whole, stated)).filter((term) => topics.has(term));
  // "And the lugs?" wants what was asked of the sockets.
  const asking = priorUserTurn === undefined || ASKS_ANEW.test(text) ? text : `${priorUserTurn} ${text}`;
  const expects = stated.length > 0 ? limitOf(stated) : expectedOf(asking);
  const asks = ASKS.test(text);
  const tellsOf = asks && !HAPPENING.test(text) ? [] : (text.toLowerCase().match(PAST) ?? []);
  const implied = new Set(termsOf(saidByUnit(text).join(" ")).filter((term) => telling.has(term)));
  const action = termsOf(ACTION.exec(text)?.[1] ?? "").find((term) => telling.has(term));
  return {
    telling,
    topics,
    words: termsOf(text).slice(0, QUESTION_TERMS_MAX),
    implied,
    identifiers: own.filter((term) => /\p{N}/u.test(term)),
    named,
    circumstances: circumstancesIn(expects !== undefined && ASKS_OF_FACTS.test(text) ? text : "", own),
    seeksList: expects === forbids || (expects === undefined && LIST.test(text)),
    // Who tells of a code, and asks for no fact of it, wants all that stands under it.
    seeksSteps: expects === undefined && (STEPS.test(text) || (tellsCode && priorUserTurn === undefined)),
    seeksConsequence: expects === undefined && CONSEQUENCE.test(text),
    supposes: SUPPOSES.test(text),
    asks,
    happened: tellsOf.filter((word) => tellingTerms(word).length > 0),
    given: stated.length > 0 ? stated : quantities.filter(({ dimension }) => dimension !== "count"),
    numbers: quantities
      .slice(0, NUMBERS_MAX)
      .map((amount) => ({ amount, clause: new Set(termsOf(clausesOf([amount], whole))) })),
    states: stated.length > 0,
    measured: measured.length > 1 ? measured : [],
    ...(action === undefined ? {} : { action }),
    ...(step === undefined ? {} : { step }),
    ...(expects === undefined ? {} : { expects }),
  };
}

/** The amounts that are stated of something: "it's minus 18, do we start" may be of anything. */
function statedOfThings(text: string): readonly Quantity[] {
  const stated = statedIn(text);
  const [within, all] = [clausesOf(stated, text), text].map((one) => tellingTerms(without(stated, one)));
  return within!.length > 0 || all!.length > 1 ? stated : [];
}

/** The clauses with an amount. */
function clausesOf(stated: readonly Quantity[], text: string): string {
  const clauses = text.split(/[,;?!]|\.(?!\d)/);
  return clauses.filter((clause) => stated.some((one) => clause.includes(one.text))).join(" . ");
}

const ASKS_ANEW = /\b(?:what|which|who|whom|whose|where|when|why|how)\b/i;

/** A code as the analyzer writes it: "e31". */
export const CODE = /^\p{L}+\p{N}+$/u;

/** A question without its amounts and what only says that they are read: they are no words of the answer. */
function without(stated: readonly Quantity[], whole: string): string {
  if (stated.length === 0) return whole;
  const marked = stated.reduce((text, one) => text.replace(one.text, "#"), whole);
  return marked.replace(MARKED_AMOUNT, " ").replace(READING, " ");
}

/** The telling terms of a clause at the end that are nowhere before it; none where nothing else would be left to ask. */
function circumstancesIn(text: string, own: readonly string[]): ReadonlySet<string> {
  const from = text.lastIndexOf(",") + 1;
  const at = text.slice(from).search(CIRCUMSTANCE);
  const main = new Set(termsOf(text.slice(0, from + at)));
  const circumstances = own.filter((term) => !main.has(term));
  return new Set(at > 0 && circumstances.length < own.length ? circumstances : []);
}

function tellingTerms(text: string): readonly string[] {
  const telling = (terms: readonly string[]) =>
    terms.filter((term) => !GENERIC.has(term) && !DENYING.test(term)).map(common);
  const marked = new Set(telling(deniedIn(text).flatMap(analyze)).map(denied));
  const terms = telling(analyze(text)).filter((term) => !marked.has(denied(term)));
  return [...new Set([...terms, ...marked])].slice(0, QUESTION_TERMS_MAX);
}

/** Verbs that say something, but not much. */
const LIGHT: ReadonlySet<string> = new Set(analyze(LIGHT_VERBS));

/** Words that fit any question or request, as the analyzer writes them. */
const GENERIC: ReadonlySet<string> = new Set(analyze(GENERIC_WORDS));

/** What is said before a code says no more than that it is one. */
const CALLS_A_CODE: ReadonlySet<string> = new Set(tellingTerms("error fault code display"));
