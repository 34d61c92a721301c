/**
 * Answers without a model: the sentences of the passages that fit the question best, word for word, or nothing when
 * none fits. It can only repeat what a document says, so its one decision is whether that is an answer; how the
 * decision was measured is in docs/decisions/0011-extractive-answers.md.
 */
import type { Passage } from "../domain/passage.js";
import { pause } from "../lib/pause.js";
import { asksConsequence, type Consequence, consequenceOf } from "./consequence.js";
import { forbids } from "./expected-kind.js";
import { type PassageUnit, passageUnits, unitTerms } from "./passage-units.js";
import {
  type FoundSection,
  introductionOf,
  procedureOf,
  type ReadDocument,
  sectionFor,
} from "./procedure.js";
import { type Question, readQuestion } from "./question.js";
import { contextTerms, passageTerms, QuestionScale } from "./question-scale.js";
import { fitting, isWarningAbout, spoken, warningsFirst } from "./spoken-units.js";
import { rowName } from "./table-row.js";
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
  /** Absent: the passages are all that there is to read. */
  readonly readDocument?: ReadDocument;
}

/** Characters of an answer at the most: about 40 s of speech, and 100 s for a procedure. */
export const ANSWER_CHARS_MAX = 600;
export const PROCEDURE_CHARS_MAX = 1_500;

const SENTENCES_MAX = 3;

/** The share of a longer question's weight that an answer has to hold, its title and headings included. */
const COVERAGE_MIN = 0.7;

/**
 * The answer that the passages hold for `question`, and for a procedure the document that they are from;
 * `priorUserTurn` is what the same user asked before it. Rejects as `readDocument` does.
 */
export async function extractAnswer(
  question: string,
  priorUserTurn: string | undefined,
  passages: readonly Passage[],
  { readDocument, sentencesMax = SENTENCES_MAX }: ExtractOptions,
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
      return sentencesMax > 1 ? wholeProcedure(section) : NONE;
    case "text":
      return beginning(section.passage, sentencesMax);
    default: {
      const answer = await bestSentences(scale, passages, sentencesMax);
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

function wholeProcedure(section: FoundSection & { readonly type: "steps" }): ExtractedAnswer {
  const { texts, used, isWhole } = procedureOf(section);
  const sentences = fitting(texts, PROCEDURE_CHARS_MAX);
  return {
    type: "answer",
    sentences,
    passages: used,
    complete: isWhole && sentences.length === texts.length,
  };
}

/** The first sentences of a section whose heading is the question. */
function beginning(passage: Passage, sentencesMax: number): ExtractedAnswer {
  const units = warningsFirst(passageUnits(passage).filter(({ role }) => role !== "heading"));
  const sentences = fitting(units.slice(0, sentencesMax).map(spoken), ANSWER_CHARS_MAX);
  return { type: "answer", sentences, passages: [passage], complete: true };
}

interface Candidate {
  readonly passage: Passage;
  readonly units: readonly PassageUnit[];
  readonly index: number;
  readonly unit: PassageUnit;
  /** Decides which of several answers is the best: the next two, and the passage's place. */
  readonly score: number;
  /** The share of the question that it holds, its surroundings included. */
  readonly coverage: number;
  readonly likeness: number;
  /** The question's telling terms in the unit itself. */
  readonly matched: ReadonlySet<string>;
}

async function bestSentences(
  scale: QuestionScale,
  passages: readonly Passage[],
  sentencesMax: number,
): Promise<ExtractedAnswer> {
  const candidates: Candidate[] = [];
  for (const [rank, passage] of passages.entries())
    for await (const candidate of candidatesIn(passage, rank, scale, passages)) candidates.push(candidate);
  candidates.sort((a, b) => b.score - a.score);
  const best = candidates[0];
  if (best === undefined) return NONE;
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
  const sentences = sentencesAround(best, candidates, sentencesMax);
  return { type: "answer", sentences, passages: [best.passage], complete: true };
}

/** The names of the rows of a table that fit as well as the best one, which comes first; empty where it stands alone. */
function rowsAlike(best: Candidate, candidates: readonly Candidate[]): readonly string[] {
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
  best: Candidate,
  candidates: readonly Candidate[],
  { question }: QuestionScale,
): Candidate | undefined {
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

/** Every unit of a passage that answers the question; `rank` is the passage's place in the engine's order, from 0. */
async function* candidatesIn(
  passage: Passage,
  rank: number,
  scale: QuestionScale,
  passages: readonly Passage[],
): AsyncGenerator<Candidate, void, undefined> {
  if (!scale.mayBeAbout(passage)) return;
  const { implied, seeksSteps } = scale.question;
  const asksHow = seeksSteps && scale.question.words[0] === "how";
  const context = contextTerms(passage);
  const around = circumstancesAround(passage, passages, scale.question);
  const heading = scale.headed(passage) === 1 ? termsOf(passage.headings.at(-1)!) : [];
  const headingTerms = new Set(termsOf(passage.headings.at(-1) ?? ""));
  const coverageMin = sentenceCoverageMin(scale.question, rank);
  const units = passageUnits(passage);
  for (const [index, unit] of units.entries()) {
    await pause();
    if (unit.role === "heading" || !(scale.isOfKind(unit) || isForbidden(scale, unit))) continue;
    // A lone step is not how the thing is done.
    if (unit.role === "step" && seeksSteps) continue;
    const terms = unitTerms(unit);
    // "Report damage …" is how one does it, "Only people with …" is not.
    if (asksHow && !scale.question.telling.has(terms[0] ?? "")) continue;
    const own = new Set(terms);
    const unitBefore = units[index - 1];
    const before = leansOnBefore(unit) && unitBefore !== undefined ? unitTerms(unitBefore) : [];
    const isAbout = [...scale.question.topics].some(
      (term) => !implied.has(term) && (own.has(term) || headingTerms.has(term)),
    );
    const said = new Set([...own, ...before, ...heading, ...(isAbout ? implied : [])]);
    const coverage = scale.share(said, context, around);
    if (scale.share(said) < SAID_MIN || coverage < coverageMin) continue;
    const likeness = OWN_BONUS * scale.share(own) + PAIRS_BONUS * scale.pairs(unit);
    const score = coverage + likeness - RANK_MALUS * rank;
    yield { passage, units, index, unit, score, coverage, likeness, matched: scale.tellingIn(own) };
  }
}

/** Whether a unit forbids what the question takes for granted: it answers "how much butter" without a figure. */
function isForbidden(
  { question: { asksHowMuch: counts, topics } }: QuestionScale,
  unit: PassageUnit,
): boolean {
  if (!counts || topics.size < FORBIDDEN_TOPICS_MIN || !forbids(unit.text)) return false;
  const terms = new Set(unitTerms(unit));
  return [...topics].every((term) => terms.has(term));
}

/** Fewer words do not tell that it is the same thing that is forbidden. */
const FORBIDDEN_TOPICS_MIN = 2;

/** The circumstances of the question that the rest of a passage and the introduction of its document name. */
function circumstancesAround(
  passage: Passage,
  passages: readonly Passage[],
  { circumstances }: Question,
): ReadonlySet<string> {
  const introduction = introductionOf(passage, passages) ?? passage;
  const isNamed = (term: string) => passageTerms(passage).has(term) || passageTerms(introduction).has(term);
  return new Set([...circumstances].filter(isNamed));
}

/** The share of the question that a sentence has to say itself. */
const SAID_MIN = 0.3;

/** A short question, and one that steps would answer, has to be held whole. */
function sentenceCoverageMin({ seeksSteps, telling }: Question, rank: number): number {
  return seeksSteps || telling.size <= SHORT_TERMS_MAX ? 1 : COVERAGE_MIN + RANK_COVERAGE * rank;
}

/** Telling terms of a short question at the most. */
const SHORT_TERMS_MAX = 3;
/** How much more has to be held, for each place further down in the engine's order. */
const RANK_COVERAGE = 0.05;

/** What decides between answers: a match in the sentence itself, neighbouring words, the engine's order. */
const OWN_BONUS = 0.3;
const PAIRS_BONUS = 0.15;
const RANK_MALUS = 0.03;

/** Whether a word among the first few stands for something in the sentence before. */
function leansOnBefore({ role, text }: PassageUnit): boolean {
  return (role === "sentence" || role === "warning") && LEANS_ON_BEFORE.test(text);
}

const LEANS_ON_BEFORE =
  /^(?:[^\s,;]+\s+){0,3}(?:it|its|they|them|their|this|these|those|he|she|him|her|his)\b/i;

/** The best sentence with what it needs and what adds to it in its passage; warnings first, then in order. */
function sentencesAround(
  best: Candidate,
  candidates: readonly Candidate[],
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
    warningsFirst(inOrder).map((unit) => alone(unit, heading)),
    ANSWER_CHARS_MAX,
  );
}

/** A unit as it is said by itself: a step without its number, an item of a list behind what the list is about. */
function alone({ role, text }: PassageUnit, heading: string | undefined): string {
  const isItem = role === "sentence" && /[\p{L}\p{N}]$/u.test(text);
  return isItem && heading !== undefined ? `${heading}: ${text}` : text;
}

/** How well a further sentence has to fit, against the best one. */
const ADDITION_SCORE_MIN = 0.6;

/** Sentences that make no sense without the one before. */
const POINTS_BACK =
  /^(?:it|its|they|them|this|that|these|those|then|he|she|otherwise|instead|if so|if not)\b|^(?:never|do not|don't) \p{L}+ (?:it|them)\b/iu;
