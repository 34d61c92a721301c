/** A cache with a bound on its entries and on their age. */
import type { Clock } from "./clock.js";

export interface CacheLimits {
  readonly entriesMax: number;
  readonly ageMsMax: number;
}

interface CacheEntry<T> {
  readonly value: T;
  readonly sinceMs: number;
}

export class ExpiringCache<T> {
  /** In order of use, the least recent first. */
  readonly #entries = new Map<string, CacheEntry<T>>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: CacheLimits,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const kept = this.#entries.get(key);
    if (kept === undefined) return undefined;
    this.#entries.delete(key);
    if (this.clock.monotonic() - kept.sinceMs >= this.limits.ageMsMax) return undefined;
    this.#entries.set(key, kept);
    return kept.value;
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, sinceMs: this.clock.monotonic() });
    for (const least of this.#entries.keys()) {
      if (this.#entries.size <= this.limits.entriesMax) break;
      this.#entries.delete(least);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
