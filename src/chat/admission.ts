/**
 * How many turns run at once in the whole service. Under overload the work that has waited longest is given up
 * first: its user has the least patience left, and everybody behind it gains.
 */
import { TurnFailure } from "../domain/turn.js";

export interface AdmissionLimits {
  readonly turnsRunningMax: number;
  readonly turnsWaitingMax: number;
}

interface Waiting {
  readonly start: () => void;
  readonly shed: (failure: TurnFailure) => void;
}

export class Admission {
  #running = 0;
  /** In the order of arrival; a set, so that one that gives up leaves at once. */
  readonly #waiting = new Set<Waiting>();

  constructor(private readonly limits: AdmissionLimits) {}

  /** Runs `work` when there is room for it. Rejects with `TurnFailure` when shed, or with the signal's reason while waiting. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.limits.turnsRunningMax) await this.#place(signal);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Waits for the place of a turn that ends. */
  #place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        start: () => {
          leave();
          resolve();
        },
        shed: (failure) => {
          leave();
          reject(failure);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(waiting);
      if (this.#waiting.size > this.limits.turnsWaitingMax) this.#shedOldest();
    });
  }

  /** Hands the place on, or gives it back. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running -= 1;
    else next.start();
  }

  #shedOldest(): void {
    const [oldest] = this.#waiting;
    oldest?.shed(
      new TurnFailure("assistant_unavailable", "Too many people are asking at once. Try again in a moment."),
    );
  }
}
