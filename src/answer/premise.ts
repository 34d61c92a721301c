/**
 * What a question takes for granted, and what the documents say where they say the opposite. Only what can be decided
 * counts: a number, a unit, a "not", a "must" that differ. A worker who is told nothing is better off than one who is
 * corrected wrongly.
 */

import type { DraftEvent } from "../capability/draft.js";
import type { ReasonCode } from "../domain/answer.js";
import type { Passage } from "../domain/passage.js";
import { checkInSteps } from "../grounding/check/check-sentence.js";
import { type EvidenceText, prepareInSteps } from "../grounding/evidence.js";
import { CHECK_MS_MAX } from "../grounding/limits.js";
import { passageEvidence } from "../grounding/passage-evidence.js";
import { splitSentences } from "../lib/sentence-end.js";
import { gently, type Steps, WorkBudget } from "../lib/steps.js";
import { PRESUPPOSING } from "../words/question-forms.js";
import type { Phrases } from "./phrases.js";

/** The sentence of the documents that contradicts the question, and what tells so before the answer; nothing where none does. */
export async function correction(question: string, passages: readonly Passage[], phrases: Phrases) {
  const sentence = await gently(contradictionInSteps(question, passages), new WorkBudget(CHECK_MS_MAX));
  if (sentence === undefined) return { sentence, events: [] };
  const events: readonly DraftEvent[] = [
    { type: "phrase", text: phrases.saysOtherwise },
    { type: "text", text: `${sentence}\n\n` },
  ];
  return { sentence, events };
}

/** The sentence of the documents that contradicts what the question takes for granted; undefined when none does. */
export function* contradictionInSteps(
  question: string,
  passages: readonly Passage[],
): Steps<string | undefined> {
  const premise = premiseOf(question);
  if (premise === undefined || passages.length === 0) return undefined;
  const texts: EvidenceText[] = [];
  for (const passage of passages) {
    yield;
    texts.push(passageEvidence(passage));
  }
  const evidence = yield* prepareInSteps(texts);
  const check = yield* checkInSteps(premise, evidence, { question: "", said: [] });
  if (check.verdict !== "contradicted" || !check.reasons.every(({ code }) => DECIDABLE.has(code)))
    return undefined;
  const [best] = check.evidence;
  const text = evidence.parts.find(({ source }) => source.source === best?.source)?.source.text;
  return best === undefined || text === undefined ? undefined : sentenceAround(text, best.start);
}

const DECIDABLE: ReadonlySet<ReasonCode> = new Set([
  "number_differs",
  "unit_differs",
  "negation_differs",
  "modality_differs",
  "comparator_differs",
  "opposite_state",
]);

function sentenceAround(text: string, at: number): string {
  let start = 0;
  for (const sentence of splitSentences(text)) {
    if (at < start + sentence.length) return sentence.trim();
    start += sentence.length;
  }
  return text.slice(at).trim();
}

/** What a question takes for granted, as a sentence; undefined where it only asks. */
export function premiseOf(question: string): string | undefined {
  if (question.length > QUESTION_CHARS_MAX) return undefined;
  const text = question.replace(/\s+/g, " ").replace(/[’‘]/g, "'").trim();
  const form = PRESUPPOSING.find(([asked]) => asked.test(text));
  const premise = form === undefined ? "" : text.replace(...form).trim();
  const words = premise.split(" ").length;
  return words < WORDS_MIN || words > WORDS_MAX ? undefined : `${upperFirst(premise)}.`;
}

/** Fewer words hold nothing that a document could contradict, more say too many things at once. */
const WORDS_MIN = 4;
const WORDS_MAX = 60;

/** Characters of a question that may take something for granted, at the most. */
const QUESTION_CHARS_MAX = 1_000;

function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
