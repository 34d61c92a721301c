/**
 * Works on evaluation runs, one at a time, and writes down what each row comes to as it comes: a process that dies
 * loses the rows that were under way and no other, and whoever resumes goes on from there.
 */
import type { AnswerReport } from "../domain/answer-report.js";
import { backoffMs } from "../lib/backoff.js";
import { type Clock, sleep } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import type { Random } from "../lib/random.js";
import { ModelFailure } from "../llm/port.js";
import { EmbeddingUnavailable } from "../retrieval/embedding/port.js";
import type { EvaluationRuns, RowStatus } from "../store/evaluation-runs.js";
import type { Answerer } from "./answerer.js";
import { askRow, isPassing } from "./ask-row.js";
import { JudgeUnavailable } from "./judge/judge.js";
import type { JudgeTools } from "./judge/judged-scores.js";
import { type RowResult, type RowState, type Run, type RunSpec, rowStateOf } from "./run.js";
import { failed, isJudged, type MetricName, type Score, type Scores } from "./score.js";
import { judgeRow, scoreRow } from "./score-row.js";

export interface RunnerDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: EvaluationRuns;
  readonly answerer: Answerer;
  readonly judgeTools: JudgeTools | undefined;
}

export interface RunnerOptions {
  readonly concurrency: number;
  readonly attemptsMax: number;
  readonly retryDelayMs: number;
}

/** Pauses between attempts grow up to this. */
const RETRY_DELAY_MS_MAX = 300_000;

/** All turns of one row. Each turn has its own, shorter limit. */
const ROW_MS_MAX = 300_000;

/** Rows that wait are read from the store so many at a time. */
const BATCH_ROWS = 64;

/** Told after each row that was written down. */
export type RowListener = (state: RowState) => void;

/**
 * Works until every row of the run is final. Rejects with the signal's reason, or with `StoreUnusable`; either way the
 * rows that are final stay so, and the next call goes on with the others.
 */
export async function workOn(
  run: Run,
  deps: RunnerDeps,
  options: RunnerOptions,
  signal: AbortSignal,
  onRow: RowListener = () => undefined,
): Promise<void> {
  for (let round = 1; ; round++) {
    const left = await oneRound(run, deps, options, signal, onRow);
    if (left === 0) return;
    const limits = { delayMs: options.retryDelayMs, delayMaxMs: RETRY_DELAY_MS_MAX };
    await sleep(deps.clock, backoffMs(round, limits, deps.random), signal);
  }
}

const WAITING: readonly RowStatus[] = ["pending", "answered"];

/** Tries every row that waits once, and returns how many still wait. */
async function oneRound(
  run: Run,
  deps: RunnerDeps,
  options: RunnerOptions,
  signal: AbortSignal,
  onRow: RowListener,
): Promise<number> {
  let left = 0;
  for (let from = 0; ; ) {
    const batch = await deps.store.rows(run.id, { statuses: WAITING, from, limit: BATCH_ROWS });
    if (batch.length === 0) return left;
    from = batch.at(-1)!.position + 1;
    await atOnce(batch, options.concurrency, signal, async (stored, stop) => {
      const state = await new RowWork(run.spec, rowStateOf(stored), deps, options, (next) => save(next)).run(
        stop,
      );
      if (WAITING.includes(state.status)) left += 1;
      onRow(state);
    });
  }

  async function save({ position, status, attempts, report, scores, reason }: RowState): Promise<void> {
    const result: RowResult = { scores, ...(report && { report }), ...(reason !== undefined && { reason }) };
    await deps.store.saveRow(run.id, { position, status, attempts, result: JSON.stringify(result) });
  }
}

/** Works on `items`, at most `limit` at a time. The first failure stops the others and is thrown when they have stopped. */
async function atOnce<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const stop = AbortSignal.any([signal, controller.signal]);
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      stop.throwIfAborted();
      await work(item, stop);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, () =>
    worker().catch((error: unknown) => {
      controller.abort(error);
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  signal.throwIfAborted();
  if (ended.some(({ status }) => status === "rejected")) throw controller.signal.reason;
}

/** One row: asked, then measured, and written down after each step. */
class RowWork {
  #state: RowState;

  constructor(
    private readonly spec: RunSpec,
    state: RowState,
    private readonly deps: RunnerDeps,
    private readonly options: RunnerOptions,
    private readonly save: (state: RowState) => Promise<void>,
  ) {
    this.#state = state;
  }

  /** One attempt. The row is final after it, or waits for the next one. */
  async run(signal: AbortSignal): Promise<RowState> {
    if (this.#state.status === "pending") await this.#ask(signal);
    if (this.#state.status === "answered") await this.#measure(signal);
    return this.#state;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const report = await this.#report(signal);
    if (report.failure === undefined) {
      await this.#put({ status: "answered", attempts: 0, report, reason: undefined });
      return;
    }
    const { code, error } = report.failure;
    const reason = `${code}: ${error}`;
    const attempts = this.#state.attempts + 1;
    const isOver = !isPassing(report.failure) || attempts >= this.options.attemptsMax;
    await this.#put({ status: isOver ? "failed" : "pending", attempts, reason, ...(isOver && { report }) });
  }

  /** A fault of ours is a failure of the turn too: a run does not stop for one row. */
  async #report(signal: AbortSignal): Promise<AnswerReport> {
    const { answerer, clock } = this.deps;
    const { row } = this.#state;
    try {
      return await withDeadline(clock, "the row", ROW_MS_MAX, signal, (limited) =>
        askRow(row, this.spec.network ?? "", answerer, limited),
      );
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof DeadlineExceeded ? "timeout" : "assistant_unavailable";
      const failure = { code, error: error instanceof Error ? error.message : String(error) } as const;
      return {
        answer: undefined,
        failure,
        sources: [],
        timingsMs: {},
        usage: { inputTokens: 0, outputTokens: 0 },
      };
    }
  }

  async #measure(signal: AbortSignal): Promise<void> {
    const { row, report } = this.#state;
    const answer = report?.answer;
    if (answer === undefined) throw new Error(`the row ${row.id} is answered and has no answer`);
    const { metrics } = this.spec;
    let scores: Scores = { ...scoreRow(row, answer, metrics), ...this.#state.scores };
    for (const metric of metrics) {
      if (!isJudged(metric) || scores[metric] !== undefined) continue;
      try {
        scores = { ...scores, [metric]: await this.#judge(metric, signal) };
      } catch (error) {
        signal.throwIfAborted();
        await this.#postpone(error, scores);
        return;
      }
    }
    await this.#finish(scores);
  }

  #judge(metric: MetricName, signal: AbortSignal): Promise<Score> {
    const { row, report } = this.#state;
    const tools = this.deps.judgeTools;
    if (tools === undefined) return Promise.resolve(failed("no judge is configured"));
    return judgeRow(row, report!.answer!, metric, tools, signal);
  }

  /** The judge is out of reach: the row waits for another attempt, or goes without what is missing. */
  async #postpone(error: unknown, scores: Scores): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const attempts = this.#state.attempts + 1;
    if (isPassingFault(error) && attempts < this.options.attemptsMax) {
      await this.#put({ status: "answered", attempts, scores, reason });
      return;
    }
    const missing = this.spec.metrics.filter((metric) => isJudged(metric) && scores[metric] === undefined);
    await this.#finish({
      ...scores,
      ...Object.fromEntries(missing.map((metric) => [metric, failed(reason)])),
    });
  }

  async #finish(scores: Scores): Promise<void> {
    const problems = Object.entries(scores).flatMap(([metric, score]) =>
      score.type === "failed" ? [`${metric}: ${score.why}`] : [],
    );
    if (problems.length === 0) await this.#put({ status: "done", scores, reason: undefined });
    else await this.#put({ status: "failed", scores, reason: problems.join("; ") });
  }

  async #put(
    change: Partial<Omit<RowState, "reason">> & { readonly reason: string | undefined },
  ): Promise<void> {
    const { reason: _, ...before } = this.#state;
    const { reason, ...rest } = change;
    this.#state = { ...before, ...rest, ...(reason !== undefined && { reason }) };
    await this.save(this.#state);
  }
}

function isPassingFault(error: unknown): boolean {
  if (error instanceof JudgeUnavailable || error instanceof EmbeddingUnavailable) return true;
  return error instanceof ModelFailure && error.retryable;
}
