/** Evaluations in the service: their HTTP routes, what gRPC asks of them, and the runs that an earlier process left. */

import { Rejection } from "../api/rejection.js";
import type { Config } from "../config/schema.js";
import { UnknownDataSet } from "../evaluation/data-sets.js";
import { RunProblem } from "../evaluation/evaluations.js";
import { FilterProblem } from "../evaluation/filter.js";
import { gateProblem } from "../evaluation/gate.js";
import { DataSetProblem } from "../evaluation/read-data-set.js";
import { isFinal, type Run } from "../evaluation/run.js";
import { EvaluationsBusy } from "../evaluation/run-queue.js";
import type { MetricName } from "../evaluation/score.js";
import type { EvaluationRequest, EvaluationSummary, Evaluator } from "../grpc/evaluator.js";
import { evaluationRoutes } from "../http/evaluations.js";
import { type Clock, sleep } from "../lib/clock.js";
import type { Prompts } from "../llm/prompts.js";
import { StoreUnusable } from "../store/dead-letters.js";
import { createAnswerer } from "./answerer.js";
import type { Answering } from "./answering.js";
import { type Evaluating, openEvaluating } from "./evaluating.js";
import type { Knowledge, KnowledgeDeps } from "./knowledge.js";

/** The data set of a request that names none. */
const DEFAULT_DATA_SET = "golden";

/** How often a run is looked at by whoever waits for its end. */
const LOOK_INTERVAL_MS = 250;

export interface EvaluationDoor {
  readonly routes: ReturnType<typeof evaluationRoutes>;
  readonly evaluate: Evaluator;
  /** Takes up what an earlier process left. */
  start(): void;
  close(): Promise<void>;
}

/** Undefined where runs cannot be kept, which is told to the telemetry: answers do not depend on it. */
export async function openEvaluationDoor(
  config: Config,
  { answering, knowledge, prompts }: { answering: Answering; knowledge: Knowledge; prompts: Prompts },
  deps: KnowledgeDeps,
): Promise<EvaluationDoor | undefined> {
  const answerer = createAnswerer(answering.chats, deps.random);
  const { judge } = answering;
  const parts = { origin: "http", answerer, prompts, embedder: knowledge.modelEmbedder, judge } as const;
  try {
    const evaluating = await openEvaluating(config, parts, deps);
    return {
      routes: evaluationRoutes({ ...evaluating, limits: config.evaluation }),
      evaluate: (request, signal) => evaluate(request, evaluating, deps.clock, signal),
      start: () => evaluating.queue.resume(),
      close: () => evaluating.close(),
    };
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
    deps.telemetry.emit({ type: "service_fault", where: "evaluations", error: String(error) });
    return undefined;
  }
}

/** A run like any other, in line with the others; whoever asked waits for it, and takes it along when leaving. */
async function evaluate(
  request: EvaluationRequest,
  evaluating: Evaluating,
  clock: Clock,
  signal: AbortSignal,
): Promise<EvaluationSummary> {
  const startMs = clock.monotonic();
  const { evaluations, queue } = evaluating;
  let run = await begin(request, evaluating);
  try {
    while (!isFinal(run.status)) {
      await sleep(clock, LOOK_INTERVAL_MS, signal);
      run = (await evaluations.run(run.id)) ?? run;
    }
  } catch (error) {
    await queue.cancel(run.id);
    throw error;
  }
  if (run.status !== "finished") throw new Rejection("cancelled", "The run was cancelled.");
  const evaluated = await evaluations.report(run);
  const { rows, summary } = evaluated;
  const mean = (judged: MetricName, deterministic: MetricName) =>
    summary.metrics[run.spec.judge === undefined ? deterministic : judged]?.mean;
  return {
    questions: rows.length,
    elapsedMs: clock.monotonic() - startMs,
    judgeModel: run.spec.judge,
    metrics: {
      faithfulness: mean("faithfulness", "faithfulness_deterministic"),
      answerRelevancy: mean("answer_relevancy", "answer_relevancy_deterministic"),
      contextRecall: mean("context_recall", "context_recall_deterministic"),
      contextPrecision: mean("context_precision", "context_precision_deterministic"),
      globalScore: summary.globalScore,
    },
    verdict: summary.verdict,
    problem: gateProblem(evaluated),
  };
}

async function begin(request: EvaluationRequest, { dataSets, queue }: Evaluating): Promise<Run> {
  const { category, dataSet = DEFAULT_DATA_SET, limit } = request;
  try {
    return await queue.start({
      name: dataSet,
      dataSet: await dataSets.open(dataSet),
      ...(category === undefined ? {} : { categories: [category] }),
      ...(limit === undefined ? {} : { limit }),
    });
  } catch (error) {
    throw asRejection(error);
  }
}

function asRejection(error: unknown): unknown {
  if (error instanceof UnknownDataSet) return new Rejection("not_found", error.message, "data_set");
  if (error instanceof DataSetProblem || error instanceof RunProblem)
    return new Rejection("bad_parameter", error.message, "data_set");
  if (error instanceof FilterProblem) return new Rejection("bad_parameter", error.message, error.field);
  if (error instanceof EvaluationsBusy) return new Rejection("rate_limited", error.message);
  return error;
}
