/**
 * How many turns run at once in the whole service, and whose. Under overload the work that has waited longest is given
 * up first, of whoever has most of it waiting: its user has the least patience left, and everybody behind it gains.
 */
import PQueue from "p-queue";
import { TurnFailure } from "../domain/failure.js";
import { currentOrigin, workFor } from "../lib/origin.js";
import { TurnLine, type TurnOptions } from "./turn-line.js";

export interface AdmissionLimits {
  readonly turnsRunningMax: number;
  readonly turnsWaitingMax: number;
}

export class Admission {
  readonly #line: TurnLine;
  readonly #queue: PQueue<TurnLine, TurnOptions>;

  constructor(private readonly limits: AdmissionLimits) {
    const line = new TurnLine(limits.turnsRunningMax);
    this.#line = line;
    // p-queue makes its queue by itself, once.
    const queueClass = function lineOf() {
      return line;
    } as unknown as new () => TurnLine;
    this.#queue = new PQueue({ concurrency: limits.turnsRunningMax, queueClass });
  }

  /** Runs `work` at once, whatever else runs: it takes a place of its peer, and waits for none. */
  runAtOnce<T>(work: () => Promise<T>): Promise<T> {
    return this.#line.run(currentOrigin(), work);
  }

  /**
   * Runs `work` for the origin of the caller when there is room for it. While it waits: rejects with `TurnFailure` when
   * shed, or with the signal's reason.
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const origin = currentOrigin();
    const waiting = new AbortController();
    const onAbort = () => waiting.abort(signal.reason);
    const leave = () => signal.removeEventListener("abort", onAbort);
    signal.throwIfAborted();
    signal.addEventListener("abort", onAbort, { once: true });
    // Begun by whoever made room for it.
    const begin = () => {
      leave();
      return workFor(origin, () => this.#line.run(origin, work));
    };
    const giveUp = () => waiting.abort(new TurnFailure("assistant_unavailable", TOO_MANY));
    try {
      const done = this.#queue.add(begin, { signal: waiting.signal, origin, giveUp });
      if (this.#line.waiting > this.limits.turnsWaitingMax) this.#line.shed();
      return await done;
    } finally {
      leave();
    }
  }
}

const TOO_MANY = "Too many people are asking at once. Try again in a moment.";
