/** Evaluations for the service and for the command: where runs are kept, who answers, and who judges. */
import type { Config } from "../config/schema.js";
import type { Answerer } from "../evaluation/answerer.js";
import { DataSets } from "../evaluation/data-sets.js";
import { Evaluations } from "../evaluation/evaluations.js";
import { Judge } from "../evaluation/judge/judge.js";
import { RunQueue } from "../evaluation/run-queue.js";
import type { RowListener } from "../evaluation/runner.js";
import type { LanguageModel } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import type { Embedder } from "../retrieval/embedding/port.js";
import { openEvaluationRuns } from "../store/embedded-evaluation-runs.js";
import type { KnowledgeDeps } from "./knowledge.js";

export interface EvaluatingParts {
  readonly origin: "http" | "cli";
  readonly answerer: Answerer;
  readonly prompts: Prompts;
  readonly embedder: Embedder | undefined;
  /** The model of the judge's slot, with the pause that its server wants between calls. */
  readonly judge?: { readonly model: LanguageModel; readonly delayMs: number } | undefined;
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
  { dataDir, evaluation }: Pick<Config, "dataDir" | "evaluation">,
  parts: EvaluatingParts,
  { clock, random, telemetry }: KnowledgeDeps,
): Promise<Evaluating> {
  const { origin, answerer, prompts, embedder, judge, onRow } = parts;
  const store = await openEvaluationRuns(dataDir, clock);
  const judgeTools = judge && {
    judge: new Judge({ ...judge, prompts, clock, judgements: store }),
    embedder,
  };
  const onFault = (error: Error) =>
    telemetry.emit({ type: "service_fault", where: "evaluations", error: error.message });
  const deps = { clock, random, store, answerer, judgeTools, origin };
  const evaluations = new Evaluations(deps, evaluation, onRow);
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
