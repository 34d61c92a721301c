/** A condition variable for one event loop: wait until somebody says that something has changed. */
import type { Clock } from "./clock.js";

export class Condition {
  readonly #waiting = new Set<() => void>();

  /** Wakes everybody who waits now. */
  notify(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /**
   * Resolves at the next `notify`: true; or, where there is a limit, when that is over first: false. Rejects with the
   * signal's reason when it aborts first, or at once behind.
   */
  async wait(signal: AbortSignal, limit?: { readonly clock: Clock; readonly ms: number }): Promise<boolean> {
    const isNotified = await new Promise<boolean>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", onAbort);
        timer?.cancel();
      };
      const wake = (isNow = true) => {
        leave();
        resolve(isNow);
      };
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      const timer = limit?.clock.after(limit.ms, () => wake(false));
      this.#waiting.add(wake);
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    });
    signal.throwIfAborted();
    return isNotified;
  }
}
