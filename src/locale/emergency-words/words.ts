/** The words of emergencies: `locales/emergency/`, one file a language, one row a role. */
import { shippedEntries } from "../../lib/shipped-files.js";
import { byLanguage, type Language } from "../../words/polarity.js";

/**
 * What a language has to say about emergencies, as lists of entries between commas. An entry is one word or several in
 * a row; `*` at the end of a word stands for any ending, `=` at its beginning for accents that count, and `_` between
 * two words for a gap of a few others.
 */
export interface EmergencyWords {
  /** Calls for help that are one wherever they stand. */
  readonly cries: string;
  /** The same for words that are a call only where a clause is little else: "help" and not "help with the form". */
  readonly alone: string;
  /** Tells of a person in danger, or of a danger, whatever stands beside it. */
  readonly dire: string;
  /** What only the living undergo, whoever it is: no person need be named, but no thing may stand before it. */
  readonly suffers: string;
  readonly thing: string;
  /** Blows that are an emergency where a person follows, or stands in the gap. */
  readonly strikes: string;
  /** Tells of a fire, but of a lamp, a candle or a pilot flame … */
  readonly burns: string;
  readonly lit: string;
  /** … and what smoke and sparks come from, besides what crushes. */
  readonly smokes: string;
  readonly equipment: string;
  /** Tells of a fire or a leak where a substance or a hazard stands with it. */
  readonly smells: string;
  readonly who: string;
  readonly body: string;
  /** What happens to a person or a part of the body. */
  readonly harm: string;
  /** What is an injury only of a part of the body. */
  readonly wound: string;
  /** A part of the body in, and a person or a part of the body under … */
  readonly into: string;
  readonly under: string;
  /** … one of these is in danger. */
  readonly crusher: string;
  readonly summon: string;
  readonly rescue: string;
  /** Dangers that are reported by their name and a place. */
  readonly hazard: string;
  /** Follows such a name: a place, or where it comes from. */
  readonly place: string;
  readonly substance: string;
  /** A substance gets out, or into somebody. */
  readonly escapes: string;
  readonly weapon: string;
  readonly armed: string;
  /** What comes after it is supposed and not told; `upon` for the next words only. */
  readonly supposing: string;
  readonly upon: string;
  /** Asks about what comes after it; `opening` only as the first word. */
  readonly asking: string;
  readonly opening: string;
  /** Verbs that begin a question where a question mark ends it, and a report where none does. */
  readonly verbFirst: string;
  /** "What do I do now?": nothing before it or after it is part of that question. */
  readonly whatNow: string;
  /** Denies the next words. */
  readonly denying: string;
  /** Not now: nothing in that sentence is. */
  readonly past: string;
  /** No more than usual: nothing in that clause is. */
  readonly usual: string;
  /** A document, an exercise, a number: dangers are their subject. */
  readonly paper: string;
  /** Things, offices and figures of speech that are named after dangers. */
  readonly harmless: string;
}

/** By language. That each file has each role, and no other, is held by `words.test.ts`. */
export const EMERGENCY_WORDS = byLanguage(
  (language: Language) => shippedEntries(`locales/emergency/${language}.txt`) as unknown as EmergencyWords,
);
