/**
 * Another try when a model server fails: a bounded number of times, after pauses that grow and are spread by chance
 * (so that many turns do not come back at once), and only while there is time left for it.
 */
import { type BackoffLimits, backoffMs } from "../lib/backoff.js";
import { type Clock, sleep } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import {
  type LanguageModel,
  type ModelEvent,
  ModelFailure,
  type ModelReply,
  type ModelRequest,
} from "./port.js";

export interface RetryLimits extends BackoffLimits {
  readonly attemptsMax: number;
}

export interface RetryDeps {
  readonly model: LanguageModel;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: RetryLimits;
  /** Told of each failure that is followed by another attempt. */
  readonly onRetry?: (failure: ModelFailure, delayMs: number) => void;
}

/**
 * `model.complete`, tried again after failures that are worth it. Gives up with the last failure when the next attempt
 * could not start before `giveUpAtMs` (monotonic). Rejects with the signal's reason.
 */
export async function completeWithRetry(
  deps: RetryDeps,
  request: ModelRequest,
  giveUpAtMs: number,
  signal: AbortSignal,
): Promise<ModelReply> {
  const timed = { ...request, giveUpAtMs };
  for (let attempt = 1; ; attempt++) {
    try {
      return await deps.model.complete(timed, signal);
    } catch (error) {
      await pause(deps, attempt, error, giveUpAtMs, signal);
    }
  }
}

/**
 * `model.stream`, tried again as long as nothing of it has been said: what was said is not said twice. Once text has
 * come out of it, `rewind` is asked to take that back; when it cannot, the failure is thrown.
 */
export async function* streamWithRetry(
  deps: RetryDeps,
  request: ModelRequest,
  giveUpAtMs: number,
  rewind: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const timed = { ...request, giveUpAtMs };
  for (let attempt = 1; ; attempt++) {
    let begun = false;
    try {
      for await (const event of deps.model.stream(timed, signal)) {
        begun = true;
        yield event;
      }
      return;
    } catch (error) {
      if (begun && (signal.aborted || !rewind())) throw error;
      await pause(deps, attempt, error, giveUpAtMs, signal);
    }
  }
}

/** Waits until the next attempt may start; throws the error when there is to be none. */
async function pause(
  { clock, random, limits, onRetry }: RetryDeps,
  attempt: number,
  error: unknown,
  giveUpAtMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) throw signal.reason;
  if (!(error instanceof ModelFailure) || !error.retryable || attempt >= limits.attemptsMax) throw error;
  const delayMs = Math.max(backoffMs(attempt, limits, random), error.retryAfterMs ?? 0);
  if (clock.monotonic() + delayMs >= giveUpAtMs) throw error;
  onRetry?.(error, delayMs);
  await sleep(clock, delayMs, signal);
}
