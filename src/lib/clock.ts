/**
 * The only door to time. Everything in the service asks a `Clock`, so that a test can run the whole service
 * on a virtual one.
 */

/** A timer that was set and can be called off; cancelling twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch: for people, logs and expiry. */
  now(): number;
  /** Milliseconds from an arbitrary start that never go back, with fractions: for durations and deadlines. */
  monotonic(): number;
  /** Runs `callback` once, `delayMs` from now at the earliest. */
  after(delayMs: number, callback: () => void): Timer;
}

/** Beyond that the system's timers fire at once instead of late: about 25 days. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const handle = setTimeout(callback, Math.min(Math.max(0, delayMs), TIMER_MS_MAX));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Waits `delayMs`; rejects with the signal's reason when it is aborted first. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      timer.cancel();
      reject(signal.reason);
    };
    const timer = clock.after(delayMs, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Calls `tick` every `intervalMs` until cancelled; a tick may cancel it. */
export function every(clock: Pick<Clock, "after">, intervalMs: number, tick: () => void): Timer {
  let timer = clock.after(intervalMs, function fire() {
    timer = clock.after(intervalMs, fire);
    tick();
  });
  return { cancel: () => timer.cancel() };
}
