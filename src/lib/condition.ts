/** A condition variable for one event loop: wait until somebody says that something has changed. */
import { abortable } from "./deadline.js";

export class Condition {
  readonly #waiting = new Set<() => void>();

  /** Wakes everybody who waits now. */
  notify(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves at the next `notify`; rejects with the signal's reason when it aborts first. */
  async wait(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const notified = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.add(wake);
    try {
      await abortable(notified, signal);
    } finally {
      this.#waiting.delete(wake);
    }
  }
}
