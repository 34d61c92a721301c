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
  /** Absent: the metrics are the deterministic ones. */
  readonly judgeModel?: string;
  /** 0–1 each; absent where there was nothing to measure. */
  readonly metrics: {
    readonly faithfulness?: number;
    readonly answerRelevancy?: number;
    readonly contextRecall?: number;
    readonly contextPrecision?: number;
    readonly globalScore?: number;
  };
  readonly verdict: string;
}

/** Rejects with `Rejection` for a request that cannot be carried out, with the signal's reason when it was stopped. */
export type Evaluator = (request: EvaluationRequest, signal: AbortSignal) => Promise<EvaluationSummary>;
