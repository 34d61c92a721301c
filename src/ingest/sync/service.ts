/** The sync service: runs a worker in the background, and begins again after every failure. */
import { backoffMs } from "../../lib/backoff.js";
import { type Clock, sleep } from "../../lib/clock.js";
import type { Random } from "../../lib/random.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { SyncWorker } from "./worker.js";

export interface SyncServiceDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
}

const BACKOFF = { delayMs: 1_000, delayMaxMs: 300_000 };

export class SyncService {
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;

  constructor(
    private readonly worker: SyncWorker,
    private readonly deps: SyncServiceDeps,
  ) {}

  /** Begins, and returns at once; starting twice does nothing. */
  start(): void {
    if (this.#running !== undefined) return;
    const abort = new AbortController();
    this.#running = { abort, done: this.#run(abort.signal) };
  }

  /** Ends what is under way; resolves when it has ended. It may be started again. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.abort.abort(new Error("the sync service is stopped"));
    await running.done;
    if (this.#running === running) this.#running = undefined;
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    let attempt = 0;
    while (!signal.aborted) {
      try {
        await this.worker.run(() => {
          // It got through to its end at least once since it failed.
          attempt = 0;
        }, signal);
      } catch (error) {
        if (signal.aborted) break;
        attempt += 1;
        await this.#wait(attempt, error, signal);
      }
    }
  }

  async #wait(attempt: number, error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, random, telemetry } = this.deps;
    const retryInMs = backoffMs(attempt, BACKOFF, random);
    const message = error instanceof Error ? error.message : String(error);
    telemetry.emit({ type: "sync_failed", error: message, attempt, retryInMs });
    try {
      await sleep(clock, retryInMs, signal);
    } catch (reason) {
      if (!signal.aborted) throw reason;
    }
  }
}
