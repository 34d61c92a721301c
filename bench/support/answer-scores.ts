/**
 * What the offline answerer comes to on ClapNQ, with its confidence: an answer is right where it is taken from the
 * passage that people found the answer in, a refusal where they found none. How likely the passages hold an answer is told
 * by a model that has not seen the question.
 */
import { extractAnswer } from "../../src/extractive/extractive.js";
import { checkSentence } from "../../src/grounding/check/check-sentence.js";
import { answerConfidence, claimConfidence } from "../../src/grounding/confidence/confidence.js";
import { prepareEvidence } from "../../src/grounding/evidence.js";
import { passageEvidence } from "../../src/grounding/passage-evidence.js";
import { clapNq, type FoundFor, handbook } from "./answerability-data.js";
import { examplesOf, heldOut } from "./answerability-training.js";

export interface ScoredAnswer {
  readonly isRefusal: boolean;
  readonly confidence: number;
  readonly label: 0 | 1;
}

export async function scoredAnswers(): Promise<readonly ScoredAnswer[]> {
  const { found } = await clapNq();
  const all = [...found, ...(await handbook()).found];
  const probabilities = heldOut(all, examplesOf(all));
  return await Promise.all(found.map((one, i) => scoreOf(one, probabilities[i]!)));
}

async function scoreOf(
  { answeredBy, isAnswerable, passages, question }: FoundFor,
  answerability: number,
): Promise<ScoredAnswer> {
  const extracted = await extractAnswer(question, undefined, passages, {});
  const sentences = extracted.type === "answer" ? extracted.sentences : [];
  const evidence = prepareEvidence(passages.map(passageEvidence));
  const claims = sentences.map((sentence, i) => {
    const check = checkSentence(sentence, evidence, { question, said: sentences.slice(0, i) });
    return { confidence: claimConfidence(check), said: check.verdict === "supported" };
  });
  const isRefusal = claims.every(({ said }) => !said);
  const isFromIt =
    extracted.type === "answer" && extracted.passages.some(({ documentId }) => documentId === answeredBy);
  const dropped = claims.filter(({ said }) => !said).length;
  return {
    isRefusal,
    confidence: answerConfidence({ claims, answerability, dropped, degraded: false }),
    label: (isRefusal ? !isAnswerable : isFromIt) ? 1 : 0,
  };
}
