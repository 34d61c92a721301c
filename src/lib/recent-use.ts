/**
 * Who has used how much of something lately. What was used counts for half after a while, so that a long past is no
 * advantage and no burden.
 */
import type { Clock } from "./clock.js";

/** Beyond so many names, those of whom little is left are forgotten. */
const NAMES_MAX = 10_000;

interface Use {
  amount: number;
  atMs: number;
}

export class RecentUse {
  readonly #uses = new Map<string, Use>();

  constructor(
    private readonly clock: Pick<Clock, "monotonic">,
    private readonly halfLifeMs: number,
  ) {}

  add(name: string, amount: number): void {
    const use = { amount: this.of(name) + amount, atMs: this.clock.monotonic() };
    this.#uses.delete(name);
    this.#uses.set(name, use);
    if (this.#uses.size > NAMES_MAX) this.#uses.delete(this.#uses.keys().next().value!);
  }

  /** What is left of what `name` used. */
  of(name: string): number {
    const use = this.#uses.get(name);
    if (use === undefined) return 0;
    return use.amount * 2 ** (-(this.clock.monotonic() - use.atMs) / this.halfLifeMs);
  }
}
