/** What a metric says of one row, and the metrics that there are. */

/** A figure, or why there is none. Only `scored` is averaged. */
export type Score =
  | { readonly type: "scored"; readonly value: number; readonly notes: readonly string[] }
  /** The metric says nothing about such a row. */
  | { readonly type: "not_applicable"; readonly why: string }
  /** It should have said something, and could not. */
  | { readonly type: "failed"; readonly why: string };

/** `notes` are for people who look at the row. */
export function scored(value: number, notes: readonly string[] = []): Score {
  return { type: "scored", value, notes };
}

export function notApplicable(why: string): Score {
  return { type: "not_applicable", why };
}

export function failed(why: string): Score {
  return { type: "failed", why };
}

/** A figure that a formula leaves undefined: RAGAS has NaN there. */
export function scoredOr(value: number | undefined, why: string, notes: readonly string[] = []): Score {
  return value === undefined ? notApplicable(why) : scored(value, notes);
}

/** Metrics of RAGAS, with a model as judge. */
export const JUDGED_METRICS = [
  "faithfulness",
  "answer_relevancy",
  "context_precision",
  "context_recall",
] as const;

/** The same questions asked of the grounding checks and of word stems: no model, and the same figure each time. */
export const DETERMINISTIC_METRICS = [
  "faithfulness_deterministic",
  "answer_relevancy_deterministic",
  "context_precision_deterministic",
  "context_recall_deterministic",
] as const;

/** What RAGAS does not ask. */
export const OWN_METRICS = [
  "correct_refusal",
  "evidence_precision",
  "evidence_recall",
  "as_expected",
] as const;

export const METRICS = [...JUDGED_METRICS, ...DETERMINISTIC_METRICS, ...OWN_METRICS] as const;

export type JudgedMetric = (typeof JUDGED_METRICS)[number];
export type MetricName = (typeof METRICS)[number];

export type Scores = Readonly<Partial<Record<MetricName, Score>>>;

export function isJudged(metric: MetricName): metric is JudgedMetric {
  return (JUDGED_METRICS as readonly MetricName[]).includes(metric);
}

/** The metrics that can be had: those of the judge only where there is one. */
export function availableMetrics(hasJudge: boolean): readonly MetricName[] {
  return METRICS.filter((metric) => hasJudge || !isJudged(metric));
}
