/** What the gate remembers of the answer that it is letting through. */
import type { Passage } from "../domain/passage.js";
import type { CheckedSentence } from "./checked-sentence.js";

/** How the gate gets on with one answer. */
export interface Progress {
  /** In the order in which they were let through, fixed phrases included. */
  readonly told: string[];
  readonly checked: CheckedSentence[];
  /** Let through, but not told before all of the procedure has passed. */
  readonly held: CheckedSentence[];
  /** Words without content: told along with the next sentence that is. */
  readonly fillers: string[];
  readonly questions: CheckedSentence[];
  /** Fixed phrases that come behind what is held. */
  readonly after: string[];
  /** Introductions that were said. */
  readonly introduced: Set<string>;
  refused: boolean;
  conflicting: boolean;
  /** The user asked about a revision that does not hold any more, and was told which one does. */
  superseding: Passage | undefined;
  /** What a claim in another language than its source was about, where the words of the source were not said either. */
  foreign: { readonly source: string; readonly language: string } | undefined;
  /** Steps were not read out, or what a document says in another language was not. */
  withheld: boolean;
  /** The writer did not come to its end. */
  brokenOff: boolean;
  /** Its first clause was looked at. */
  clauseOffered: boolean;
}

/** Whether the writer has not finished a sentence yet. */
export function isUntouched({ after, checked, fillers, questions, refused, told }: Progress): boolean {
  return !refused && [after, checked, fillers, questions, told].every(({ length }) => length === 0);
}

export function nothingYet(): Progress {
  return {
    told: [],
    checked: [],
    held: [],
    fillers: [],
    questions: [],
    after: [],
    introduced: new Set(),
    refused: false,
    conflicting: false,
    superseding: undefined,
    foreign: undefined,
    withheld: false,
    brokenOff: false,
    clauseOffered: false,
  };
}
