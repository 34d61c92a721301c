/** Stage 2: the model answers from what was found, as a stream; it may call nothing. */
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { type ModelEvent, ModelFailure, type ModelRequest } from "../llm/port.js";
import { type RetryDeps, streamWithRetry } from "../llm/retry.js";

/**
 * The answer's text as it is written, then its end. As long as nothing was said, failures are tried again and
 * `beginByMs` (monotonic) holds; once something was, the answer may take its time. Throws `ModelFailure`, or the
 * signal's reason. An answer that ends for any reason but that it is complete counts as a failure too.
 */
export async function* compose(
  request: ModelRequest,
  beginByMs: number,
  rewind: () => boolean,
  deps: RetryDeps,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const late = new LateStart(deps.clock, beginByMs, rewind, signal);
  try {
    for await (const event of streamWithRetry(deps, request, beginByMs, rewind, late.signal)) {
      if (event.type === "end" && event.reason !== "complete") {
        throw new ModelFailure("rejected", `the answer ended before its end: ${event.reason}`);
      }
      yield event;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof DeadlineExceeded ? new ModelFailure("timeout", error.message) : error;
  } finally {
    late.dispose();
  }
}

/** Aborts when the time to begin is over and nothing has been said; later it no longer matters. */
class LateStart {
  readonly #controller = new AbortController();
  readonly #dispose: () => void;

  constructor(clock: Clock, beginByMs: number, rewind: () => boolean, parent: AbortSignal) {
    const allowedMs = Math.max(0, beginByMs - clock.monotonic());
    const onParentAbort = () => this.#controller.abort(parent.reason);
    const timer = clock.after(allowedMs, () => {
      if (rewind()) this.#controller.abort(new DeadlineExceeded("the beginning of the answer", allowedMs));
    });
    parent.addEventListener("abort", onParentAbort, { once: true });
    if (parent.aborted) onParentAbort();
    this.#dispose = () => {
      timer.cancel();
      parent.removeEventListener("abort", onParentAbort);
    };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  dispose(): void {
    this.#dispose();
  }
}
