/**
 * Work for a user beside the answers of the chat: so much at once for one user and for all, each piece with a time limit.
 * Whatever comes of it, the user gets a result or a `TurnFailure`.
 */
import { TurnFailure } from "../domain/failure.js";
import { type User, userKey } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { SearchUnavailable } from "../retrieval/port.js";
import type { Telemetry } from "../telemetry/events.js";

/** Pieces of work under way at once; more are turned away. */
const AT_ONCE_MAX = 64;

/** Of these, one user's: nobody takes the others' places, whatever a relay or a page sends. */
export const AT_ONCE_PER_USER_MAX = 4;

export class BoundedWork {
  readonly #closing = new AbortController();
  /** Under way, by user; nobody is in it with none. */
  readonly #running = new Map<string, number>();

  constructor(private readonly deps: { readonly clock: Clock; readonly telemetry: Telemetry }) {}

  /** What `work` comes to within `limitMs`. Rejects with `TurnFailure`, or with the signal's reason. */
  async run<T>(
    user: User,
    what: string,
    limitMs: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const leave = this.#enter(user);
    try {
      const either = AbortSignal.any([signal, this.#closing.signal]);
      return await withDeadline(this.deps.clock, what, limitMs, either, work);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#asFailure(error, what);
    } finally {
      leave();
    }
  }

  /** Ends what is under way. */
  close(): void {
    const sorry = "The service is shutting down. Try again in a moment.";
    this.#closing.abort(new TurnFailure("shutting_down", sorry));
  }

  /** Takes a place, which the result gives back. Throws `TurnFailure` when there is none. */
  #enter(user: User): () => void {
    const key = userKey(user);
    const own = this.#running.get(key) ?? 0;
    const all = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    if (own >= AT_ONCE_PER_USER_MAX)
      throw new TurnFailure("rate_limited", "You ask for too much at once. Wait for what is under way.");
    if (all >= AT_ONCE_MAX)
      throw new TurnFailure("assistant_unavailable", "Too much is asked for at once. Try again in a moment.");
    this.#running.set(key, own + 1);
    return () => {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    };
  }

  #asFailure(error: unknown, what: string): TurnFailure {
    if (error instanceof TurnFailure) return error;
    const cause = { cause: error };
    if (error instanceof DeadlineExceeded)
      return new TurnFailure("timeout", "That took too long. Try again.", cause);
    if (error instanceof SearchUnavailable) {
      const sorry = "Your documents cannot be reached now. Try again in a moment.";
      return new TurnFailure("assistant_unavailable", sorry, cause);
    }
    this.deps.telemetry.emit({ type: "service_fault", where: what, error: String(error) });
    return new TurnFailure(
      "assistant_unavailable",
      "That is not possible now. Try again in a moment.",
      cause,
    );
  }
}
