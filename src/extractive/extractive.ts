/**
 * Answers without a model: the sentences of the passages that fit the question best, word for word, or nothing when
 * none fits. It can only repeat what a document says, so its one decision is whether that is an answer; how the
 * decision was measured is in docs/decisions/0011-extractive-answers.md.
 */
import type { Passage } from "../domain/passage.js";
import { pause } from "../lib/pause.js";
import {
  type ExtractedAnswer,
  type ExtractOptions,
  NONE,
  SENTENCES_MAX,
  sectionAloud,
  sentencesAround,
  wholeList,
  wholeProcedure,
} from "./answer-text.js";
import { COVERAGE_MIN, candidatesIn, type UnitFit } from "./candidates.js";
import { passageUnits, unitTerms } from "./passage-units.js";
import { sectionFor, titleTerms } from "./procedure.js";
import { readQuestion } from "./question.js";
import { contextTerms, passageTerms, QuestionScale } from "./question-scale.js";
import { rowName } from "./table-row.js";
import { meantByEither } from "./underspecified.js";

/**
 * The answer that the passages hold for `question`, and for a procedure the document that they are from;
 * `priorUserTurn` is what the same user asked before it. Rejects as `readDocument` does.
 */
export async function extractAnswer(
  question: string,
  priorUserTurn: string | undefined,
  passages: readonly Passage[],
  options: ExtractOptions,
): Promise<ExtractedAnswer> {
  const { from = 0, readDocument, sentencesMax = SENTENCES_MAX } = options;
  await read(passages);
  const scale = new QuestionScale(readQuestion(question, priorUserTurn), passages);
  const section = scale.question.seeksSteps
    ? await sectionFor(scale, passages, COVERAGE_MIN, readDocument)
    : undefined;
  const { seeksConsequence, step } = scale.question;
  if (section?.type !== "steps" && step !== undefined) return NONE;
  const titles = section?.type === "steps" ? section.passages.map(titleTerms) : [];
  const isOther = !scale.deniesAll(...titles);
  if (section?.type === "steps" && (isOther || (seeksConsequence && scale.share(...titles) < 1))) {
    // A sentence that says what follows is the answer, rather than steps below a heading that says nothing of the case.
    const ofFacts = new QuestionScale({ ...scale.question, seeksSteps: false }, passages);
    const answer = await bestSentences(ofFacts, passages, sentencesMax, options);
    // Steps are not what to do in a case that only one of them mentions.
    if (isOther || answer.type === "answer" || isInStepsAlone(section.passages, scale)) return answer;
  }
  if (section?.type === "several documents") return whichOf(section.passages);
  if (section?.type === "steps") return sentencesMax > 1 ? wholeProcedure(section, from, step) : NONE;
  if (section?.type === "text") return sectionAloud(section.passages, from, sentencesMax);
  const answer = await bestSentences(scale, passages, sentencesMax, options);
  const isOpen = answer.type === "none" && priorUserTurn === undefined;
  const either = isOpen ? meantByEither(question, scale, passages) : undefined;
  return either === undefined ? answer : whichOf(either);
}

/** Whether something that the question names stands in the steps of a section and nowhere around them. */
function isInStepsAlone(sections: readonly Passage[], { question: { telling } }: QuestionScale): boolean {
  const units = sections.flatMap(passageUnits);
  const terms = (isStep: boolean) =>
    new Set(units.flatMap((unit) => ((unit.role === "step") === isStep ? unitTerms(unit) : [])));
  const inSteps = terms(true);
  const beside = new Set([...terms(false), ...sections.flatMap((one) => [...titleTerms(one)])]);
  return [...telling.keys()].some((term) => inSteps.has(term) && !beside.has(term));
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

/** Documents of one title cannot be told apart by name, so that the question would not help. */
function whichOf([first, second]: readonly [Passage, Passage]): ExtractedAnswer {
  if (first.title === second.title) return NONE;
  return { type: "several", names: [first.title, second.title], of: [first, second] };
}

async function bestSentences(
  scale: QuestionScale,
  passages: readonly Passage[],
  sentencesMax: number,
  options: ExtractOptions,
): Promise<ExtractedAnswer> {
  const candidates: UnitFit[] = [];
  for (const [rank, passage] of passages.entries())
    for await (const candidate of candidatesIn(passage, rank, scale)) candidates.push(candidate);
  candidates.sort((a, b) => b.score - a.score);
  const best = candidates[0];
  if (best === undefined) return NONE;
  if (best.list !== undefined) return sentencesMax > 1 ? wholeList(best.list, best.passage, options) : NONE;
  const [row, otherRow, ...moreRows] = rowsAlike(best, candidates);
  if (row !== undefined && otherRow !== undefined) {
    // Rows that lack a word of the question, such as one of the title, may none of them be meant.
    const { implied, topics } = scale.question;
    const context = contextTerms(best.passage);
    const saysAll = [...topics].every(
      (term) => best.matched.has(term) || implied.has(term) || context.has(term),
    );
    if (!saysAll) return NONE;
    return { type: "several", names: [row, otherRow, ...moreRows] };
  }
  const sentences = sentencesAround(best, scale, sentencesMax);
  return { type: "answer", sentences, passages: [best.passage], complete: true, unit: best.unit };
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

const LIKENESS_EQUAL = 0.02;
