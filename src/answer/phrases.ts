/** The fixed sentences of an answer, in the words of the persona that speaks. */
import type { Prompts } from "../llm/prompts.js";
import type { Persona } from "./port.js";

export interface Phrases {
  readonly notInDocuments: string;
  readonly searchUnavailable: string;
  readonly restIsLost: string;
  /** What comes before a passage that is read aloud because the model is out of reach. */
  readingAloud(source: string): string;
  /** What comes before steps that are not all of their procedure. */
  partOfProcedure(title: string): string;
}

const NOT_IN_DOCUMENTS = {
  default: "phrases/not-in-documents",
  onboarding: "phrases/not-in-documents-onboarding",
  kiosk: "phrases/not-in-documents-kiosk",
} as const;

export function phrasesFor(persona: Persona, prompts: Prompts): Phrases {
  return {
    notInDocuments: prompts.render(NOT_IN_DOCUMENTS[persona]),
    searchUnavailable: prompts.render("phrases/search-unavailable"),
    restIsLost: prompts.render("phrases/rest-is-lost"),
    partOfProcedure: (title) => prompts.render("phrases/part-of-procedure", { title }),
    readingAloud: (source) =>
      persona === "kiosk"
        ? prompts.render("phrases/reading-aloud-kiosk")
        : prompts.render("phrases/reading-aloud", { source }),
  };
}
