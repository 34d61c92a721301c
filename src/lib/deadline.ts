/**
 * Deadlines as abort signals: work gets a signal that fires when the time is up or when the caller gives up,
 * whichever is first, and the error says which.
 */
import type { Clock, Timer } from "./clock.js";

/** The time allowed for `what` is over. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
  constructor(
    readonly what: string,
    readonly limitMs: number,
  ) {
    super(`${what} took longer than ${limitMs} ms`);
  }
}

/** A signal that aborts with `DeadlineExceeded` after `limitMs`, or with the parent's reason when that aborts. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #onParentAbort = () => this.end(this.parent.reason);
  #timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly what: string,
    limitMs: number,
    private readonly parent: AbortSignal,
  ) {
    if (parent.aborted) {
      this.#controller.abort(parent.reason);
      return;
    }
    parent.addEventListener("abort", this.#onParentAbort, { once: true });
    this.#arm(limitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the time over with a new limit: an idle timer is a deadline restarted at every sign of life. */
  restart(limitMs: number): void {
    if (this.#timer === undefined) return;
    this.#timer.cancel();
    this.#arm(limitMs);
  }

  /** No time limit from here on; the parent's abort still counts. */
  lift(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Lets go of the timer and of the parent. Call it when the work is over, whatever came of it. */
  dispose(): void {
    this.lift();
    this.parent.removeEventListener("abort", this.#onParentAbort);
  }

  /** Like `dispose`, and stops whoever still works under this deadline. */
  end(reason: unknown): void {
    this.dispose();
    this.#controller.abort(reason);
  }

  #arm(limitMs: number): void {
    this.#timer = this.clock.after(limitMs, () => this.end(new DeadlineExceeded(this.what, limitMs)));
  }
}

/** Runs `work` under a deadline and cleans up after it. Rejects as soon as the signal fires, even if work lingers. */
export async function withDeadline<T>(
  clock: Clock,
  what: string,
  limitMs: number,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(clock, what, limitMs, parent);
  try {
    return await under(deadline.signal, work);
  } finally {
    deadline.dispose();
  }
}

/**
 * What the work comes to, or what stands in for it where its time is over or it fails in one of the `expected` ways. Rejects
 * with the parent's reason, or with any other error.
 */
export async function orElse<T, Other = T>(
  work: Promise<T>,
  parent: AbortSignal,
  otherwise: (error: Error) => Other,
  ...expected: readonly (abstract new (
    ...args: never[]
  ) => Error)[]
): Promise<T | Other> {
  try {
    return await work;
  } catch (error) {
    parent.throwIfAborted();
    const kind = [DeadlineExceeded, ...expected].find((one) => error instanceof one);
    if (kind === undefined) throw error;
    return otherwise(error as Error);
  }
}

/** What `work` comes to under `signal`, or the signal's reason as soon as it aborts. */
export function under<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return abortable(work(signal), signal);
}

/** The promise's result, or the signal's reason as soon as it aborts; the promise itself is then left to settle. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    const lettingGo = <V>(settle: (value: V) => void) => {
      return (value: V) => {
        signal.removeEventListener("abort", onAbort);
        settle(value);
      };
    };
    promise.then(lettingGo(resolve), lettingGo(reject));
  });
}

/**
 * The values of `source`, or the signal's reason as soon as it aborts. A source that lingers in spite of the signal,
 * which it is given too, is left behind.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let taken = false;
  let giveUp = (_reason: unknown): void => {};
  // One listener for all values: a stream may have thousands.
  const onAbort = () => giveUp(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
        if (signal.aborted) onAbort();
      });
      if (next.done) return;
      taken = true;
      yield next.value;
      taken = false;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (taken) await iterator.return?.();
  }
}
