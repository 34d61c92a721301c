/** Pauses between attempts: growing, spread by chance so that many clients do not come back at once, and bounded. */
import type { Random } from "./random.js";

export interface BackoffLimits {
  /** The pause before the second attempt, about; each later one is twice as long. */
  readonly delayMs: number;
  readonly delayMaxMs: number;
}

/** Milliseconds to wait after the failure of `attempt`, which counts from 1: between half of the pause and all of it. */
export function backoffMs(attempt: number, { delayMs, delayMaxMs }: BackoffLimits, random: Random): number {
  return Math.min(delayMaxMs, delayMs * 2 ** (attempt - 1)) * (0.5 + random.fraction() / 2);
}
