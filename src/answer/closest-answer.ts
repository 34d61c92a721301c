/**
 * The answer where no sentence holds the question's words: what is closest to it in what it is about, where that is
 * likely enough to be the answer, or else the section to offer. See docs/decisions/0066.
 */
import type { Passage } from "../domain/passage.js";
import {
  ANSWER_CHARS_MAX,
  alone,
  type ExtractedAnswer,
  type ExtractOptions,
  NONE,
  portion,
  SENTENCES_MAX,
  sentencesAround,
  wholeList,
  wholeProcedure,
} from "../extractive/answer-text.js";
import { mayMean } from "../extractive/meant.js";
import { type PassageUnit, passageUnits, unitTerms } from "../extractive/passage-units.js";
import { sectionOf, stepsNear } from "../extractive/procedure.js";
import { readQuestion } from "../extractive/question.js";
import { contextTerms, QuestionScale } from "../extractive/question-scale.js";
import { aloud } from "../extractive/spoken-units.js";
import { isContrast } from "../extractive/stated.js";
import { type Closest, closestUnit } from "../grounding/answerability/closest.js";
import { namedAnswer } from "./named-answer.js";

/** How likely the closest sentence answers, at the least, to be said, and for its section to be offered. */
const SAID_LIKELY_MIN = 0.88;
const OFFERED_LIKELY_MIN = 0.4;

/** `isMeant`: the user has chosen where to look, so what is there is read. Rejects as `readDocument` does. */
export async function closestAnswer(
  question: string,
  prior: string | undefined,
  passages: readonly Passage[],
  { isMeant, ...options }: ExtractOptions & { readonly isMeant: boolean },
): Promise<ExtractedAnswer> {
  const scale = new QuestionScale(readQuestion(question, prior), passages);
  const { sentencesMax = SENTENCES_MAX } = options;
  const isOpen = !isMeant && prior === undefined && sentencesMax > 1;
  const named = isOpen ? await namedAnswer(question, scale, passages, options) : undefined;
  if (named !== undefined) return named;
  const closest = await closestUnit(question, prior, passages);
  if (closest === undefined) return NONE;
  // A sentence does not tell how something is done, and a step is one of several.
  const isOfForm = !scale.question.seeksSteps || closest.units[closest.index]!.role === "step";
  const isEnough = closest.probability >= SAID_LIKELY_MIN && isOfForm;
  if (isMeant || isEnough) return read(closest, passages, scale, { isMeant, ...options });
  return closest.probability >= OFFERED_LIKELY_MIN ? { type: "likely", passage: closest.passage } : NONE;
}

/**
 * Where steps were asked for, the procedure; where several things were, the list; else the sentence with what it needs,
 * and to who has agreed to hear it, the section, or if that is long, from there on.
 */
async function read(
  { index, passage, units }: Closest,
  passages: readonly Passage[],
  scale: QuestionScale,
  options: ExtractOptions & { readonly isMeant: boolean },
): Promise<ExtractedAnswer> {
  const { from = 0, isMeant, readDocument, sentencesMax = SENTENCES_MAX } = options;
  const unit = units[index]!;
  const { seeksList, seeksSteps, step, topics } = scale.question;
  if (sentencesMax > 1 && seeksSteps) {
    const section = await stepsNear(passage, scale, readDocument);
    if (section !== undefined) return wholeProcedure(section, from, step);
  }
  if (sentencesMax > 1 && seeksList && unit.role === "item" && unit.list !== undefined)
    return wholeList(unit.list, passage, options);
  const held = new Set([...unitTerms(unit), ...contextTerms(passage)]);
  if (sentencesMax > 1 && unit.role === "row" && [...topics].some((term) => !held.has(term))) {
    // What asks in other words may mean another row, or none, unless this one alone has a word of it.
    const rows = unit.list!.units.filter((one) => mayMean(scale, passage, one));
    const others = new Set(rows.flatMap((one) => (one === unit ? [] : unitTerms(one))));
    const isOne = unitTerms(unit).some((term) => topics.has(term) && !others.has(term));
    // Which column is asked for in other words is not known, but where others have the like.
    const said = (one: PassageUnit) => (isContrast(one.text) ? alone(one, undefined, scale) : one.text);
    const list = {
      ...unit.list!,
      units: (isOne ? [unit] : rows).map((one) => ({ ...one, text: said(one) })),
    };
    return wholeList(list, passage, options);
  }
  const around = sentencesAround({ passage, units, index, unit }, scale, sentencesMax);
  if (!isMeant || sentencesMax === 1 || !READ_ON.has(unit.role))
    return { type: "answer", sentences: around, passages: [passage], complete: true };
  const section = sectionOf(passage, passages);
  const all = section.flatMap(passageUnits).filter(({ role }) => role !== "heading");
  const whole = [...new Set(all.map(aloud))];
  const isShort = whole.join(" ").length <= ANSWER_CHARS_MAX && !all.some(({ role }) => role === "row");
  const next = all.slice(all.indexOf(unit) + 1).map(aloud);
  const texts = isShort ? whole : [...new Set([...around, ...next])];
  return { ...portion(texts, section, from), complete: true };
}

/** A step or a row says by itself what it has to say. */
const READ_ON: ReadonlySet<string> = new Set(["sentence", "item", "warning"]);
