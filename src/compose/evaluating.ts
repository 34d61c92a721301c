/** Evaluations for the service and for the command: where runs are kept, who answers, and who judges. */
import type { Config } from "../config/schema.js";
import type { Answerer } from "../evaluation/answerer.js";
import { DataSets } from "../evaluation/data-sets.js";
import { Evaluations } from "../evaluation/evaluations.js";
import { Judge } from "../evaluation/judge/judge.js";
import { judgeDelayMs } from "../evaluation/options.js";
import { RunQueue } from "../evaluation/run-queue.js";
import type { RowListener } from "../evaluation/runner.js";
import type { Prompts } from "../llm/prompts.js";
import type { Embedder } from "../retrieval/embedding/port.js";
import { openEvaluationRuns } from "../store/embedded-evaluation-runs.js";
import type { KnowledgeDeps } from "./knowledge.js";
import { modelServer } from "./model-server.js";
import type { ModelSlot } from "./models.js";

export interface EvaluatingParts {
  readonly origin: "http" | "cli";
  readonly answerer: Answerer;
  readonly prompts: Prompts;
  readonly embedder: Embedder | undefined;
  /** The judge's slot, where one is set. */
  readonly judge: Pick<ModelSlot, "model"> | undefined;
  readonly onRow?: RowListener;
}

export interface Evaluating {
  readonly evaluations: Evaluations;
  /** For the service. */
  readonly queue: RunQueue;
  readonly dataSets: DataSets;
  /** Stops work; runs under way can be resumed. */
  close(): Promise<void>;
}

/** Works on nothing yet: `queue.start`, `queue.resume` and `evaluations.work` do. Rejects with `StoreUnusable`. */
export async function openEvaluating(
  { dataDir, evaluation, llm }: Pick<Config, "dataDir" | "evaluation" | "llm">,
  parts: EvaluatingParts,
  { clock, random, telemetry }: KnowledgeDeps,
): Promise<Evaluating> {
  const { origin, answerer, prompts, embedder, judge, onRow } = parts;
  const store = await openEvaluationRuns(dataDir, clock);
  const delayMs = judgeDelayMs(evaluation.judgeDelayMs, modelServer(llm.judge, llm).baseUrl);
  const judgeTools = judge && {
    judge: new Judge({ model: judge.model, prompts, clock, judgements: store, delayMs }),
    embedder,
  };
  const onFault = (error: Error) =>
    telemetry.emit({ type: "service_fault", where: "evaluations", error: error.message });
  const deps = { clock, random, store, answerer, judgeTools, origin };
  const told: RowListener = (state) => {
    onRow?.(state);
    const { report, scores, status } = state;
    if (report?.turn === undefined || (status !== "done" && status !== "failed")) return;
    const figures = Object.entries(scores).flatMap(([metric, score]) =>
      score.type === "scored" ? [[metric, score.value] as const] : [],
    );
    telemetry.emit({ type: "turn_scored", turn: report.turn, scores: Object.fromEntries(figures) });
  };
  const evaluations = new Evaluations(deps, evaluation, told);
  const queue = new RunQueue(evaluations, evaluation, onFault);
  return {
    evaluations,
    queue,
    dataSets: new DataSets(evaluation.datasetsDir, evaluation),
    async close() {
      await queue.close();
      await store.close();
    },
  };
}
