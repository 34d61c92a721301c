/**
 * Evaluation runs: made from requests, worked on to their end, and looked at meanwhile. The command works on one run;
 * the service puts them in line (`run-queue.ts`).
 */
import { isDeepStrictEqual } from "node:util";
import type { RowStatus } from "../store/evaluation-runs.js";
import type { DataSet } from "./data-set.js";
import { filterRows, type RowFilter } from "./filter.js";
import { type EvaluatedRow, evaluated, isFinal, type Run, type RunSpec, rowStateOf, runOf } from "./run.js";
import { type RowListener, type RunnerDeps, type RunnerOptions, workOn } from "./runner.js";
import { availableMetrics, isJudged, type MetricName } from "./score.js";
import { type Summary, summarize } from "./summary.js";

export interface EvaluationsDeps extends RunnerDeps {
  /** Which runs are ours; see the store. */
  readonly origin: "http" | "cli";
}

export interface RunRequest extends RowFilter {
  readonly dataSet: DataSet;
  /** For people. */
  readonly name: string;
  /** Of the rows that name none; the data set's own word comes first. */
  readonly network?: string;
  /** All that can be had unless given. */
  readonly metrics?: readonly MetricName[];
}

/** What was asked for cannot be done; `field` is the parameter at fault. */
export class RunProblem extends Error {
  override readonly name = "RunProblem";
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

export interface EvaluatedRun {
  readonly run: Run;
  readonly summary: Summary;
  readonly rows: readonly EvaluatedRow[];
}

const UNFINISHED = ["running", "queued"] as const;

/** Unfinished runs that are looked through for one to resume. */
const RESUMABLE_MAX = 100;

export class Evaluations {
  constructor(
    private readonly deps: EvaluationsDeps,
    private readonly options: RunnerOptions,
    private readonly onRow: RowListener = () => undefined,
  ) {}

  /** The judge's model, where there is one. */
  get judge(): string | undefined {
    return this.deps.judgeTools?.judge.name;
  }

  /** Writes a new run down. Rejects with `RunProblem`, `FilterProblem` or `StoreUnusable`. */
  async create(request: RunRequest): Promise<Run> {
    const { store, random, origin } = this.deps;
    const rows = filterRows(request.dataSet.rows, request);
    const spec = this.#specOf(request);
    const drafts = rows.filter(({ draft }) => draft === true);
    if (drafts.length > 0)
      throw new RunProblem(
        "dataset",
        `${drafts.length} of ${rows.length} rows are drafts, such as "${drafts[0]!.id}": correct each of them, take out ` +
          `"draft": true, and ask again`,
      );
    const nameless = rows.find((row) => row.network === undefined);
    if (nameless !== undefined && spec.network === undefined)
      throw new RunProblem(
        "network",
        `the row "${nameless.id}" names no network, and neither does the request`,
      );
    const id = random.id();
    await store.create(
      { id, origin, spec: JSON.stringify(spec) },
      rows.map((row) => ({ id: row.id, question: JSON.stringify(row) })),
    );
    return (await this.run(id))!;
  }

  /**
   * Works on a run until it is over; one that is over already stays as it is. Rejects with the signal's reason, which
   * leaves the run to be taken up again, or with `StoreUnusable`.
   */
  async work(id: string, signal: AbortSignal): Promise<void> {
    const { store } = this.deps;
    await store.move(id, "running");
    const run = await this.run(id);
    if (run === undefined || isFinal(run.status)) return;
    await workOn(run, this.deps, this.options, signal, this.onRow);
    await store.move(id, "finished");
  }

  /** Runs that are not over, the oldest first. */
  async waiting(limit: number): Promise<readonly Run[]> {
    const { store, origin } = this.deps;
    return (await store.runs({ origin, statuses: UNFINISHED, order: "oldest", limit })).map(runOf);
  }

  /** The newest unfinished run that was asked for in the same way, with the same questions. */
  async unfinished(request: RunRequest): Promise<Run | undefined> {
    const { store, origin } = this.deps;
    const rows = filterRows(request.dataSet.rows, request);
    const spec = this.#specOf(request);
    const runs = await store.runs({
      origin,
      statuses: UNFINISHED,
      order: "newest",
      limit: RESUMABLE_MAX,
    });
    for (const run of runs.map(runOf)) {
      if (!isDeepStrictEqual(run.spec, JSON.parse(JSON.stringify(spec)))) continue;
      const kept = (await store.rows(run.id)).map(({ question }) => question);
      if (
        isDeepStrictEqual(
          kept,
          rows.map((row) => JSON.stringify(row)),
        )
      )
        return run;
    }
    return undefined;
  }

  async run(id: string): Promise<Run | undefined> {
    const stored = await this.deps.store.run(id);
    return stored === undefined || stored.origin !== this.deps.origin ? undefined : runOf(stored);
  }

  /** Newest first. */
  async runs(limit: number, offset = 0): Promise<readonly Run[]> {
    const { store, origin } = this.deps;
    return (await store.runs({ origin, order: "newest", limit, offset })).map(runOf);
  }

  /** A page of rows in the order of the data set. */
  async rows(
    run: Run,
    page: { readonly from?: number; readonly limit?: number; readonly statuses?: readonly RowStatus[] },
  ): Promise<readonly EvaluatedRow[]> {
    const { store } = this.deps;
    const states = (await store.rows(run.id, page)).map(rowStateOf);
    const ids = [...new Set(states.flatMap(({ row }) => row.expected.sameWordsAs ?? []))];
    const others = ids.length === 0 ? [] : (await store.rows(run.id, { ids })).map(rowStateOf);
    return evaluated(states, others, run.spec.metrics);
  }

  /** Everything that a run has come to so far. */
  async report(run: Run): Promise<EvaluatedRun> {
    const rows = await this.rows(run, {});
    return { run, rows, summary: summarize(run.spec, rows) };
  }

  /** Ends a run where it is; what it has come to so far is kept. Whoever works on it has to be stopped as well. */
  async cancel(id: string): Promise<void> {
    await this.deps.store.move(id, "cancelled");
  }

  /** Forgets a run that is over. */
  async remove(id: string): Promise<void> {
    await this.deps.store.remove(id);
  }

  #specOf(request: RunRequest): RunSpec {
    const available = availableMetrics(this.judge !== undefined);
    const metrics = request.metrics ?? available;
    const missing = metrics.find((metric) => !available.includes(metric));
    if (missing !== undefined)
      throw new RunProblem(
        "metrics",
        `${missing} needs a judge, and none is configured; there are ${available.join(", ")}`,
      );
    if (metrics.length === 0) throw new RunProblem("metrics", `name at least one of ${available.join(", ")}`);
    const network = request.dataSet.network ?? request.network;
    return {
      dataSet: request.name,
      metrics: available.filter((metric) => metrics.includes(metric)),
      ...(network !== undefined && { network }),
      ...(this.judge !== undefined && metrics.some(isJudged) && { judge: this.judge }),
    };
  }
}
