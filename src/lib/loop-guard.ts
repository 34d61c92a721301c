/**
 * Watches the event loop of this process from a thread of its own. What holds the loop up is told, once it runs again.
 * A loop that does not run again, and a stop that does not come to its end, end the process: a signal to stop is handled
 * by the loop, so that nothing else would. loop-guard.worker.ts is the thread.
 */
import { url as inspectorUrl } from "node:inspector";
import { Worker } from "node:worker_threads";
import { systemClock } from "./clock.js";
import type { LoopGuardData } from "./loop-guard.worker.js";
import { LoopGuardCells } from "./loop-guard-cells.js";
import { LoopWatch } from "./loop-watch.js";
import { workerUrl } from "./worker.js";

/** How often the loop shows that it runs. */
const BEAT_MS = 20;

/** Blocks of the event loop that are longer are told. */
export const BLOCK_MS_MAX = 200;

/** A process that starts loads its parts, which holds up its loop: for seconds on a machine that has other work. */
const STARTING_MS_MAX = 60_000;

export interface LoopGuardReport {
  /** The loop stood still for so long. */
  blocked(ms: number): void;
  /** The thread is gone; nothing is watched any more. */
  failed(error: Error): void;
}

export class LoopGuard {
  readonly #cells = LoopGuardCells.fresh();
  readonly #watch: LoopWatch;
  #report: LoopGuardReport | undefined;
  #failure: Error | undefined;
  #longestBlockMs = 0;

  /**
   * From now on, the process ends when its loop is silent, or its stop takes, longer than `limitMs`. Silence has a minute
   * more for as long as there is nobody to tell, which is while the process starts.
   */
  constructor(limitMs: number) {
    const cells = this.#cells;
    this.#beat(0);
    const clock = { after: systemClock.after, monotonic: () => cells.get("watchedMs") };
    this.#watch = new LoopWatch(clock, BEAT_MS, (sinceLastMs) => this.#beat(sinceLastMs));
    const workerData: LoopGuardData = { memory: cells.memory, limitMs };
    const thread = new Worker(workerUrl(import.meta.url, "./loop-guard.worker.js"), {
      name: "loop-guard",
      workerData,
    });
    thread.on("error", (error) => {
      this.#failure = error as Error;
      this.#report?.failed(this.#failure);
    });
    // The process does not live on for being watched.
    thread.unref();
  }

  /** Who is told from now on, and counts. */
  reportTo(report: LoopGuardReport): void {
    this.#report = report;
    this.#longestBlockMs = 0;
    if (this.#failure !== undefined) report.failed(this.#failure);
  }

  /** The longest that the loop has stood still since there is somebody to tell, to about 20 ms. */
  get longestBlockMs(): number {
    return this.#longestBlockMs;
  }

  /**
   * The process is to stop, by a signal that is handled now or was before. Returns for how many milliseconds the signal
   * may have been waiting: at most since the loop ran before.
   */
  stopping(): number {
    const cells = this.#cells;
    if (!cells.stops) cells.set("stoppingSinceMs", this.#watch.earliestMs);
    return cells.get("watchedMs") - cells.get("stoppingSinceMs");
  }

  /** Lets go of the loop, so that the process can end by itself; when it does not, the thread ends it. */
  release(): void {
    this.stopping();
    this.#watch.close();
  }

  #beat(sinceLastMs: number): void {
    const cells = this.#cells;
    cells.set("answeredMs", cells.get("watchedMs") + (this.#report === undefined ? STARTING_MS_MAX : 0));
    cells.set("inspected", inspectorUrl() === undefined ? 0 : 1);
    const blockedMs = sinceLastMs - BEAT_MS;
    this.#longestBlockMs = Math.max(this.#longestBlockMs, blockedMs);
    if (blockedMs > BLOCK_MS_MAX) this.#report?.blocked(blockedMs);
  }
}
