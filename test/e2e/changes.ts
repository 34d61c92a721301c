/** Waiting for what happens somewhere else; when it does not happen, the error tells what did. */
import { Condition } from "../../src/lib/condition.js";
import { patience } from "../support/patience.js";

/** How long a test waits for something before it fails. */
export const PATIENCE_MS = patience(30_000);

export class Changes {
  readonly #condition = new Condition();

  notify(): void {
    this.#condition.notify();
  }

  /** The first truthy value of `look`, asked again at each change; rejects with the words of `tell` after `waitMs`. */
  async until<T>(look: () => T, tell: () => string, waitMs = PATIENCE_MS): Promise<Truthy<T>> {
    const signal = AbortSignal.timeout(waitMs);
    for (;;) {
      const found = look();
      if (found) return found as Truthy<T>;
      await this.#condition.wait(signal).catch(() => {
        throw new Error(tell());
      });
    }
  }
}

export type Truthy<T> = Exclude<T, false | 0 | "" | null | undefined>;
