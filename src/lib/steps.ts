/**
 * Heavy work in steps: a generator that yields wherever it has done a few milliseconds of work. The same work then runs
 * at once, for tests and tools, or gently, where others share the event loop; its result does not depend on which.
 */
import { systemClock } from "./clock.js";
import { type Haste, pause } from "./pause.js";

export type Steps<T> = Generator<undefined, T, undefined>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Computing time that several pieces of work may take together. */
export class WorkBudget {
  #spentMs = 0;

  constructor(private readonly msMax: number) {}

  get isSpent(): boolean {
    return this.#spentMs >= this.msMax;
  }

  spend(ms: number): void {
    this.#spentMs += ms;
  }
}

/**
 * Does the work with a pause before each step, which `haste` shortens; undefined, and the work is given up, once the
 * budget is spent.
 */
export async function gently<T>(steps: Steps<T>, budget: WorkBudget, haste?: Haste): Promise<T | undefined> {
  for (;;) {
    await pause(haste);
    if (budget.isSpent) return undefined;
    const startMs = systemClock.monotonic();
    const { done, value } = steps.next();
    const ms = systemClock.monotonic() - startMs;
    budget.spend(ms);
    haste?.spend(ms);
    if (done === true) return value;
  }
}
