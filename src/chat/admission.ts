/**
 * How many turns run at once in the whole service, and whose. A turn that cannot begin in time is refused at once, by
 * what `turn-line.ts` expects; one that waits in spite of that until its time is over is not begun. While those that wait
 * would be late if all answers were spoken, turns begin without a voice: a text holds its place for much less time. Where
 * the line itself is full, the oldest turn is given up of whoever has most.
 */
import PQueue from "p-queue";
import { Overload, TurnFailure } from "../domain/failure.js";
import type { ResponseType } from "../domain/turn.js";
import type { User } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { currentOrigin, workFor } from "../lib/origin.js";
import type { Telemetry, TurnedAwayReason } from "../telemetry/events.js";
import type { Intake } from "./intake.js";
import { TurnLine, type TurnOptions, type TurnShares } from "./turn-line.js";

export interface AdmissionLimits {
  readonly turnsRunningMax: number;
  readonly turnsWaitingMax: number;
  /** How long a turn may wait for its place. */
  readonly turnWaitMsMax: number;
}

export interface AdmissionDeps {
  readonly clock: Pick<Clock, "after" | "monotonic">;
  readonly telemetry: Telemetry;
  /** Absent: it is always open. */
  readonly intake?: Pick<Intake, "closedFor"> | undefined;
}

/** Who asks, and how they want to be answered. */
export interface AskedTurn {
  readonly user: User;
  readonly responseType: ResponseType;
}

/** The turn, answered as there is room for it. */
export type BeginTurn<T> = (as: ResponseType) => Promise<T>;

/** While one more turn would wait for longer than this share of the time that it has, turns begin without a voice. */
const VOICE_WAIT_SHARE_MAX = 0.5;

export class Admission {
  readonly #line: TurnLine;
  readonly #queue: PQueue<TurnLine, TurnOptions>;

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly deps: AdmissionDeps,
  ) {
    const line = new TurnLine(limits.turnsRunningMax);
    this.#line = line;
    // p-queue makes its queue by itself, once.
    const queueClass = function lineOf() {
      return line;
    } as unknown as new () => TurnLine;
    this.#queue = new PQueue({ concurrency: limits.turnsRunningMax, queueClass });
  }

  /** Runs `work` at once, whatever else runs: it takes a place of its peer, and waits for none. */
  runAtOnce<T>({ responseType, user }: AskedTurn, work: BeginTurn<T>): Promise<T> {
    return this.#run(sharesOf(user), responseType, work);
  }

  /**
   * Runs `work` for the origin of the caller when there is room for it. Rejects with `TurnFailure` when that would be too
   * late, at once or while it waits, and with the signal's reason while it waits.
   */
  async run<T>(asked: AskedTurn, signal: AbortSignal, work: BeginTurn<T>): Promise<T> {
    const origin = currentOrigin();
    const shares = sharesOf(asked.user);
    signal.throwIfAborted();
    const noUse = this.#noUse(shares);
    if (noUse !== undefined) throw this.#turnAway(asked.user, noUse);
    const { clock } = this.deps;
    const { turnWaitMsMax, turnsWaitingMax } = this.limits;
    const untilMs = clock.monotonic() + turnWaitMsMax;
    const waiting = new AbortController();
    const onAbort = () => waiting.abort(signal.reason);
    const giveUp = (reason: TurnedAwayReason) => waiting.abort(this.#turnAway(asked.user, reason));
    const timer = clock.after(turnWaitMsMax, () => giveUp("expired"));
    const leave = () => {
      timer.cancel();
      signal.removeEventListener("abort", onAbort);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    // Begun by whoever made room for it.
    const begin = () => {
      leave();
      if (clock.monotonic() >= untilMs) throw this.#turnAway(asked.user, "expired");
      return workFor(origin, () => this.#run(shares, this.#answerAs(asked, shares), work));
    };
    try {
      const options = { signal: waiting.signal, shares, giveUp: () => giveUp("crowded") };
      const done = this.#queue.add(async () => begin(), options);
      if (this.#line.waiting > turnsWaitingMax) this.#line.shed();
      return await done;
    } finally {
      leave();
    }
  }

  /** Why there is no use in waiting, if there is none. */
  #noUse(shares: TurnShares): TurnedAwayReason | undefined {
    const isLate = this.#line.waitMs(shares, "text") >= this.limits.turnWaitMsMax;
    return this.deps.intake?.closedFor ?? (isLate ? "late" : undefined);
  }

  #answerAs({ responseType, user }: AskedTurn, shares: TurnShares): ResponseType {
    const isLate = this.#line.waitMs(shares, "audio") > VOICE_WAIT_SHARE_MAX * this.limits.turnWaitMsMax;
    if (responseType === "text" || !isLate) return responseType;
    this.deps.telemetry.emit({ type: "turn_degraded", user, to: "text", reason: "late" });
    return "text";
  }

  #turnAway(user: User, reason: TurnedAwayReason): TurnFailure {
    this.deps.telemetry.emit({ type: "turn_degraded", user, to: "refusal", reason });
    return reason === "stopping" ? new TurnFailure("shutting_down", STOPPING) : new Overload(TOO_MANY);
  }

  async #run<T>(shares: TurnShares, as: ResponseType, work: BeginTurn<T>): Promise<T> {
    const { clock } = this.deps;
    const over = this.#line.begun(shares, as);
    const startMs = clock.monotonic();
    try {
      return await work(as);
    } finally {
      over(clock.monotonic() - startMs);
    }
  }
}

const TOO_MANY = "Too many people are asking at once. Try again in a moment.";
const STOPPING = "The service is shutting down. Try again in a moment.";

/** A peer may speak for many networks: they share what it gets. */
function sharesOf({ network }: User): TurnShares {
  const [peer, connection, user] = currentOrigin();
  return [peer, network, connection, user];
}
