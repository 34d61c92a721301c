/** What was written to lately: nothing that was read of it before answers a check. In memory, bounded. */
import type { KnownFact } from "../../domain/known-fact.js";
import type { Clock } from "../../lib/clock.js";

/** Ids at once; with more of them, all that was read before counts as overtaken. */
export const WRITTEN_MAX = 1_000;

export class Writes {
  readonly #writtenMs = new Map<string, number>();
  #allMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** These, and all that depends on them, are about to change, or have changed. */
  invalidate(ids: readonly string[]): void {
    if (this.#writtenMs.size + ids.length > WRITTEN_MAX) {
      this.#allMs = this.clock.now();
      this.#writtenMs.clear();
      return;
    }
    for (const id of ids) this.#writtenMs.set(id, this.clock.now());
  }

  /** Whether all that a fact is about has been left alone since it was asked for. */
  leave({ about, takenAtMs }: Pick<KnownFact, "about" | "takenAtMs">): boolean {
    const isBefore = (id: string) => takenAtMs <= (this.#writtenMs.get(id) ?? this.#allMs);
    return takenAtMs > this.#allMs && !about.some(isBefore);
  }
}
