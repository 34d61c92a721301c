/** The fixed sentences of an answer, in the words of the persona that speaks. */

import type { Persona } from "../capability/capability.js";
import { CURRENT_AGE_MAX_MS } from "../grounding/age.js";
import { ago } from "../locale/ago.js";
import type { Locale } from "../locale/locale.js";

/** A document as it is named aloud, and a sentence of it. */
export interface SourceSentence {
  readonly source: string;
  readonly text: string;
}

export interface Phrases {
  /** The language that they are in. */
  readonly locale: Locale;
  readonly notInDocuments: string;
  readonly searchUnavailable: string;
  readonly restIsLost: string;
  /** Comes after an answer of which a part was left out, since no document bears it out. */
  readonly restNotCovered: string;
  /** What comes before a passage that is read aloud because the model is out of reach. */
  readingAloud(source: string): string;
  /** What comes before steps that are not all of their procedure. */
  partOfProcedure(title: string): string;
  /** What comes before the first items of a list that is too long to be heard at once. */
  partOfList(said: number, count: number): string;
  /** After a part of a list or a procedure: a yes goes on with it. */
  readonly goOn: string;
  /** Instead of steps that could not all be confirmed. */
  procedureRefused(source: string): string;
  documentsDisagree(first: SourceSentence, second: SourceSentence): string;
  /** Comes before the answer to a question about a revision that does not hold any more. */
  superseded(old: string, current: string): string;
  whichOne(first: string, second: string): string;
  /** Offers to read a section that may hold the answer. */
  offer(section: string, title: string): string;
  /** Before the sentence that contradicts what a question takes for granted. */
  readonly saysOtherwise: string;
  /** Before a sentence of a document that is read out word for word. */
  says(source: string): string;
  /** Before a sentence of a document in another language than the answer's: an ISO 639 code. */
  saysInLanguage(source: string, language: string): string;
  /** Instead of such a sentence, where it cannot be said: that it is there. */
  hasInLanguage(source: string, language: string): string;
  /** Before what rests on a reading of so many milliseconds ago. */
  asOf(ageMs: number): string;
  /** After a reading of the last minute. */
  readonly checkedNow: string;
  /** Before what rests on something that the user sent along, and on no document. */
  readonly fromAttached: string;
  readonly talk: TalkPhrases;
  /** For a screen: how to make sure of what is uncertain. */
  readonly verify: {
    source(source: string): string;
    readonly person: string;
    readonly later: string;
    readonly rephrase: string;
  };
}

/** What is said in turns that are not about documents, or about the answer before. */
export interface TalkPhrases {
  readonly greeting: string;
  readonly welcome: string;
  readonly goodbye: string;
  /** To somebody who wants nothing more to be said. */
  readonly stopped: string;
  /** There is no answer that could be said again, or it may not be said now. */
  readonly nothingSaid: string;
  /** Before the documents' own words, instead of a translation. */
  readonly needsModel: string;
  /** Before the documents' own words, instead of others. */
  readonly inTheirWords: string;
  readonly nothingMore: string;
  readonly nextStep: string;
  /** Where an answer comes from. */
  source(sources: string): string;
  /** Which systems of a site an answer was read from, and how many milliseconds ago. */
  systems(names: readonly string[], ageMs: number): string;
  readonly noSource: string;
  /** About a line that the caller says was our answer. */
  readonly unknownSource: string;
  readonly nothingAttached: string;
  readonly notInAttached: string;
}

const NOT_IN_DOCUMENTS = {
  default: "not_in_documents",
  onboarding: "not_in_documents_onboarding",
  kiosk: "not_in_documents_kiosk",
} as const;

export function phrasesFor(persona: Persona, locale: Locale): Phrases {
  const kiosk = persona === "kiosk";
  return {
    locale,
    notInDocuments: locale.say(NOT_IN_DOCUMENTS[persona]),
    searchUnavailable: locale.say("search_unavailable"),
    restIsLost: locale.say("rest_is_lost"),
    restNotCovered: locale.say("rest_not_covered"),
    partOfList: (said, count) => locale.say("part_of_list", { said: `${said}`, count: `${count}` }),
    goOn: locale.say("go_on"),
    partOfProcedure: (title) => locale.say("part_of_procedure", { title }),
    readingAloud: (source) =>
      kiosk ? locale.say("reading_aloud_kiosk") : locale.say("reading_aloud", { source }),
    procedureRefused: (source) =>
      kiosk ? locale.say("procedure_refused_kiosk") : locale.say("procedure_refused", { source }),
    documentsDisagree: (first, second) =>
      kiosk
        ? locale.say("documents_disagree_kiosk")
        : locale.say("documents_disagree", {
            first: first.source,
            first_text: first.text,
            second: second.source,
            second_text: second.text,
          }),
    superseded: (old, current) => locale.say("superseded", { old, current }),
    whichOne: (first, second) =>
      kiosk ? locale.say("which_one_kiosk") : locale.say("which_one", { first, second }),
    offer: (section, title) =>
      kiosk || section === title
        ? locale.say("offer_document", { title: section })
        : locale.say("offer_section", { section, title }),
    saysOtherwise: locale.say(kiosk ? "says_otherwise_kiosk" : "says_otherwise"),
    says: (source) => (kiosk ? locale.say("says_kiosk") : locale.say("says", { source })),
    saysInLanguage: (source, code) => {
      const language = nameOfLanguage(code, locale);
      return kiosk
        ? locale.say("says_in_language_kiosk", { language })
        : locale.say("says_in_language", { source, language });
    },
    hasInLanguage: (source, code) => {
      const language = nameOfLanguage(code, locale);
      return kiosk
        ? locale.say("has_in_language_kiosk", { language })
        : locale.say("has_in_language", { source, language });
    },
    checkedNow: locale.say("checked_now"),
    asOf: (ageMs) => locale.say("as_of", { age: ago(ageMs, locale.language) }),
    fromAttached: locale.say("from_attached"),
    talk: talkPhrases(kiosk, locale),
    verify: {
      source: (source) => locale.say("verify_source", { source }),
      person: locale.say("verify_person"),
      later: locale.say("verify_later"),
      rephrase: locale.say("verify_rephrase"),
    },
  };
}

/** As the answer's language calls it: `inglés`. */
function nameOfLanguage(code: string, { language }: Locale): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(code) ?? code;
}

function talkPhrases(kiosk: boolean, locale: Locale): TalkPhrases {
  return {
    greeting: locale.say("greeting"),
    welcome: locale.say("welcome"),
    goodbye: locale.say("goodbye"),
    stopped: locale.say("stopped"),
    nothingSaid: locale.say("nothing_said"),
    needsModel: locale.say("needs_model"),
    inTheirWords: locale.say("in_their_words"),
    nothingMore: locale.say("nothing_more"),
    nextStep: locale.say("next_step"),
    source: (source) => (kiosk ? locale.say("source_kiosk") : locale.say("source", { source })),
    systems: (names, ageMs) =>
      [
        kiosk ? locale.say("source_kiosk") : locale.say("source_system", { system: names.join(", ") }),
        ageMs > CURRENT_AGE_MAX_MS.tool_output
          ? locale.say("source_age", { age: ago(ageMs, locale.language) })
          : locale.say("checked_now"),
      ].join(" "),
    noSource: locale.say("no_source"),
    unknownSource: locale.say("unknown_source"),
    nothingAttached: locale.say("nothing_attached"),
    notInAttached: locale.say("not_in_attached"),
  };
}
