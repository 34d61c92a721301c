/** The fixed sentences of an answer, in the words of the persona that speaks. */

import type { Persona } from "../capability/capability.js";
import { CURRENT_AGE_MAX_MS } from "../grounding/age.js";
import { ago } from "../locale/ago.js";
import type { Locale } from "../locale/locale.js";

/** A document as it is named aloud, and a sentence of it. */
interface SourceSentence {
  readonly source: string;
  readonly text: string;
}

export type Phrases = ReturnType<typeof phrasesFor>;

const NOT_IN_DOCUMENTS = {
  default: "not_in_documents",
  onboarding: "not_in_documents_onboarding",
  kiosk: "not_in_documents_kiosk",
} as const;

/** `source`: a document as it is named aloud. A kiosk names none. */
export function phrasesFor(persona: Persona, locale: Locale) {
  const kiosk = persona === "kiosk";
  /** As the answer's language calls it: `inglés`. */
  const nameOf = (code: string) =>
    new Intl.DisplayNames(locale.language, { type: "language" }).of(code) ?? code;
  return {
    /** The language that they are in. */
    locale,
    notInDocuments: locale.say(NOT_IN_DOCUMENTS[persona]),
    searchUnavailable: locale.say("search_unavailable"),
    restIsLost: locale.say("rest_is_lost"),
    /** After an answer of which a part was left out, since no document bears it out. */
    restNotCovered: locale.say("rest_not_covered"),
    /** Before the first items of a list that is too long to be heard at once. */
    partOfList: (said: number, count: number) =>
      locale.say("part_of_list", { said: `${said}`, count: `${count}` }),
    /** After a part of a list or a procedure: a yes goes on with it. */
    goOn: locale.say("go_on"),
    /** Before steps that are not all of their procedure. */
    partOfProcedure: (title: string) => locale.say("part_of_procedure", { title }),
    /** Before a passage that is read aloud because the model is out of reach. */
    readingAloud: (source: string) => locale.say(kiosk ? "reading_aloud_kiosk" : "reading_aloud", { source }),
    /** Instead of steps that could not all be confirmed. */
    procedureRefused: (source: string) =>
      locale.say(kiosk ? "procedure_refused_kiosk" : "procedure_refused", { source }),
    documentsDisagree: (one: SourceSentence, other: SourceSentence) =>
      locale.say(kiosk ? "documents_disagree_kiosk" : "documents_disagree", {
        ...{ first: one.source, first_text: one.text },
        ...{ second: other.source, second_text: other.text },
      }),
    /** Before the answer to a question about a revision that does not hold any more. */
    superseded: (old: string, current: string) => locale.say("superseded", { old, current }),
    whichOne: (first: string, second: string) =>
      locale.say(kiosk ? "which_one_kiosk" : "which_one", { first, second }),
    /** Offers to read a section that may hold the answer. */
    offer: (section: string, title: string) =>
      kiosk || section === title
        ? locale.say("offer_document", { title: section })
        : locale.say("offer_section", { section, title }),
    /** Before the sentence that contradicts what a question takes for granted. */
    saysOtherwise: locale.say(kiosk ? "says_otherwise_kiosk" : "says_otherwise"),
    /** Before a sentence of a document that is read out word for word. */
    says: (source: string) => locale.say(kiosk ? "says_kiosk" : "says", { source }),
    /** Before a sentence of a document in another language than the answer's: an ISO 639 code. */
    saysInLanguage: (source: string, code: string) =>
      locale.say(kiosk ? "says_in_language_kiosk" : "says_in_language", { source, language: nameOf(code) }),
    /** Instead of such a sentence, where it cannot be said: that it is there. */
    hasInLanguage: (source: string, code: string) =>
      locale.say(kiosk ? "has_in_language_kiosk" : "has_in_language", { source, language: nameOf(code) }),
    ...othersOf(locale),
    talk: talkPhrases(kiosk, locale),
  };
}

function othersOf(locale: Locale) {
  return {
    /** After a reading of the last minute. */
    checkedNow: locale.say("checked_now"),
    /** Before what rests on a reading of so many milliseconds ago. */
    asOf: (ageMs: number) => locale.say("as_of", { age: ago(ageMs, locale.language) }),
    /** Before what rests on something that the user sent along, and on no document. */
    fromAttached: locale.say("from_attached"),
    /** For a screen: how to make sure of what is uncertain. */
    verify: {
      source: (source: string) => locale.say("verify_source", { source }),
      person: locale.say("verify_person"),
      later: locale.say("verify_later"),
      rephrase: locale.say("verify_rephrase"),
    },
  };
}

/** What is said in turns that are not about documents, or about the answer before. */
function talkPhrases(kiosk: boolean, locale: Locale) {
  return {
    greeting: locale.say("greeting"),
    welcome: locale.say("welcome"),
    goodbye: locale.say("goodbye"),
    /** To somebody who wants nothing more to be said. */
    stopped: locale.say("stopped"),
    /** There is no answer that could be said again, or it may not be said now. */
    nothingSaid: locale.say("nothing_said"),
    /** Before the documents' own words, instead of a translation. */
    needsModel: locale.say("needs_model"),
    /** Before the documents' own words, instead of others. */
    inTheirWords: locale.say("in_their_words"),
    nothingMore: locale.say("nothing_more"),
    nextStep: locale.say("next_step"),
    /** Where an answer comes from. */
    source: (source: string) => locale.say(kiosk ? "source_kiosk" : "source", { source }),
    /** Which systems of a site an answer was read from, and how many milliseconds ago. */
    systems: (names: readonly string[], ageMs: number) =>
      [
        kiosk ? locale.say("source_kiosk") : locale.say("source_system", { system: names.join(", ") }),
        ageMs > CURRENT_AGE_MAX_MS.tool_output
          ? locale.say("source_age", { age: ago(ageMs, locale.language) })
          : locale.say("checked_now"),
      ].join(" "),
    noSource: locale.say("no_source"),
    /** About a line that the caller says was our answer. */
    unknownSource: locale.say("unknown_source"),
    nothingAttached: locale.say("nothing_attached"),
    notInAttached: locale.say("not_in_attached"),
  };
}
