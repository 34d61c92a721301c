/**
 * How long a spoken answer will let its user wait, as learnt from the answers before it: pure, by route, since a
 * greeting and a search take different times. Who answers (which model, or none) is one and the same in a process.
 */

/** Answers of a route that are remembered. */
export const WAITS_MAX = 50;

/** With fewer nothing is predicted. */
export const WAITS_MIN = 8;

/** The share of answers that came sooner than what is predicted. */
export const QUANTILE = 0.5;

/** Routes come from the configuration; this is far more than anybody configures. */
const ROUTES_MAX = 100;

export class WaitPredictor {
  readonly #waits = new Map<string, number[]>();

  /** An answer of `route` was ready to be spoken after `ms`. */
  observe(route: string, ms: number): void {
    const waits = this.#waits.get(route) ?? [];
    if (waits.length === 0 && this.#waits.size >= ROUTES_MAX) return;
    this.#waits.set(route, [...waits, ms].slice(-WAITS_MAX));
  }

  /** What most answers of `route` would not exceed by much, in ms; undefined where too little is known. */
  predict(route: string): number | undefined {
    const waits = this.#waits.get(route) ?? [];
    if (waits.length < WAITS_MIN) return undefined;
    return [...waits].sort((a, b) => a - b)[Math.ceil(waits.length * QUANTILE) - 1];
  }
}
