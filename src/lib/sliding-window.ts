/** A limit on how often something may be done within any stretch of time, for each of many keys. In memory. */
import type { Clock } from "./clock.js";

export interface WindowLimits {
  /** Times within any `windowMs`. */
  readonly timesMax: number;
  readonly windowMs: number;
  /** Keys that are remembered; the one that was used least recently makes room. */
  readonly keysMax: number;
}

/** Whether it may be done now. */
export type WindowDecision =
  | { readonly type: "allowed" }
  /** `retryAfterMs`: from now until it may be done once more. */
  | { readonly type: "refused"; readonly retryAfterMs: number };

export class SlidingWindow {
  /** When it was done, oldest first; the keys in the order in which they were used last. */
  readonly #times = new Map<string, readonly number[]>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: WindowLimits,
  ) {}

  /** Does it once for `key`, if it may be done now. What is refused does not count. */
  take(key: string): WindowDecision {
    const retryAfterMs = this.waitMs(key);
    if (retryAfterMs > 0) return { type: "refused", retryAfterMs };
    const recent = this.#recent(key);
    this.#times.delete(key);
    this.#times.set(key, [...recent, this.clock.monotonic()]);
    for (const least of this.#times.keys()) {
      if (this.#times.size <= this.limits.keysMax) break;
      this.#times.delete(least);
    }
    return { type: "allowed" };
  }

  /** How long until it may be done once more; 0: now. */
  waitMs(key: string): number {
    const { timesMax, windowMs } = this.limits;
    const recent = this.#recent(key);
    return recent.length < timesMax ? 0 : recent[0]! + windowMs - this.clock.monotonic();
  }

  #recent(key: string): readonly number[] {
    const sinceMs = this.clock.monotonic() - this.limits.windowMs;
    return (this.#times.get(key) ?? []).filter((timeMs) => timeMs > sinceMs);
  }
}
