/**
 * What of a passage is said as an answer: a procedure, a list, the beginning of a section, or a sentence with what it
 * needs beside it. Word for word, within the bounds of what is heard at a time.
 */
import type { Passage } from "../domain/passage.js";
import { saidWith } from "./beside.js";
import type { UnitFit } from "./candidates.js";
import { forbids } from "./expected-kind.js";
import { listAloud, wholeOf } from "./lists.js";
import { type List, type PassageUnit, passageUnits } from "./passage-units.js";
import { procedureOf, type ReadDocument, type StepsFound } from "./procedure.js";
import type { QuestionScale } from "./question-scale.js";
import { aloud, ended, fitting, warningsFirst } from "./spoken-units.js";
import { takenIn } from "./stated.js";
import { rowAloud } from "./table-row.js";
import { denied, termsOf } from "./terms.js";

/** An answer in the words of a document. */
export interface FoundSentences {
  readonly type: "answer";
  /** In the order in which they are to be said: warnings first, then the order of the document. */
  readonly sentences: readonly string[];
  readonly passages: readonly Passage[];
  /** False when a procedure has steps that are not among the sentences; the listener has to be told. */
  readonly complete: boolean;
  /** How many items or steps come after the sentences; absent: none. */
  readonly left?: number;
  /** Of a list, how many items it has. */
  readonly items?: number;
  /** The sentence or row that was chosen, where it is neither a list nor a procedure. */
  readonly unit?: PassageUnit;
}

export type ExtractedAnswer =
  | FoundSentences
  /** A question that several documents, or several rows of a table, answer equally well: which of them is meant? */
  | {
      readonly type: "several";
      readonly names: readonly [string, string, ...string[]];
      /** A passage of each, where they are documents. */
      readonly of?: readonly Passage[];
    }
  /** The passage that is most likely to hold the answer, where none can be told: shall it be read? */
  | { readonly type: "likely"; readonly passage: Passage }
  | { readonly type: "none" };

export interface ExtractOptions {
  /**
   * Sentences of an answer at the most, warnings included; default 3. A procedure is read whole, or not at all when
   * this is 1.
   */
  readonly sentencesMax?: number;
  /** Parts of a list or a procedure that were said before: what comes after them is the answer. Default 0. */
  readonly from?: number;
  /** Absent: the passages are all that there is to read. */
  readonly readDocument?: ReadDocument;
}

/** Characters of an answer at the most: about 40 s of speech, and 100 s for a procedure. */
export const ANSWER_CHARS_MAX = 600;
export const PROCEDURE_CHARS_MAX = 1_500;

/** Unless the caller says otherwise. */
export const SENTENCES_MAX = 3;

export const NONE: ExtractedAnswer = { type: "none" };

/** The first of the units, as they stand, that are heard at a time. */
export function unitsAloud(units: readonly PassageUnit[]): string {
  return fitting(units.map(aloud), PROCEDURE_CHARS_MAX).join(" ");
}

/** As an answer, as many of the texts behind the first `from` as are heard at a time. */
export function portion(
  texts: readonly string[],
  passages: readonly Passage[],
  from: number,
  charsMax = ANSWER_CHARS_MAX,
): FoundSentences {
  const sentences = fitting(texts.slice(from), charsMax);
  const left = Math.max(0, texts.length - from - sentences.length);
  return { type: "answer", sentences, passages, complete: left === 0, left };
}

/** Or the step that was asked for, with the warnings before it. */
export function wholeProcedure(section: StepsFound, from: number, step?: number): ExtractedAnswer {
  const { texts, used, isWhole } = procedureOf(section, step);
  const said = portion(texts, used, from, PROCEDURE_CHARS_MAX);
  return texts.length === 0 ? NONE : { ...said, complete: isWhole && said.complete };
}

/** A list whole, or as much of it as is heard at a time. */
export async function wholeList(
  found: List,
  passage: Passage,
  { from = 0, readDocument }: ExtractOptions,
): Promise<ExtractedAnswer> {
  const document = (await readDocument?.(passage.documentId))?.passages ?? [];
  const list = wholeOf(found, passage, document);
  const texts = listAloud(list, passage.headings.at(-1));
  const behind = document.filter(
    ({ position }) => position > passage.position && position <= passage.position + PARTS_USED_MAX,
  );
  const used = list.units.length > found.units.length ? [passage, ...behind] : [passage];
  return { ...portion(texts, used, from), items: texts.length };
}

/** Passages behind the one that was found that a list may reach into. */
const PARTS_USED_MAX = 4;

/** A section whose heading is the question, or as much of it as is heard at a time. */
export function sectionAloud(
  passages: readonly Passage[],
  from: number,
  sentencesMax: number,
): ExtractedAnswer {
  const units = warningsFirst(passages.flatMap(passageUnits).filter(({ role }) => role !== "heading"));
  const texts = [...new Set(units.map(aloud))];
  if (sentencesMax > 1) return portion(texts, passages, from);
  return { type: "answer", sentences: texts.slice(0, 1), passages, complete: texts.length === 1 };
}

/** The best sentence with what it needs in its passage; warnings first, then in order. */
export function sentencesAround(
  best: Pick<UnitFit, "index" | "passage" | "unit" | "units">,
  scale: QuestionScale,
  sentencesMax: number,
): readonly string[] {
  const inOrder = saidWith(best, scale, sentencesMax).map((index) => best.units[index]!);
  const heading = best.passage.headings.at(-1);
  return fitting(
    warningsFirst(inOrder).map((unit) => ended(alone(unit, heading, scale))),
    ANSWER_CHARS_MAX,
  );
}

/**
 * A unit as it is said by itself: a step without its number, an item of a list behind what the list is about, of a
 * row what it is a row of and the cells that were asked for.
 */
export function alone(
  { list, role, text }: PassageUnit,
  heading: string | undefined,
  scale: QuestionScale,
): string {
  // Which cell limits a stated value only the whole row tells.
  if (role === "row" && scale.question.states) return text;
  if (role === "row")
    return rowAloud(text, (name) => {
      const taken = takenIn(name, scale.question.numbers) ?? [];
      const said = [...termsOf(name), ...taken.flatMap((one) => termsOf(one.text))];
      return scale.tellingIn(new Set(said.flatMap((term) => [term, denied(term)])));
    });
  const isOpen = /[\p{L}\p{N}]$/u.test(text) || forbids.test(list?.lead ?? "");
  const isItem = (role === "item" || role === "sentence") && isOpen;
  const about = list?.lead ?? heading;
  return isItem && about !== undefined ? `${about}: ${text}` : text;
}
