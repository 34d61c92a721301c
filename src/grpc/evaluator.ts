/** What the gRPC door asks of an evaluation. */

export interface EvaluationRequest {
  /** Absent: questions of all categories. */
  readonly category?: string;
  /** Questions at the most; absent: all. */
  readonly limit?: number;
  /** Absent: the service's own. */
  readonly dataSet?: string;
}

export interface EvaluationSummary {
  readonly questions: number;
  readonly elapsedMs: number;
  /** Undefined: the metrics are the deterministic ones. */
  readonly judgeModel: string | undefined;
  /** Of the judge where there is one. 0–1 each; undefined where there was nothing to measure. */
  readonly metrics: {
    readonly faithfulness: number | undefined;
    readonly answerRelevancy: number | undefined;
    readonly contextRecall: number | undefined;
    readonly contextPrecision: number | undefined;
    readonly globalScore: number | undefined;
  };
  readonly verdict: string;
  /** Why the figures are not those of all questions; undefined: they are. */
  readonly problem: string | undefined;
}

/** Rejects with `Rejection` for a request that cannot be carried out, with the signal's reason when it was stopped. */
export type Evaluator = (request: EvaluationRequest, signal: AbortSignal) => Promise<EvaluationSummary>;
