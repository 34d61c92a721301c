/**
 * The metrics of RAGAS without a model: the same formulas over decisions of the grounding checks and of word stems. They
 * cost nothing and give the same figure each time, and they are no replacement: where the answers went through the gate,
 * which decides by the same checks, `faithfulness_deterministic` says little more than that the gate did its work.
 */
import type { Answer } from "../../domain/answer.js";
import type { Passage } from "../../domain/passage.js";
import { readQuestion } from "../../extractive/question.js";
import { leaningOf } from "../../grounding/leaning.js";
import { analyze } from "../../lib/english-analyzer.js";
import { splitSentences } from "../../lib/sentence-end.js";
import type { ExpectedAnswer } from "../data-set.js";
import { notApplicable, type Score, scored, scoredOr } from "../score.js";
import { contextPrecision } from "./context-precision.js";
import { contextRecall } from "./context-recall.js";
import { isNoncommittal } from "./correct-refusal.js";
import { evidenceFiles, isNamed } from "./evidence.js";
import { faithfulness } from "./faithfulness.js";
import { supported } from "./supported.js";

/** Share of the terms of a reference sentence that a passage must hold to count as useful, where no file is named. */
const USEFUL_TERM_SHARE = 0.5;

/** Statements are the sentences that were said. */
export function faithfulnessDeterministic(question: string, answer: Answer): Score {
  if (isNoncommittal(answer.outcome)) return notApplicable("the answer states nothing");
  const said = answer.claims.filter((claim) => claim.said).map(({ text }) => text);
  const statements = said.length > 0 ? said : sentencesOf(answer.text);
  const decisions = supported(statements, answer.passages, question);
  const notes = statements.filter((_, i) => !decisions[i]).map((text) => `not supported: ${text}`);
  return scoredOr(faithfulness(decisions), "the answer states nothing", notes);
}

/**
 * In place of generated questions: the share of the question's telling terms that come back in the answer, or in the
 * titles and headings that its evidence stands under. 0 when the answer is noncommittal, as in RAGAS.
 */
export function answerRelevancyDeterministic(
  question: string,
  previous: string | undefined,
  answer: Answer,
): Score {
  if (isNoncommittal(answer.outcome)) return scored(0, ["the answer is noncommittal"]);
  const prior = leaningOf(question) === "stands alone" ? undefined : previous;
  const terms = [...readQuestion(question, prior).telling.keys()];
  if (terms.length === 0) return notApplicable("the question has no telling word");
  const files = new Set(evidenceFiles(answer));
  const around = answer.passages
    .filter(({ sourceFile }) => files.has(sourceFile))
    .flatMap(({ title, headings }) => [title, ...headings]);
  const held = new Set(analyze([answer.text, ...around].join("\n")));
  const missing = terms.filter((term) => !held.has(term));
  const notes = missing.length === 0 ? [] : [`does not come back to: ${missing.join(", ")}`];
  return scored(1 - missing.length / terms.length, notes);
}

/** A passage is useful when it is of an expected document, or else when it holds much of a reference sentence. */
export function contextPrecisionDeterministic(passages: readonly Passage[], expected: ExpectedAnswer): Score {
  const { documents, groundTruth } = expected;
  if (documents === undefined && groundTruth === undefined)
    return notApplicable("the data set names neither documents nor a ground truth");
  const reference = sentencesOf(groundTruth ?? "").map((sentence) => [...new Set(analyze(sentence))]);
  const useful = passages.map(({ sourceFile, text }) => {
    if (documents !== undefined) return documents.some((name) => isNamed(sourceFile, name));
    const held = new Set(analyze(text));
    return reference.some(
      (terms) => terms.filter((term) => held.has(term)).length > USEFUL_TERM_SHARE * terms.length,
    );
  });
  return scoredOr(contextPrecision(useful), "nothing was retrieved");
}

/** Statements are the sentences of the ground truth. */
export function contextRecallDeterministic(
  question: string,
  groundTruth: string | undefined,
  passages: readonly Passage[],
): Score {
  const statements = sentencesOf(groundTruth ?? "");
  const attributed = supported(statements, passages, question);
  const notes = statements.filter((_, i) => !attributed[i]).map((text) => `not retrieved: ${text}`);
  return scoredOr(contextRecall(attributed), "the data set has no ground truth for it", notes);
}

function sentencesOf(text: string): string[] {
  return splitSentences(text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => analyze(sentence).length > 0);
}
