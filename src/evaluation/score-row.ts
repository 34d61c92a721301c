/** Every figure that was asked for, of one answer. */
import type { Answer } from "../domain/answer.js";
import type { DataSetRow } from "./data-set.js";
import { JUDGED, type JudgeTools } from "./judge/judged-scores.js";
import { correctRefusal, isNoncommittal } from "./metrics/correct-refusal.js";
import {
  answerRelevancyDeterministic,
  contextPrecisionDeterministic,
  contextRecallDeterministic,
  faithfulnessDeterministic,
} from "./metrics/deterministic.js";
import { evidenceScores } from "./metrics/evidence.js";
import {
  isJudged,
  type MetricName,
  notApplicable,
  type Score,
  type Scores,
  scored,
  scoredOr,
} from "./score.js";

/** Relevancy and evidence say nothing of an answer that is not there and should not be: `correct_refusal` does. */
const RIGHTLY_REFUSED = notApplicable("rightly refused");

/** The figures that need no judge, but for `as_expected`. Pure, and the same each time. */
export function scoreRow(row: DataSetRow, answer: Answer, metrics: readonly MetricName[]): Scores {
  const { expected, turns } = row;
  const question = turns.at(-1)!;
  const measures: Readonly<Partial<Record<MetricName, () => Score>>> = {
    faithfulness_deterministic: () => faithfulnessDeterministic(question, answer),
    answer_relevancy_deterministic: () =>
      isRightlyRefused(row, answer)
        ? RIGHTLY_REFUSED
        : answerRelevancyDeterministic(question, turns.at(-2), answer),
    context_precision_deterministic: () => contextPrecisionDeterministic(answer.passages, expected),
    context_recall_deterministic: () =>
      contextRecallDeterministic(question, expected.groundTruth, answer.passages),
    correct_refusal: () => correctRefusal(expected.outcomes, answer.outcome),
    evidence_precision: () => evidence(row, answer, "precision"),
    evidence_recall: () => evidence(row, answer, "recall"),
  };
  return Object.fromEntries(
    metrics.flatMap((name) => {
      const measure = measures[name];
      return measure === undefined ? [] : [[name, measure()]];
    }),
  );
}

/** One figure of the judge. Rejects as `JUDGED` does. */
export async function judgeRow(
  row: DataSetRow,
  answer: Answer,
  metric: MetricName,
  tools: JudgeTools,
  signal: AbortSignal,
): Promise<Score> {
  if (!isJudged(metric)) throw new Error(`${metric} needs no judge`);
  if (metric === "answer_relevancy" && isRightlyRefused(row, answer)) return RIGHTLY_REFUSED;
  return JUDGED[metric]({ question: row.turns.join("\n"), answer, expected: row.expected }, tools, signal);
}

function isRightlyRefused({ expected }: DataSetRow, { outcome }: Answer): boolean {
  return isNoncommittal(outcome) && (expected.outcomes?.includes(outcome) ?? false);
}

function evidence(row: DataSetRow, answer: Answer, which: "precision" | "recall"): Score {
  const { documents } = row.expected;
  if (documents === undefined) return notApplicable("the data set names no documents");
  if (isRightlyRefused(row, answer)) return RIGHTLY_REFUSED;
  const scores = evidenceScores(answer, documents);
  if (which === "recall") return scored(scores.recall);
  return scoredOr(scores.precision, "nothing that was said has evidence");
}
