/** Who is told what of an operation, by which turn or announcement: what came of one is owed to its asker until they have heard it. */
import type { HeardReport } from "../capability/capability.js";
import type { OperationView } from "../domain/operation.js";
import type { AskedAs } from "../domain/turn.js";
import { sameUser, type User } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import type { Operations } from "./executor.js";

/** Turns whose end is awaited at once; the oldest make room. */
const TURNS_MAX = 1_000;

export interface TellingsDeps {
  readonly clock: Clock;
  readonly operations: () => Pick<Operations, "readback" | "told" | "untold">;
  /** Tells what became of an operation unasked, unless nobody is there. A later one of the same operation takes its place. */
  readonly announce: (view: OperationView, askedAs: AskedAs) => "taken" | "no_chat";
}

/** `outcome`: or waits for it. `news`: the same unasked, and begun again by itself until some of it was heard. */
interface Telling {
  readonly what: "readback" | "outcome" | "news";
  readonly operation: string;
  readonly to: User;
}

export class Tellings {
  readonly #turns = new Map<string, Telling>();

  constructor(private readonly deps: TellingsDeps) {}

  /** A turn is about to tell this; the last that it says so of counts. */
  tells(turn: string | undefined, telling: Telling): void {
    if (turn === undefined) return;
    this.#turns.set(turn, telling);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > TURNS_MAX) this.#turns.delete(oldest!);
  }

  forget(turn = ""): void {
    const telling = this.#turns.get(turn);
    this.#turns.delete(turn);
    if (telling !== undefined) this.news(telling.to);
  }

  heard({ heard, isWhole, lastDueMs = this.deps.clock.monotonic(), turn }: HeardReport): void {
    const telling = this.#turns.get(turn);
    if (telling === undefined) return;
    const operations = this.deps.operations();
    const { operation, to, what } = telling;
    if (what === "readback") operations.readback(operation, to, isWhole ? lastDueMs : undefined);
    else if (isWhole || (what === "news" && heard !== "")) operations.told(operation, to);
    if (what === "outcome") this.forget(turn);
    else this.#turns.delete(turn);
  }

  /** Announces what this user has to be told, but for what is being told; what is left is returned. */
  news(user: User): readonly OperationView[] {
    const telling = [...this.#turns.values()].filter(
      (one) => one.what !== "readback" && sameUser(one.to, user),
    );
    const untold = this.deps.operations().untold(user);
    return untold.flatMap(({ askedAs, view }) => {
      if (telling.some(({ operation }) => operation === view.proposal.id)) return [];
      return this.deps.announce(view, askedAs) === "taken" ? [] : view;
    });
  }
}
