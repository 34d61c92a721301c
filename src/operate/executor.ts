/**
 * Owns all operations, one live one for each target: runs what their reducer wants to have done, each under a deadline, and
 * tells it what came of that. It outlives any turn; what is under way when the process ends is found by `recover`.
 */
import {
  CALLS_MAX,
  type CallReply,
  type GivenUp,
  type OperationView,
  type Proposal,
  type Proposed,
  type Reply,
  type ReplyResult,
  type ReplyVerdict,
} from "../domain/operation.js";
import type { AskedAs } from "../domain/turn.js";
import { type Access, sameUser, type User } from "../domain/user.js";
import type { Clock, Timer } from "../lib/clock.js";
import { Condition } from "../lib/condition.js";
import { abortable, withDeadline } from "../lib/deadline.js";
import type { Telemetry } from "../telemetry/events.js";
import type { Ledger, LedgerEntry, LedgerRow } from "./ledger/port.js";
import { propose, recovered, reduce, viewOf } from "./operation/reduce.js";
import {
  consentUntilMs,
  dueMs,
  isLast,
  type Moment,
  type OmitEach,
  type OperationEffect,
  type OperationEvent,
  type OperationState,
  type OperationStep,
  wallOf,
} from "./operation/state.js";
import type { SiteWriter } from "./safety/site-writer.js";

/** How long a row may take to be on disk, a tool to answer, and a signal to be read; in milliseconds. */
export const RECORD_MS_MAX = 10_000;
export const EXECUTE_MS_MAX = 60_000;
export const READ_MS_MAX = 20_000;
/** How long, in milliseconds, and how many operations that ended can be looked at: longer than what came of them is told. */
export const ENDED_MS_MAX = 24 * 3_600_000;
export const ENDED_MAX = 500;
/** Proposals that wait for consent at once; a further one is refused. */
export const WAITING_MAX = 100;
/** Numbers go round after so many, so that no two that are near in time have the same. */
const NUMBERS_MAX = 10 * WAITING_MAX;

export interface ExecutorDeps {
  readonly ledger: Ledger;
  readonly writer: SiteWriter;
  readonly clock: Clock;
  readonly id: () => string;
  /** The word that consent to this has to have. */
  readonly challengeFor: (proposal: Proposal) => string | undefined;
  readonly mayKnow: (access: Access, targets: readonly string[]) => boolean;
  readonly telemetry: Telemetry;
  /** There is something that this user has to be told, and its rows are written: see `untold`. */
  readonly onNews: (user: User) => void;
  /** These things are or were written to: what was read of them before is out of date. */
  readonly onWrite: (targets: readonly string[]) => void;
  /** Ends all that is under way, as the end of the process would. */
  readonly signal: AbortSignal;
}

interface Owned {
  state: OperationState;
  readonly changed: Condition;
  /** Settles when all its rows so far are written or have failed. */
  rows: Promise<unknown>;
  /** Until when it could be consented to last, and when it ended: monotonic. */
  untilMs: number;
  endedMs?: number;
  toldPhase?: OperationView["phase"];
  timer?: Timer | undefined;
}

/** Operations as turns and doors see them: proposed, consented to or denied, watched. */
export type Operations = Omit<Executor, "recover">;

export class Executor {
  /** By id, in the order in which they were proposed. */
  readonly #owned = new Map<string, Owned>();
  #lastNumber = 0;

  constructor(private readonly deps: ExecutorDeps) {
    const stop = () => this.#owned.forEach(({ timer }) => void timer?.cancel());
    deps.signal.addEventListener("abort", stop, { once: true });
  }

  /** Freezes a proposal, which waits; `id` and `number` are given here. A second for a target is refused; the live one stays. */
  async propose(
    draft: Omit<Proposal, "id" | "number" | "challenge">,
    readbackOf: (frozen: Proposal) => string,
    askedAs: AskedAs,
  ): Promise<Proposed> {
    const targets = new Set(draft.calls.map(({ target }) => target));
    if (targets.size < draft.calls.length || targets.size > CALLS_MAX)
      throw new RangeError(`a proposal has 1 to ${CALLS_MAX} calls, each of another target`);
    this.#forget();
    const other = this.#live().find(({ state }) =>
      state.proposal.calls.some(({ target }) => targets.has(target)),
    );
    const { network } = draft.askedOf;
    // That another network is at work on it is not told.
    if (other?.state.proposal.askedOf.network === network) return { type: "busy", with: this.#view(other) };
    if (other !== undefined || this.#live().length >= WAITING_MAX)
      return { type: "refused", why: "too_many" };
    const frozen = { ...structuredClone(draft), id: this.deps.id(), number: this.#number(network) };
    const challenge = draft.level === "challenge" ? this.deps.challengeFor(frozen) : undefined;
    // Nothing that takes a word is done without one.
    const level = draft.level === "challenge" && challenge === undefined ? "second_person" : draft.level;
    const proposal: Proposal = { ...frozen, level, challenge };
    const one = this.#own(propose({ proposal, readback: readbackOf(proposal), askedAs }));
    await this.#until(one, ({ phase }) => phase.type !== "proposing");
    const operation = this.#view(one);
    if (operation.reason === "not_recorded") return { type: "refused", why: "not_recorded" };
    return { type: "waiting", operation };
  }

  /** A readback of it was played or shown to this user: to its end at `heardMs` (monotonic), or absent: it was cut off. */
  readback(id: string, to: User, heardMs: number | undefined): void {
    this.#happens(this.#owned.get(id), { type: "readback", to, heardMs });
  }

  /** What this user said to it. Resolves when it is decided, not when it is done. */
  async reply(id: string, reply: Reply, verdict: ReplyVerdict): Promise<ReplyResult> {
    const one = this.#owned.get(id);
    if (one === undefined) return { type: "unknown_operation" };
    const effects = this.#happens(one, { type: "reply", reply, verdict });
    const { result } = effects.find((effect) => effect.type === "answer") ?? {};
    if (result?.type === "not_counted")
      this.deps.telemetry.emit({ type: "consent_refused", user: reply.by, operation: id, why: result.why });
    if (result !== undefined) return result;
    // Consent was given: whether anything is called shows in a moment.
    await this.#until(
      one,
      ({ phase }) => phase.type !== "checking" && !(phase.type === "recording" && phase.call === 0),
    );
    const { reason } = this.#view(one);
    return reason === undefined ? { type: "accepted" } : { type: "ended", reason };
  }

  /** Voids everything that waits for this user. What is being done is not undone. */
  stop(by: User): void {
    for (const one of this.#live()) this.#happens(one, { type: "stop", by });
  }

  /** Those that this access may know of: all their things are readable under it. Newest last. */
  list(access: Access): readonly OperationView[] {
    this.#forget();
    return [...this.#owned.values()]
      .map((one) => this.#view(one))
      .filter((view) => this.mayKnow(view, access));
  }

  /** Whether all its things may be known of under this access. */
  mayKnow({ proposal: { askedOf, calls } }: OperationView, access: Access): boolean {
    const targets = calls.map(({ target }) => target);
    return askedOf.network === access.network && this.deps.mayKnow(access, targets);
  }

  /** Resolves when it has ended and that is written down. */
  async outcome(id: string, signal: AbortSignal): Promise<OperationView> {
    const one = this.#owned.get(id)!;
    await this.#until(one, ({ phase }) => phase.type === "ended", signal);
    await abortable(one.rows, signal);
    return this.#view(one);
  }

  /** This user has heard what came of it; or why they will not. */
  told(id: string, to: User, givenUp?: GivenUp): void {
    this.#happens(this.#owned.get(id), { type: "told", to, givenUp });
  }

  /** What this user has to be told: what they asked for and have not heard the end of. */
  untold(user: User) {
    return [...this.#owned.values()]
      .filter(({ state }) => isOwed(state) && sameUser(user, state.proposal.askedOf))
      .map((one) => ({ view: this.#view(one), askedAs: one.state.askedAs }));
  }

  /** Takes up what a process left behind (see `recovered`), before all else. Resolves with how many; rejects with `LedgerUnusable`. */
  async recover(): Promise<number> {
    const open = new Map<string, LedgerRow[]>();
    for await (const row of this.deps.ledger.rows()) {
      const { entry } = row;
      if (entry.type === "proposed") open.set(entry.operation, []);
      if (isLast(entry)) open.delete(entry.operation);
      open.get(entry.operation)?.push(row);
    }
    const steps = [...open.values()].flatMap((rows) => recovered(rows, this.#moment()) ?? []);
    for (const step of steps) this.#own(step);
    return steps.length;
  }

  #own(step: OperationStep): Owned {
    const { state } = step;
    const changed = new Condition();
    const one: Owned = { state, changed, rows: Promise.resolve(), untilMs: this.deps.clock.monotonic() };
    this.#owned.set(state.proposal.id, one);
    this.#enter(one, step);
    return one;
  }

  async #until(one: Owned, isSo: (state: OperationState) => boolean, signal = this.deps.signal) {
    while (!isSo(one.state)) await one.changed.wait(signal);
  }

  /** Something happens to an operation, now. What it wants to have done is under way when this returns. */
  #happens(one: Owned | undefined, event: OmitEach<OperationEvent, "at">): readonly OperationEffect[] {
    if (one === undefined || this.deps.signal.aborted) return [];
    const step = reduce(one.state, { ...event, at: this.#moment() });
    this.#enter(one, step);
    return step.effects;
  }

  #enter(one: Owned, { effects, state }: OperationStep): void {
    const { clock, onNews } = this.deps;
    one.state = state;
    one.untilMs = consentUntilMs(state) ?? one.untilMs;
    this.#tell(one);
    one.timer?.cancel();
    const wantedMs = dueMs(state);
    if (wantedMs !== undefined)
      one.timer = clock.after(wantedMs - clock.monotonic(), () => this.#happens(one, { type: "tick" }));
    for (const effect of effects) void this.#run(one, effect);
    if (state.phase.type === "ended" && one.endedMs === undefined) {
      one.endedMs = clock.monotonic();
      if (isOwed(state)) void one.rows.then(() => onNews(state.proposal.askedOf));
    }
    one.changed.notify();
  }

  #tell(one: Owned): void {
    const { outcomes, phase, proposal, reason } = this.#view(one);
    if (phase === one.toldPhase) return;
    one.toldPhase = phase;
    const { action, askedOf: user, calls, id: operation, level } = proposal;
    const known = calls.flatMap((_, i) => outcomes[i] ?? (phase === "ended" ? (reason ?? []) : []));
    const changed = { user, operation, action, level, phase, outcomes: known };
    this.deps.telemetry.emit({ type: "operation_changed", ...changed });
  }

  /** What cannot be read is told as that, whatever the reason; what went wrong once it was sent, nobody knows of. */
  async #run(one: Owned, effect: OperationEffect): Promise<void> {
    const { onWrite, writer } = this.deps;
    if (effect.type === "answer") return;
    if (effect.type === "record") return this.#record(one, effect.entry);
    const { call } = effect;
    const what = one.state.proposal.calls[call]!;
    const { postcondition, target, tool } = what;
    if (effect.type === "read") {
      const isForbidden = writer.forbidden(what) !== undefined;
      const read = this.#within(postcondition.tool, READ_MS_MAX, (within) => writer.observe(what, within));
      const [settled] = await Promise.allSettled([read]);
      const reading = settled.status === "fulfilled" ? settled.value : undefined;
      return void this.#happens(one, { type: "read", call, look: effect.look, reading, isForbidden });
    }
    onWrite([target]);
    const made = this.#within(tool, EXECUTE_MS_MAX, (within) => writer.execute(what, effect.key, within));
    const reply = await made.catch((error: unknown): CallReply => ({ type: "lost", message: String(error) }));
    onWrite([target]);
    this.#happens(one, { type: "called", call, reply });
  }

  /** What became of rows is told in their order, so that a call knows of each row before its own. */
  #record(one: Owned, entry: LedgerEntry): void {
    const written = this.#within("a row of the ledger", RECORD_MS_MAX, () => this.deps.ledger.append(entry));
    one.rows = Promise.allSettled([written, one.rows]).then(([{ status }]) => {
      this.#happens(one, status === "fulfilled" ? { type: "recorded", entry } : { type: "record_failed" });
    });
  }

  #within<T>(what: string, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withDeadline(this.deps.clock, what, limitMs, this.deps.signal, work);
  }

  #view({ state, untilMs }: Owned): OperationView {
    return viewOf(state, wallOf(untilMs, this.#moment()));
  }

  #moment(): Moment {
    const { clock } = this.deps;
    return { atMs: clock.monotonic(), wallMs: clock.now() };
  }

  #live(): readonly Owned[] {
    return [...this.#owned.values()].filter(({ state }) => state.phase.type !== "ended");
  }

  /** What ended long ago, but for what has to be told; where too many ended, the oldest, told or not. */
  #forget(): void {
    const ended = [...this.#owned.values()].filter(({ endedMs }) => endedMs !== undefined);
    const fromMs = this.deps.clock.monotonic() - ENDED_MS_MAX;
    for (const [at, { endedMs, state }] of ended.entries()) {
      const { askedOf, id } = state.proposal;
      const isCrowdedOut = at < ended.length - ENDED_MAX;
      if (isCrowdedOut) this.told(id, askedOf, "too_many");
      if (isCrowdedOut || (endedMs! <= fromMs && !isOwed(state))) this.#owned.delete(id);
    }
  }

  #number(network: string): number {
    const inUse = this.#live().filter(({ state }) => state.proposal.askedOf.network === network);
    do this.#lastNumber = (this.#lastNumber % NUMBERS_MAX) + 1;
    while (inUse.some(({ state }) => state.proposal.number === this.#lastNumber));
    return this.#lastNumber;
  }
}

const isOwed = ({ phase }: OperationState): boolean => phase.type === "ended" && phase.tellMs !== undefined;
