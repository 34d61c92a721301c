/** Evaluation runs in line: one is worked on at a time, the oldest first, those of an earlier process too. */
import type { Evaluations, RunRequest } from "./evaluations.js";
import type { Run } from "./run.js";

/** Too many runs wait already. */
export class EvaluationsBusy extends Error {
  override readonly name = "EvaluationsBusy";
}

export interface RunQueueOptions {
  readonly queuedRunsMax: number;
}

type Work =
  | { readonly type: "idle" }
  | {
      readonly type: "working";
      /** Absent while the line is looked at. */
      readonly current?: { readonly runId: string; readonly stop: AbortController };
      /** A run was put in line since it was looked at. */
      readonly again: boolean;
      readonly done: Promise<void>;
    }
  | { readonly type: "closed" };

export class RunQueue {
  #work: Work = { type: "idle" };

  /** `onFault` is told of what stops the work, such as a full disk. */
  constructor(
    private readonly evaluations: Evaluations,
    private readonly options: RunQueueOptions,
    private readonly onFault: (error: Error) => void,
  ) {}

  /** Puts a run in line. Rejects with `RunProblem`, `FilterProblem`, `EvaluationsBusy` or `StoreUnusable`. */
  async start(request: RunRequest): Promise<Run> {
    const { queuedRunsMax } = this.options;
    const waiting = await this.evaluations.waiting(queuedRunsMax);
    if (waiting.length >= queuedRunsMax)
      throw new EvaluationsBusy(`${waiting.length} runs wait already; cancel one, or try again later`);
    const run = await this.evaluations.create(request);
    this.resume();
    return run;
  }

  /** Sees to it that the line is looked at. */
  resume(): void {
    if (this.#work.type === "working") this.#work = { ...this.#work, again: true };
    if (this.#work.type !== "idle") return;
    const done = this.#workThrough().finally(() => {
      const again = this.#work.type === "working" && this.#work.again;
      if (this.#work.type === "working") this.#work = { type: "idle" };
      if (again) this.resume();
    });
    this.#work = { type: "working", again: false, done };
  }

  /** Stops a run; what it has come to so far is kept. */
  async cancel(id: string): Promise<void> {
    await this.evaluations.cancel(id);
    if (this.#work.type === "working" && this.#work.current?.runId === id)
      this.#work.current.stop.abort(new RunStopped());
  }

  /** Resolves when nothing is worked on, and nothing waits. */
  async idle(): Promise<void> {
    while (this.#work.type === "working") await this.#work.done;
  }

  /** Stops working; the run under way is taken up again by the next process. */
  async close(): Promise<void> {
    const work = this.#work;
    this.#work = { type: "closed" };
    if (work.type !== "working") return;
    work.current?.stop.abort(new RunStopped());
    await work.done;
  }

  async #workThrough(): Promise<void> {
    try {
      for (;;) {
        const [next] = await this.evaluations.waiting(1);
        if (next === undefined || this.#work.type !== "working") return;
        const stop = new AbortController();
        this.#work = { ...this.#work, again: false, current: { runId: next.id, stop } };
        await this.#workOn(next.id, stop.signal);
      }
    } catch (error) {
      this.onFault(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #workOn(id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.evaluations.work(id, signal);
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
    }
  }
}

/** A run was cancelled, or the service stops. */
class RunStopped extends Error {
  override readonly name = "RunStopped";
}
