/**
 * How many turns run at once in the whole service. Under overload the work that has waited longest is given up
 * first: its user has the least patience left, and everybody behind it gains.
 */
import PQueue from "p-queue";
import { TurnFailure } from "../domain/failure.js";

export interface AdmissionLimits {
  readonly turnsRunningMax: number;
  readonly turnsWaitingMax: number;
}

export class Admission {
  readonly #queue: PQueue;
  /** What takes each waiting turn out of the queue, in the order of arrival. */
  readonly #waiting = new Set<AbortController>();

  constructor(private readonly limits: AdmissionLimits) {
    this.#queue = new PQueue({ concurrency: limits.turnsRunningMax });
  }

  /** Runs `work` when there is room for it. While it waits: rejects with `TurnFailure` when shed, or with the signal's reason. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const waiting = new AbortController();
    const onAbort = () => waiting.abort(signal.reason);
    const leave = () => {
      signal.removeEventListener("abort", onAbort);
      this.#waiting.delete(waiting);
    };
    signal.throwIfAborted();
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.add(waiting);
    const begin = () => {
      leave();
      return work();
    };
    try {
      const done = this.#queue.add(begin, { signal: waiting.signal });
      if (this.#queue.size > this.limits.turnsWaitingMax) this.#shedOldest();
      return await done;
    } finally {
      leave();
    }
  }

  #shedOldest(): void {
    const [oldest] = this.#waiting;
    const text = "Too many people are asking at once. Try again in a moment.";
    oldest?.abort(new TurnFailure("assistant_unavailable", text));
  }
}
