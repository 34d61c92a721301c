/**
 * The evaluations of a service or a command: runs are started, looked at, cancelled and taken up again; one is worked on
 * at a time, the oldest first. Whoever asks over HTTP and whoever asks on the command line come through here.
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
  /** Told of faults that stop the work on runs, such as a full disk. */
  readonly onFault: (error: Error) => void;
}

export interface EvaluationsOptions extends RunnerOptions {
  readonly queuedRunsMax: number;
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

/** Too many runs wait already. */
export class EvaluationsBusy extends Error {
  override readonly name = "EvaluationsBusy";
}

export interface EvaluatedRun {
  readonly run: Run;
  readonly summary: Summary;
  readonly rows: readonly EvaluatedRow[];
}

type Work =
  | { readonly type: "idle" }
  | {
      readonly type: "working";
      /** Absent while the next run is looked for. */
      readonly current?: { readonly runId: string; readonly stop: AbortController };
      /** A run was put in line since the line was looked at. */
      readonly again: boolean;
      readonly done: Promise<void>;
    }
  | { readonly type: "closed" };

const UNFINISHED = ["running", "queued"] as const;

export class Evaluations {
  #work: Work = { type: "idle" };

  constructor(
    private readonly deps: EvaluationsDeps,
    private readonly options: EvaluationsOptions,
    private readonly onRow: RowListener = () => undefined,
  ) {}

  /** The judge's model, where there is one. */
  get judge(): string | undefined {
    return this.deps.judgeTools?.judge.name;
  }

  /** Puts a run in line. Rejects with `RunProblem`, `FilterProblem`, `EvaluationsBusy` or `StoreUnusable`. */
  async start(request: RunRequest): Promise<Run> {
    const { store, random, origin } = this.deps;
    const rows = filterRows(request.dataSet.rows, request);
    const spec = this.#specOf(request);
    const nameless = rows.find((row) => row.network === undefined);
    if (nameless !== undefined && spec.network === undefined)
      throw new RunProblem(
        "network",
        `the row "${nameless.id}" names no network, and neither does the request`,
      );
    const { queuedRunsMax } = this.options;
    const waiting = await store.runs({ origin, statuses: UNFINISHED, order: "oldest", limit: queuedRunsMax });
    if (waiting.length >= queuedRunsMax)
      throw new EvaluationsBusy(`${waiting.length} runs wait already; cancel one, or try again later`);
    const id = random.id();
    await store.create(
      { id, origin, spec: JSON.stringify(spec) },
      rows.map((row) => ({ id: row.id, question: JSON.stringify(row) })),
    );
    this.#next();
    return (await this.run(id))!;
  }

  /** Goes on with runs that an earlier process left unfinished. */
  resume(): void {
    this.#next();
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
      limit: this.options.queuedRunsMax,
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

  /** Stops a run; what it has come to so far is kept. */
  async cancel(id: string): Promise<void> {
    await this.deps.store.move(id, "cancelled");
    if (this.#work.type === "working" && this.#work.current?.runId === id)
      this.#work.current.stop.abort(new RunStopped());
  }

  /** Forgets a run that is over. */
  async remove(id: string): Promise<void> {
    await this.deps.store.remove(id);
  }

  /** Resolves when nothing is worked on, and nothing waits. */
  async idle(): Promise<void> {
    while (this.#work.type === "working") await this.#work.done;
  }

  /** Stops working; runs under way can be resumed. The store stays open. */
  async close(): Promise<void> {
    const work = this.#work;
    this.#work = { type: "closed" };
    if (work.type !== "working") return;
    work.current?.stop.abort(new RunStopped());
    await work.done;
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

  /** Sees to it that the line is looked at. */
  #next(): void {
    if (this.#work.type === "working") this.#work = { ...this.#work, again: true };
    if (this.#work.type !== "idle") return;
    const done = this.#workThrough().finally(() => {
      const again = this.#work.type === "working" && this.#work.again;
      if (this.#work.type === "working") this.#work = { type: "idle" };
      if (again) this.#next();
    });
    this.#work = { type: "working", again: false, done };
  }

  /** Works on the oldest run that waits, until none does. */
  async #workThrough(): Promise<void> {
    const { store, origin, onFault } = this.deps;
    try {
      for (;;) {
        const [waiting] = await store.runs({ origin, statuses: UNFINISHED, order: "oldest", limit: 1 });
        if (waiting === undefined || this.#work.type !== "working") return;
        const stop = new AbortController();
        this.#work = { ...this.#work, again: false, current: { runId: waiting.id, stop } };
        await this.#workOn(waiting.id, stop.signal);
      }
    } catch (error) {
      onFault(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #workOn(id: string, signal: AbortSignal): Promise<void> {
    const { store } = this.deps;
    await store.move(id, "running");
    const run = await this.run(id);
    if (run === undefined || isFinal(run.status)) return;
    try {
      await workOn(run, this.deps, this.options, signal, this.onRow);
    } catch (error) {
      if (error instanceof RunStopped) return;
      throw error;
    }
    await store.move(id, "finished");
  }
}

/** A run was cancelled, or the service stops. */
class RunStopped extends Error {
  override readonly name = "RunStopped";
}
