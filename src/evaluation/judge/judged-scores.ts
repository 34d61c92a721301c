/**
 * The metrics of RAGAS with a model as judge: what is asked of it, in which order, and what its answers come to by the
 * formulas of `metrics/`. A judge that answers nonsense fails that metric of that row; its figure is not averaged.
 */
import { z } from "zod";
import type { Answer } from "../../domain/answer.js";
import type { Embedder } from "../../retrieval/embedding/port.js";
import type { ExpectedAnswer } from "../data-set.js";
import {
  answerRelevancy,
  cosine,
  type GeneratedQuestion,
  QUESTIONS_PER_ANSWER,
} from "../metrics/answer-relevancy.js";
import { contextPrecision } from "../metrics/context-precision.js";
import { contextRecall } from "../metrics/context-recall.js";
import { isNoncommittal } from "../metrics/correct-refusal.js";
import { faithfulness } from "../metrics/faithfulness.js";
import { failed, type JudgedMetric, notApplicable, type Score, scored, scoredOr } from "../score.js";
import { type Judge, judgeForm } from "./judge.js";

export interface JudgedRow {
  readonly question: string;
  readonly answer: Answer;
  readonly expected: ExpectedAnswer;
}

export interface JudgeTools {
  readonly judge: Judge;
  /** For answer relevancy, which is not to be had without. */
  readonly embedder: Embedder | undefined;
}

type Measure = (row: JudgedRow, tools: JudgeTools, signal: AbortSignal) => Promise<Score>;

/** Each rejects with `JudgeUnavailable`, `EmbeddingUnavailable`, a `ModelFailure` that is final, or the signal's reason. */
export const JUDGED: Readonly<Record<JudgedMetric, Measure>> = {
  faithfulness: judgedFaithfulness,
  answer_relevancy: judgedRelevancy,
  context_precision: judgedPrecision,
  context_recall: judgedRecall,
};

/** Verdicts as models write them. */
const bit = z.union([
  z.boolean(),
  z.literal([0, 1]).transform((value) => value === 1),
  z.literal(["0", "1", "true", "false"]).transform((value) => value === "1" || value === "true"),
]);

/** Verdicts as they are asked for. */
const strictBit = z.literal([0, 1]);

const STATEMENTS = judgeForm(
  "judge-statements",
  z.strictObject({ statements: z.array(z.string()) }),
  z.object({ statements: z.array(z.string()) }),
);
const VERDICTS = judgeForm(
  "judge-verdicts",
  z.strictObject({ verdicts: z.array(z.strictObject({ reason: z.string(), verdict: strictBit })) }),
  z.object({ verdicts: z.array(z.object({ reason: z.string().default(""), verdict: bit })) }),
);
const QUESTION = judgeForm(
  "judge-question",
  z.strictObject({ question: z.string(), noncommittal: strictBit }),
  z.object({ question: z.string(), noncommittal: bit }),
);
const USEFULNESS = judgeForm(
  "judge-usefulness",
  z.strictObject({ reason: z.string(), verdict: strictBit }),
  z.object({ reason: z.string().default(""), verdict: bit }),
);
const ATTRIBUTION = judgeForm(
  "judge-attribution",
  z.strictObject({
    classifications: z.array(
      z.strictObject({ statement: z.string(), reason: z.string(), attributed: strictBit }),
    ),
  }),
  z.object({
    classifications: z.array(
      z.object({ statement: z.string(), reason: z.string().default(""), attributed: bit }),
    ),
  }),
);

const NOTHING_STATED = "the answer states nothing";
const NOTHING_RETRIEVED = "nothing was retrieved";
const NO_GROUND_TRUTH = "the data set has no ground truth for it";

async function judgedFaithfulness(
  { question, answer }: JudgedRow,
  { judge }: JudgeTools,
  signal: AbortSignal,
): Promise<Score> {
  if (isNoncommittal(answer.outcome)) return notApplicable(NOTHING_STATED);
  if (answer.passages.length === 0) return notApplicable(NOTHING_RETRIEVED);
  const cut = await judge.ask(STATEMENTS, { question, answer: answer.text }, signal);
  if (cut.type === "nonsense") return nonsense(cut.why);
  const statements = cut.value.statements.filter((statement) => statement.trim() !== "");
  if (statements.length === 0) return notApplicable(NOTHING_STATED);
  const asked = await judge.ask(VERDICTS, { context: contextOf(answer), statements }, signal);
  if (asked.type === "nonsense") return nonsense(asked.why);
  const { verdicts } = asked.value;
  if (verdicts.length !== statements.length)
    return nonsense(`${verdicts.length} verdicts on ${statements.length} statements`);
  const notes = verdicts.flatMap(({ verdict, reason }, i) =>
    verdict ? [] : [`not supported: ${statements[i]} (${reason})`],
  );
  return scoredOr(faithfulness(verdicts.map(({ verdict }) => verdict)), NOTHING_STATED, notes);
}

async function judgedRelevancy(
  { question, answer }: JudgedRow,
  { judge, embedder }: JudgeTools,
  signal: AbortSignal,
): Promise<Score> {
  if (embedder === undefined)
    return notApplicable("it needs an embedding model; set embedding.provider to openai");
  if (answer.text.trim() === "") return notApplicable("the answer is empty");
  const generated: GeneratedQuestion[] = [];
  for (let number = 1; number <= QUESTIONS_PER_ANSWER; number++) {
    const asked = await judge.ask(QUESTION, { answer: answer.text, number }, signal);
    if (asked.type === "nonsense") return nonsense(asked.why);
    generated.push(asked.value);
  }
  const [asked, ...vectors] = await embedder.embed(
    [question, ...generated.map((one) => (one.question.trim() === "" ? question : one.question))],
    signal,
  );
  const cosines = vectors.map((vector) => cosine(asked!, vector));
  const value = answerRelevancy(generated, cosines);
  const notes = generated.map((one) => `${one.noncommittal ? "noncommittal; " : ""}answers: ${one.question}`);
  return value === undefined ? nonsense("no question came") : scored(value, notes);
}

async function judgedPrecision(
  { question, answer, expected }: JudgedRow,
  { judge }: JudgeTools,
  signal: AbortSignal,
): Promise<Score> {
  if (expected.groundTruth === undefined) return notApplicable(NO_GROUND_TRUTH);
  const useful: boolean[] = [];
  for (const { text } of answer.passages) {
    const data = { question, context: text, answer: expected.groundTruth };
    const asked = await judge.ask(USEFULNESS, data, signal);
    if (asked.type === "nonsense") return nonsense(asked.why);
    useful.push(asked.value.verdict);
  }
  return scoredOr(contextPrecision(useful), NOTHING_RETRIEVED);
}

async function judgedRecall(
  { question, answer, expected }: JudgedRow,
  { judge }: JudgeTools,
  signal: AbortSignal,
): Promise<Score> {
  if (expected.groundTruth === undefined) return notApplicable(NO_GROUND_TRUTH);
  if (answer.passages.length === 0) return scored(0, [NOTHING_RETRIEVED]);
  const data = { question, context: contextOf(answer), answer: expected.groundTruth };
  const asked = await judge.ask(ATTRIBUTION, data, signal);
  if (asked.type === "nonsense") return nonsense(asked.why);
  const { classifications } = asked.value;
  const notes = classifications.flatMap(({ attributed, statement }) =>
    attributed ? [] : [`not retrieved: ${statement}`],
  );
  const value = contextRecall(classifications.map(({ attributed }) => attributed));
  return value === undefined ? nonsense("no statement was classified") : scored(value, notes);
}

/** The passages as RAGAS joins them. */
function contextOf({ passages }: Answer): string {
  return passages.map(({ text }) => text).join("\n");
}

function nonsense(why: string): Score {
  return failed(`the judge's answer makes no sense: ${why}`);
}
