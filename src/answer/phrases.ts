/** The fixed sentences of an answer, in the words of the persona that speaks. */
import type { Prompts } from "../llm/prompts.js";
import type { Persona } from "./port.js";

/** A document as it is named aloud, and a sentence of it. */
export interface Said {
  readonly source: string;
  readonly text: string;
}

export interface Phrases {
  readonly notInDocuments: string;
  readonly searchUnavailable: string;
  readonly restIsLost: string;
  /** Comes after an answer of which a part was left out, since no document bears it out. */
  readonly restNotCovered: string;
  /** What comes before a passage that is read aloud because the model is out of reach. */
  readingAloud(source: string): string;
  /** What comes before steps that are not all of their procedure. */
  partOfProcedure(title: string): string;
  /** Instead of steps that could not all be confirmed. */
  procedureRefused(source: string): string;
  documentsDisagree(first: Said, second: Said): string;
  /** Comes before the answer to a question about a revision that does not hold any more. */
  superseded(old: string, current: string): string;
  whichOne(first: string, second: string): string;
  /** Before the sentence that contradicts what a question takes for granted. */
  readonly saysOtherwise: string;
  /** Before a sentence of a document that is read out word for word. */
  says(source: string): string;
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
  readonly noSource: string;
  readonly nothingAttached: string;
  readonly notInAttached: string;
}

const NOT_IN_DOCUMENTS = {
  default: "phrases/not-in-documents",
  onboarding: "phrases/not-in-documents-onboarding",
  kiosk: "phrases/not-in-documents-kiosk",
} as const;

export function phrasesFor(persona: Persona, prompts: Prompts): Phrases {
  const kiosk = persona === "kiosk";
  return {
    notInDocuments: prompts.render(NOT_IN_DOCUMENTS[persona]),
    searchUnavailable: prompts.render("phrases/search-unavailable"),
    restIsLost: prompts.render("phrases/rest-is-lost"),
    restNotCovered: prompts.render("phrases/rest-not-covered"),
    partOfProcedure: (title) => prompts.render("phrases/part-of-procedure", { title }),
    readingAloud: (source) =>
      kiosk
        ? prompts.render("phrases/reading-aloud-kiosk")
        : prompts.render("phrases/reading-aloud", { source }),
    procedureRefused: (source) =>
      kiosk
        ? prompts.render("phrases/procedure-refused-kiosk")
        : prompts.render("phrases/procedure-refused", { source }),
    documentsDisagree: (first, second) =>
      kiosk
        ? prompts.render("phrases/documents-disagree-kiosk")
        : prompts.render("phrases/documents-disagree", {
            first: first.source,
            first_text: first.text,
            second: second.source,
            second_text: second.text,
          }),
    superseded: (old, current) => prompts.render("phrases/superseded", { old, current }),
    whichOne: (first, second) =>
      kiosk
        ? prompts.render("phrases/which-one-kiosk")
        : prompts.render("phrases/which-one", { first, second }),
    saysOtherwise: prompts.render(kiosk ? "phrases/says-otherwise-kiosk" : "phrases/says-otherwise"),
    says: (source) =>
      kiosk ? prompts.render("phrases/says-kiosk") : prompts.render("phrases/says", { source }),
    fromAttached: prompts.render("phrases/from-attached"),
    talk: talkPhrases(kiosk, prompts),
    verify: {
      source: (source) => prompts.render("phrases/verify-source", { source }),
      person: prompts.render("phrases/verify-person"),
      later: prompts.render("phrases/verify-later"),
      rephrase: prompts.render("phrases/verify-rephrase"),
    },
  };
}

function talkPhrases(kiosk: boolean, prompts: Prompts): TalkPhrases {
  return {
    greeting: prompts.render("phrases/greeting"),
    welcome: prompts.render("phrases/welcome"),
    goodbye: prompts.render("phrases/goodbye"),
    nothingSaid: prompts.render("phrases/nothing-said"),
    needsModel: prompts.render("phrases/needs-model"),
    inTheirWords: prompts.render("phrases/in-their-words"),
    nothingMore: prompts.render("phrases/nothing-more"),
    nextStep: prompts.render("phrases/next-step"),
    source: (source) =>
      kiosk ? prompts.render("phrases/source-kiosk") : prompts.render("phrases/source", { source }),
    noSource: prompts.render("phrases/no-source"),
    nothingAttached: prompts.render("phrases/nothing-attached"),
    notInAttached: prompts.render("phrases/not-in-attached"),
  };
}
