/** A condition variable for one event loop: wait until somebody says that something has changed. */
import { abortable } from "./deadline.js";

export class Condition {
  #waiting: (() => void)[] = [];

  /** Wakes everybody who waits now. */
  notify(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves at the next `notify`; rejects with the signal's reason when it aborts first. */
  wait(signal: AbortSignal): Promise<void> {
    return abortable(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal);
  }
}
