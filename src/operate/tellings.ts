/**
 * Who has heard what of an operation: which turn read it back and how much of that was heard, and whether somebody who waits
 * for its outcome was told it. What nobody told in a turn is announced.
 */
import type { HeardReport } from "../capability/capability.js";
import type { User } from "../domain/user.js";
import { userKey } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import type { AskedAs, Operations, OperationView } from "./operations.js";

/** Turns whose end is awaited at once, and results that wait for their users; the oldest make room. */
const TURNS_MAX = 1_000;

export interface TellingsDeps {
  readonly clock: Clock;
  readonly operations: () => Pick<Operations, "readback" | "watch">;
  /** Tells what became of an operation unasked; false: its user is not there. */
  readonly announce: (view: OperationView, to: User, askedAs: AskedAs) => boolean;
}

interface Watching {
  readonly operation: string;
  readonly by: User;
  /** It is telling what it came to. */
  isTelling: boolean;
  /** What has to be announced where this turn is not heard to its end. */
  outcome?: { readonly view: OperationView; readonly askedAs: AskedAs } | undefined;
}

export class Tellings {
  readonly #readbacks = new Map<string, { readonly operation: string; readonly to: User }>();
  readonly #watching = new Map<string, Watching>();
  /** Operations of which somebody has heard in a turn what became of them. */
  readonly #told = new Map<string, true>();

  /** What could not be told, since the user was not there. */
  readonly #untold = new Map<string, { readonly view: OperationView; readonly askedAs: AskedAs }>();

  constructor(private readonly deps: TellingsDeps) {}

  /** A user is there: what happened meanwhile is told. */
  seen(user: User): void {
    for (const [key, { askedAs, view }] of this.#untold) {
      if (userKey(view.proposal.askedOf) !== userKey(user)) continue;
      this.#untold.delete(key);
      this.#announce(view, user, askedAs);
    }
  }

  #announce(view: OperationView, to: User, askedAs: AskedAs): void {
    if (this.deps.announce(view, to, askedAs)) return;
    remember(this.#untold, keyOf(view.proposal.id, to), { view, askedAs });
  }

  /** This turn reads it back to this user. */
  readBack(turn: string | undefined, operation: string, to: User): void {
    if (turn === undefined) return;
    remember(this.#readbacks, turn, { operation, to });
  }

  /** How a turn's answer was heard. */
  heard({ isWhole, lastDueMs, turn }: HeardReport): void {
    const readback = this.#readbacks.get(turn);
    this.#readbacks.delete(turn);
    if (readback !== undefined) {
      const heardMs = isWhole ? (lastDueMs ?? this.deps.clock.monotonic()) : undefined;
      this.deps.operations().readback(readback.operation, readback.to, heardMs);
    }
    const watching = this.#watching.get(turn);
    this.#watching.delete(turn);
    if (watching?.isTelling !== true) return;
    const { by, operation, outcome } = watching;
    if (isWhole) remember(this.#told, keyOf(operation, by), true);
    else if (outcome !== undefined) this.#announce(outcome.view, by, outcome.askedAs);
  }

  /**
   * This turn tells this user what becomes of it. `ended`: the view with the outcome; undefined when that takes longer;
   * rejects with the signal's reason. `forget`: it does not tell the outcome, which is announced.
   */
  watch(turn = "", operation: string, by: User) {
    const watching: Watching = { operation, by, isTelling: false };
    remember(this.#watching, turn, watching);
    return {
      forget: () => void this.#watching.delete(turn),
      ended: async (msMax: number, signal: AbortSignal) => {
        const last = async (within: AbortSignal) => {
          let view: OperationView | undefined;
          for await (const one of this.deps.operations().watch(operation, within)) view = one;
          return view;
        };
        try {
          const view = await withDeadline(this.deps.clock, "the outcome", msMax, signal, last);
          watching.isTelling = true;
          return view;
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof DeadlineExceeded) return undefined;
          throw error;
        }
      },
    };
  }

  /** An operation has ended: who was asked is told, by a turn that waits for it, or unasked. */
  ended(view: OperationView, askedAs: AskedAs): void {
    const { askedOf, id } = view.proposal;
    const watching = [...this.#watching.values()].find(
      (one) => one.operation === id && userKey(one.by) === userKey(askedOf),
    );
    if (watching !== undefined) watching.outcome = { view, askedAs };
    // What was denied or has lapsed is no news to who let it; what was done is.
    const isNews = view.outcomes.some((one) => one !== undefined) || view.reason === "restarted";
    const isTold = watching !== undefined || this.#told.has(keyOf(id, askedOf));
    if (isNews && !isTold) this.#announce(view, askedOf, askedAs);
  }
}

function keyOf(operation: string, user: User): string {
  return `${operation} ${userKey(user)}`;
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > TURNS_MAX && oldest !== undefined) map.delete(oldest);
}
