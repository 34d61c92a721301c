/** Another try after a failure that may pass, after pauses that grow and are spread by chance. */
import { type Clock, sleep } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import { EntryUnreadable } from "./source.js";

export interface ReadRetryLimits {
  readonly attemptsMax: number;
  /** The pause before the second attempt at the most; each later one is twice as long. At least half of it is waited. */
  readonly delayMs: number;
}

export interface ReadRetryDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/** What `work` resolves with; rejects with its last failure, the first that is not worth a try, or the signal's reason. */
export async function withRetry<T>(
  { clock, random }: ReadRetryDeps,
  { attemptsMax, delayMs }: ReadRetryLimits,
  mayPass: (error: unknown) => boolean,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= attemptsMax || !mayPass(error)) throw error;
      await sleep(clock, delayMs * 2 ** (attempt - 1) * (0.5 + random.fraction() / 2), signal);
    }
  }
}

/** For a file that is being written, or a store that is busy. */
export const FETCH_RETRY: ReadRetryLimits = { attemptsMax: 4, delayMs: 250 };

export function mayReadLater(error: unknown): boolean {
  return error instanceof EntryUnreadable && error.retryable;
}
