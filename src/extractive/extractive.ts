/**
 * Answers without a model: the sentences of the passages that fit the question best, word for word, or nothing when
 * none fits. It can only repeat what a document says, so its one decision is whether that is an answer; how the
 * decision was measured is in docs/decisions/0011-extractive-answers.md.
 */
import type { Passage } from "../domain/passage.js";
import { pause } from "../lib/pause.js";
import { COVERAGE_MIN, candidatesIn, type UnitFit } from "./candidates.js";
import { asksConsequence, type Consequence, consequenceOf } from "./consequence.js";
import { listAloud, wholeOf } from "./lists.js";
import { type List, type PassageUnit, passageUnits, unitTerms } from "./passage-units.js";
import { type FoundSection, procedureOf, type ReadDocument, sectionFor } from "./procedure.js";
import { readQuestion } from "./question.js";
import { passageTerms, QuestionScale } from "./question-scale.js";
import { fitting, isWarningAbout, portion, spoken, warningsFirst } from "./spoken-units.js";
import { rowAloud, rowName } from "./table-row.js";
import { termsOf } from "./terms.js";
import { meantByEither } from "./underspecified.js";

export type ExtractedAnswer =
  | {
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
    }
  /** A question that several documents, or several rows of a table, answer equally well: which of them is meant? */
  | {
      readonly type: "several";
      readonly names: readonly [string, string, ...string[]];
      /** A passage of each, where they are documents. */
      readonly of?: readonly Passage[];
    }
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

const SENTENCES_MAX = 3;

/**
 * The answer that the passages hold for `question`, and for a procedure the document that they are from;
 * `priorUserTurn` is what the same user asked before it. Rejects as `readDocument` does.
 */
export async function extractAnswer(
  question: string,
  priorUserTurn: string | undefined,
  passages: readonly Passage[],
  { from = 0, readDocument, sentencesMax = SENTENCES_MAX }: ExtractOptions,
): Promise<ExtractedAnswer> {
  await read(passages);
  const scale = new QuestionScale(readQuestion(question, priorUserTurn), passages);
  const section = scale.question.seeksSteps
    ? await sectionFor(scale, passages, COVERAGE_MIN, readDocument)
    : undefined;
  if (section?.type === "steps" && asksConsequence(question)) {
    const found = await consequenceOf(scale, section.passages, passages);
    if (found !== undefined) return withWarnings(found, sentencesMax);
  }
  switch (section?.type) {
    case "several documents":
      return whichOf(section.passages);
    case "steps":
      return sentencesMax > 1 ? wholeProcedure(section, from) : NONE;
    case "text":
      return beginning(section.passage, sentencesMax);
    default: {
      const answer = await bestSentences(scale, passages, sentencesMax, {
        from,
        ...(readDocument === undefined ? {} : { readDocument }),
      });
      const either =
        answer.type === "none" && priorUserTurn === undefined
          ? meantByEither(question, scale, passages)
          : undefined;
      return either === undefined ? answer : whichOf(either);
    }
  }
}

/** Takes the passages apart, which is most of the work, and remembers what they come to. */
async function read(passages: readonly Passage[]): Promise<void> {
  for (const passage of passages) {
    passageTerms(passage);
    for (const unit of passageUnits(passage)) {
      await pause();
      unitTerms(unit);
    }
  }
}

/** The sentence that says what follows, behind as many of its warnings as there is room for. */
function withWarnings({ passage, unit, warnings }: Consequence, sentencesMax: number): ExtractedAnswer {
  const units = [...warnings.slice(0, sentencesMax - 1), unit];
  return {
    type: "answer",
    sentences: fitting(units.map(spoken), ANSWER_CHARS_MAX),
    passages: [passage],
    complete: true,
  };
}

const NONE: ExtractedAnswer = { type: "none" };

/** Documents of one title cannot be told apart by name, so that the question would not help. */
function whichOf([first, second]: readonly [Passage, Passage]): ExtractedAnswer {
  if (first.title === second.title) return NONE;
  return { type: "several", names: [first.title, second.title], of: [first, second] };
}

/** A passage as it is read when no model can be reached: word for word, whole sentences, within the bound. */
export function bestPassageAloud(passage: Passage): string {
  return fitting(passageUnits(passage).map(spoken), PROCEDURE_CHARS_MAX).join(" ");
}

function wholeProcedure(section: FoundSection & { readonly type: "steps" }, from: number): ExtractedAnswer {
  const { texts, used, isWhole } = procedureOf(section);
  const { left, sentences } = portion(texts, PROCEDURE_CHARS_MAX, from);
  return { type: "answer", sentences, passages: used, complete: isWhole && left === 0, left };
}

/** A list whole, or as much of it as is heard at a time. */
async function wholeList(
  found: List,
  passage: Passage,
  { from = 0, readDocument }: ExtractOptions,
): Promise<ExtractedAnswer> {
  const document = (await readDocument?.(passage.documentId))?.passages ?? [];
  const list = wholeOf(found, passage, document);
  const texts = listAloud(list, passage.headings.at(-1));
  const { left, sentences } = portion(texts, ANSWER_CHARS_MAX, from);
  const used = document.filter(
    ({ position }) => position > passage.position && position <= passage.position + PARTS_USED_MAX,
  );
  return {
    type: "answer",
    sentences,
    passages: list.units.length > found.units.length ? [passage, ...used] : [passage],
    complete: left === 0,
    left,
    items: texts.length,
  };
}

/** Passages behind the one that was found that a list may reach into. */
const PARTS_USED_MAX = 4;

/** The first sentences of a section whose heading is the question. */
function beginning(passage: Passage, sentencesMax: number): ExtractedAnswer {
  const units = warningsFirst(passageUnits(passage).filter(({ role }) => role !== "heading"));
  const sentences = fitting(units.slice(0, sentencesMax).map(spoken), ANSWER_CHARS_MAX);
  return { type: "answer", sentences, passages: [passage], complete: true };
}

async function bestSentences(
  scale: QuestionScale,
  passages: readonly Passage[],
  sentencesMax: number,
  options: ExtractOptions,
): Promise<ExtractedAnswer> {
  const candidates: UnitFit[] = [];
  for (const [rank, passage] of passages.entries())
    for await (const candidate of candidatesIn(passage, rank, scale, passages)) candidates.push(candidate);
  candidates.sort((a, b) => Number(a.isLoose) - Number(b.isLoose) || b.score - a.score);
  const best = candidates[0];
  if (best === undefined || (best.isLoose && candidates.length > 1)) return NONE;
  if (best.list !== undefined) return sentencesMax > 1 ? wholeList(best.list, best.passage, options) : NONE;
  const [row, otherRow, ...moreRows] = rowsAlike(best, candidates);
  if (row !== undefined && otherRow !== undefined) {
    // Rows that lack a word of the question, such as one of the title, may none of them be meant.
    const { implied, telling } = scale.question;
    const saysAll = [...telling.keys()].every((term) => best.matched.has(term) || implied.has(term));
    if (!saysAll) return NONE;
    return { type: "several", names: [row, otherRow, ...moreRows] };
  }
  const rival = rivalOf(best, candidates, scale);
  if (rival !== undefined) return whichOf([best.passage, rival.passage]);
  const sentences = sentencesAround(best, candidates, scale, sentencesMax);
  return { type: "answer", sentences, passages: [best.passage], complete: true };
}

/** The names of the rows of a table that fit as well as the best one, which comes first; empty where it stands alone. */
function rowsAlike(best: UnitFit, candidates: readonly UnitFit[]): readonly string[] {
  const alike = candidates.filter(
    ({ coverage, likeness, passage }) =>
      passage === best.passage &&
      coverage === best.coverage &&
      Math.abs(likeness - best.likeness) < LIKENESS_EQUAL,
  );
  const names = alike.map(({ unit }) => rowName(unit.text)).filter((name) => name !== undefined);
  return rowName(best.unit.text) === undefined ? [] : [...new Set(names)].slice(0, ROWS_NAMED_MAX);
}

/** More are too many to say in a question. */
const ROWS_NAMED_MAX = 4;

/**
 * An answer of another document to a question that says too little to choose. The engine's order does not count: with
 * so few words it is chance.
 */
function rivalOf(
  best: UnitFit,
  candidates: readonly UnitFit[],
  { question }: QuestionScale,
): UnitFit | undefined {
  if (question.topics.size > UNDERSPECIFIED_TOPICS_MAX || question.identifiers.length > 0) return undefined;
  return candidates.find(
    ({ coverage, likeness, passage, unit }) =>
      passage.documentId !== best.passage.documentId &&
      unit.text !== best.unit.text &&
      coverage === best.coverage &&
      Math.abs(likeness - best.likeness) < LIKENESS_EQUAL,
  );
}

/** Topics of a question that says too little, at the most. */
const UNDERSPECIFIED_TOPICS_MAX = 1;
const LIKENESS_EQUAL = 0.02;

/** The best sentence with what it needs and what adds to it in its passage; warnings first, then in order. */
function sentencesAround(
  best: UnitFit,
  candidates: readonly UnitFit[],
  scale: QuestionScale,
  sentencesMax: number,
): readonly string[] {
  const { units } = best;
  const chosen = new Set([best.index]);
  const add = (index: number) => {
    const unit = units[index];
    if (unit !== undefined && unit.role !== "heading" && chosen.size < sentencesMax) chosen.add(index);
  };
  if (POINTS_BACK.test(best.unit.text)) add(best.index - 1);
  const next = units[best.index + 1];
  if (next !== undefined && POINTS_BACK.test(next.text)) add(best.index + 1);
  const subject = new Set([...chosen].flatMap((index) => [...unitTerms(units[index]!)]));
  for (const [index, unit] of units.entries()) if (isWarningAbout(subject, unit)) add(index);
  const covered = new Set(best.matched);
  for (const other of candidates) {
    if (other.passage !== best.passage || other.score < best.score * ADDITION_SCORE_MIN) continue;
    if ([...other.matched].every((term) => covered.has(term))) continue;
    add(other.index);
    for (const term of other.matched) covered.add(term);
  }
  const inOrder = [...chosen].sort((a, b) => a - b).map((index) => units[index]!);
  const heading = best.passage.headings.at(-1);
  return fitting(
    warningsFirst(inOrder).map((unit) => alone(unit, heading, scale)),
    ANSWER_CHARS_MAX,
  );
}

/**
 * A unit as it is said by itself: a step without its number, an item of a list behind what the list is about, of a
 * row what it is a row of and the cells that were asked for.
 */
function alone({ list, role, text }: PassageUnit, heading: string | undefined, scale: QuestionScale): string {
  if (role === "row") return rowAloud(text, ({ name }) => scale.tellingIn(new Set(termsOf(name))).size > 0);
  const isItem = (role === "item" || role === "sentence") && /[\p{L}\p{N}]$/u.test(text);
  const about = list?.lead ?? heading;
  return isItem && about !== undefined ? `${about}: ${text}` : text;
}

/** How well a further sentence has to fit, against the best one. */
const ADDITION_SCORE_MIN = 0.6;

/** Sentences that make no sense without the one before. */
const POINTS_BACK =
  /^(?:it|its|they|them|this|that|these|those|then|he|she|otherwise|instead|if so|if not)\b|^(?:never|do not|don't) \p{L}+ (?:it|them)\b/iu;
