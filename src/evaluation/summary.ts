/** What a run comes to: the means of its metrics, the verdict, and what explains them. Pure functions over its rows. */
import type { Outcome } from "../domain/answer.js";
import { type Marks, marksOf } from "./marking.js";
import { isNoncommittal } from "./metrics/correct-refusal.js";
import { latencyByStage, type Percentiles } from "./metrics/latency.js";
import { type RiskCoverage, riskCoverage } from "./metrics/risk-coverage.js";
import type { EvaluatedRow, RunSpec } from "./run.js";
import { isJudged, JUDGED_METRICS, type MetricName } from "./score.js";

/** The words of the reference system. */
export type Grade = "EXCELLENT" | "ACCEPTABLE" | "INSUFFICIENT";

export const EXCELLENT_MIN = 0.8;
export const ACCEPTABLE_MIN = 0.6;

/**
 * What the global score is the mean of, where no judge has a say. Faithfulness is left out: it would be the gate's word
 * on what the gate let through.
 */
const COUNTED_WITHOUT_JUDGE: readonly MetricName[] = [
  "answer_relevancy_deterministic",
  "context_precision_deterministic",
  "context_recall_deterministic",
];

export interface MetricSummary {
  /** Over the rows that were scored; `undefined` when none was. */
  readonly mean: number | undefined;
  readonly scored: number;
  readonly failed: number;
  readonly notApplicable: number;
  /** Whether it is part of the global score. */
  readonly counts: boolean;
}

export interface CategorySummary {
  readonly category: string;
  readonly rows: number;
  readonly means: Readonly<Partial<Record<MetricName, number>>>;
}

export interface OutcomeCount {
  /** What the data set accepts, joined with "or"; `any` where it does not say. */
  readonly expected: string;
  /** An outcome, or `failed`. */
  readonly came: Outcome | "failed";
  readonly count: number;
}

export interface Summary {
  /** RAGAS's: the mean of its metrics, over the rows that were scored. */
  readonly globalScore: number | undefined;
  /** Rows without their figures: those that failed, and those that wait. */
  readonly unscored: number;
  readonly verdict: Grade;
  readonly metrics: Readonly<Partial<Record<MetricName, MetricSummary>>>;
  readonly categories: readonly CategorySummary[];
  readonly outcomes: readonly OutcomeCount[];
  /** Of the rows that say whether there is an answer; absent where none does. */
  readonly marks?: Marks;
  readonly latency: Readonly<Record<string, Percentiles>>;
  readonly riskCoverage: RiskCoverage;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number | undefined;
  };
}

/** Only rows with a report count in the figures; those that wait are not there yet. */
export function summarize({ metrics }: RunSpec, rows: readonly EvaluatedRow[]): Summary {
  const reported = rows.filter(({ report }) => report !== undefined);
  const counted: readonly MetricName[] = metrics.some(isJudged) ? JUDGED_METRICS : COUNTED_WITHOUT_JUDGE;
  const summaries = metrics.map((metric) => {
    const summary = metricSummary(metric, rows);
    return [metric, { ...summary, counts: counted.includes(metric) && summary.mean !== undefined }] as const;
  });
  const globalScore = meanOf(summaries.flatMap(([, { counts, mean }]) => (counts ? [mean!] : [])));
  const unscored = rows.filter(({ status }) => status !== "done").length;
  const marks = marksOf(
    reported.flatMap(
      ({
        row: {
          category,
          expected: { key },
        },
        marked,
      }) =>
        key === undefined || marked === undefined ? [] : [{ category, answerable: key.answerable, marked }],
    ),
  );
  return {
    globalScore,
    unscored,
    verdict: verdictOf(globalScore, unscored),
    metrics: Object.fromEntries(summaries),
    categories: categoriesOf(metrics, reported),
    outcomes: outcomesOf(reported),
    ...(marks.total.rows > 0 && { marks }),
    latency: latencyByStage(reported.flatMap(({ report }) => (report!.answer ? [report!.timingsMs] : []))),
    riskCoverage: riskOf(reported),
    usage: usageOf(reported),
  };
}

/** A run without any figure is insufficient, and so is one with rows that were not scored. */
export function verdictOf(globalScore: number | undefined, unscored: number): Grade {
  if (globalScore === undefined || unscored > 0) return "INSUFFICIENT";
  if (globalScore >= EXCELLENT_MIN) return "EXCELLENT";
  return globalScore >= ACCEPTABLE_MIN ? "ACCEPTABLE" : "INSUFFICIENT";
}

function metricSummary(metric: MetricName, rows: readonly EvaluatedRow[]): Omit<MetricSummary, "counts"> {
  const scores = rows.flatMap((row) => row.scores[metric] ?? []);
  const values = scores.flatMap((score) => (score.type === "scored" ? [score.value] : []));
  return {
    mean: meanOf(values),
    scored: values.length,
    failed: scores.filter(({ type }) => type === "failed").length,
    notApplicable: scores.filter(({ type }) => type === "not_applicable").length,
  };
}

function categoriesOf(metrics: readonly MetricName[], rows: readonly EvaluatedRow[]): CategorySummary[] {
  const names = [...new Set(rows.map(({ row }) => row.category))];
  return names.map((category) => {
    const own = rows.filter(({ row }) => row.category === category);
    const means = metrics.flatMap((metric) => {
      const { mean } = metricSummary(metric, own);
      return mean === undefined ? [] : [[metric, mean]];
    });
    return { category, rows: own.length, means: Object.fromEntries(means) };
  });
}

function outcomesOf(rows: readonly EvaluatedRow[]): OutcomeCount[] {
  const counts = new Map<string, OutcomeCount>();
  for (const { row, report } of rows) {
    const expected = row.expected.outcomes?.join(" or ") ?? "any";
    const came = report!.answer?.outcome ?? "failed";
    const key = `${expected}\n${came}`;
    counts.set(key, { expected, came, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** An answer is right when every check passed; without any check nobody knows, and it is left out. */
function riskOf(rows: readonly EvaluatedRow[]): RiskCoverage {
  const known = rows.filter(({ checks }) => checks.length > 0);
  const answers = known.flatMap(({ report, checks }) => {
    const answer = report!.answer;
    if (answer === undefined || isNoncommittal(answer.outcome)) return [];
    return [{ confidence: answer.confidence, correct: checks.every(({ passed }) => passed) }];
  });
  return riskCoverage(answers, known.length);
}

function usageOf(rows: readonly EvaluatedRow[]): Summary["usage"] {
  const usages = rows.map(({ report }) => report!.usage);
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    inputTokens: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
