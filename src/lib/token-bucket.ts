/** A rate with room for bursts: what is taken beyond it is a debt, which time pays off. */
import type { Clock } from "./clock.js";

export interface Rate {
  readonly perSecond: number;
  /** How much may be taken at once after a rest. */
  readonly burst: number;
}

const MS_PER_SECOND = 1_000;

export class TokenBucket {
  #left: number;
  #atMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly rate: Rate,
  ) {
    this.#left = rate.burst;
    this.#atMs = clock.monotonic();
  }

  /** Takes `amount`, whatever is left. Returns how long to rest until the debt is paid, in milliseconds; 0: not at all. */
  take(amount: number): number {
    const { burst, perSecond } = this.rate;
    const nowMs = this.clock.monotonic();
    const gained = ((nowMs - this.#atMs) * perSecond) / MS_PER_SECOND;
    this.#left = Math.min(burst, this.#left + gained) - amount;
    this.#atMs = nowMs;
    return this.#left >= 0 ? 0 : (-this.#left * MS_PER_SECOND) / perSecond;
  }
}
