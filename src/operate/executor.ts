/**
 * Owns all operations, one live one for each target: runs what their reducer wants to have done, each under a deadline, and
 * tells it what came of that. It outlives any turn; what is under way when the process ends is found by `recover`.
 */
import {
  CALLS_MAX,
  type CallReply,
  type OperationCall,
  type Proposal,
  type Reply,
  type ReplyVerdict,
} from "../domain/operation.js";
import type { Reading } from "../domain/reading.js";
import type { Access, User } from "../domain/user.js";
import type { Clock, Timer } from "../lib/clock.js";
import { Condition } from "../lib/condition.js";
import { withDeadline } from "../lib/deadline.js";
import type { Telemetry } from "../telemetry/events.js";
import type { Ledger, LedgerEntry } from "./ledger/port.js";
import { recovered } from "./operation/recovered.js";
import { propose, reduce } from "./operation/reduce.js";
import {
  consentUntilMs,
  dueMs,
  type Moment,
  type OmitEach,
  type OperationEffect,
  type OperationEvent,
  type OperationState,
  type OperationStep,
  wallOf,
} from "./operation/state.js";
import { viewOf } from "./operation/view.js";
import {
  type AskedAs,
  type Operations,
  type OperationView,
  type Proposed,
  type ReadbackOf,
  type ReplyResult,
  type SiteWriter,
  WAITING_MAX,
} from "./operations.js";

/** How long a row may take to be on disk, a tool to answer, and a signal to be read; in milliseconds. */
export const RECORD_MS_MAX = 10_000;
export const EXECUTE_MS_MAX = 60_000;
export const READ_MS_MAX = 20_000;
/** How long, in milliseconds, and how many operations that ended can be looked at. */
export const ENDED_MS_MAX = 45 * 60_000;
export const ENDED_MAX = 500;
/** Numbers go round after so many, so that no two that are near in time have the same. */
const NUMBERS_MAX = 10 * WAITING_MAX;

export interface ExecutorDeps {
  readonly ledger: Ledger;
  readonly writer: SiteWriter;
  readonly clock: Clock;
  /** A new unique id of an operation. */
  readonly id: () => string;
  /** The word that consent to this has to have. */
  readonly challengeFor: (proposal: Proposal) => string | undefined;
  /** Whether this access may know of all these things. */
  readonly mayKnow: (access: Access, targets: readonly string[]) => boolean;
  /** A recogniser that is marked as rough may give more than plain consent. */
  readonly isRoughEnough: boolean;
  readonly telemetry: Telemetry;
  /** An operation has ended and its rows are written. After a restart nobody knows any more what its asker claimed. */
  readonly onEnded: (view: OperationView, askedAs: AskedAs) => void;
  /** These things are or were written to: what was read of them before is out of date. */
  readonly onWrite: (targets: readonly string[]) => void;
  /** Ends all that is under way, as the end of the process would. */
  readonly signal: AbortSignal;
}

interface Owned {
  state: OperationState;
  readonly askedAs: AskedAs;
  readonly changed: Condition;
  /** Settles when all its rows so far are written or have failed. */
  rows: Promise<unknown>;
  /** Until when it could be consented to last, in Unix milliseconds. */
  untilMs: number;
  endedMs?: number;
  toldPhase?: OperationView["phase"];
  timer?: Timer | undefined;
}

export class Executor implements Operations {
  /** By id, in the order in which they were proposed. */
  readonly #owned = new Map<string, Owned>();
  #lastNumber = 0;

  constructor(private readonly deps: ExecutorDeps) {
    const stopTimers = () => {
      for (const { timer } of this.#owned.values()) timer?.cancel();
    };
    deps.signal.addEventListener("abort", stopTimers, { once: true });
  }

  async propose(
    draft: Omit<Proposal, "id" | "number" | "challenge">,
    readbackOf: ReadbackOf,
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
    const proposal: Proposal = { ...frozen, challenge };
    const readback = readbackOf(proposal);
    const { isRoughEnough } = this.deps;
    const one = this.#own(propose({ proposal, readback, isRoughEnough }), askedAs);
    while (one.state.phase === "proposing") await one.changed.wait(this.deps.signal);
    if (one.state.phase === "ended" && one.state.reason === "not_recorded")
      return { type: "refused", why: "not_recorded" };
    return { type: "waiting", operation: this.#view(one), readback };
  }

  readback(id: string, to: User, heardMs: number | undefined): void {
    const one = this.#owned.get(id);
    if (one !== undefined) this.#happens(one, { type: "readback", to, heardMs });
  }

  async reply(id: string, reply: Reply, verdict: ReplyVerdict): Promise<ReplyResult> {
    const one = this.#owned.get(id);
    if (one === undefined) return { type: "unknown_operation" };
    const answer = this.#happens(one, { type: "reply", reply, verdict }).find(
      ({ type }) => type === "answer",
    );
    if (answer?.type === "answer") {
      const { result } = answer;
      if (result.type === "not_counted")
        this.deps.telemetry.emit({ type: "consent_refused", user: reply.by, operation: id, why: result.why });
      return result;
    }
    while (isUndecided(one.state)) await one.changed.wait(this.deps.signal);
    const reason = one.state.phase === "ended" ? one.state.reason : undefined;
    return reason === undefined ? { type: "accepted" } : { type: "ended", reason };
  }

  stop(user: User): number {
    const live = this.#live();
    for (const one of live) this.#happens(one, { type: "stop", by: user });
    return live.filter(({ state }) => state.phase === "ended").length;
  }

  list(access: Access): readonly OperationView[] {
    this.#forget();
    const views = [...this.#owned.values()].map((one) => this.#view(one));
    return views.filter(
      ({ proposal: { askedOf, calls } }) =>
        askedOf.network === access.network &&
        this.deps.mayKnow(
          access,
          calls.map(({ target }) => target),
        ),
    );
  }

  /** As it is now first. A consumer that is slow sees the latest view, and always the last. */
  async *watch(id: string, signal: AbortSignal): AsyncGenerator<OperationView, void, undefined> {
    const one = this.#owned.get(id);
    for (let told: OperationState | undefined; one !== undefined; ) {
      if (told === one.state) await one.changed.wait(signal);
      told = one.state;
      yield this.#view(one);
      if (told.phase === "ended") return;
    }
  }

  /**
   * Takes up what a process that ended left behind: what waited is void, what was called is looked at and never called
   * again. Call it once, before anything is proposed. Resolves with how many there were; rejects with `LedgerUnusable`.
   */
  async recover(): Promise<number> {
    const open = new Map<string, LedgerEntry[]>();
    for await (const { entry } of this.deps.ledger.rows()) {
      if (entry.type === "proposed") open.set(entry.operation, []);
      if (entry.type === "ended") open.delete(entry.operation);
      open.get(entry.operation)?.push(entry);
    }
    const steps = [...open.values()].flatMap((entries) => recovered(entries, this.#moment()) ?? []);
    for (const step of steps) this.#own(step, { groups: [], features: [], responseType: "audio" });
    return steps.length;
  }

  #own({ effects, state }: OperationStep, askedAs: AskedAs): Owned {
    const changed = new Condition();
    const one: Owned = { state, askedAs, changed, rows: Promise.resolve(), untilMs: this.deps.clock.now() };
    this.#owned.set(state.proposal.id, one);
    this.#enter(one, { effects, state }, true);
    return one;
  }

  /** Something happens to an operation, now. What it wants to have done is under way when this returns. */
  #happens(one: Owned, event: OmitEach<OperationEvent, "at">): readonly OperationEffect[] {
    if (this.deps.signal.aborted) return [];
    const { phase } = one.state;
    const step = reduce(one.state, { ...event, at: this.#moment() });
    one.state = step.state;
    // Who proposes it is told themselves when it comes to nothing at once.
    if (phase !== "ended") this.#enter(one, step, phase !== "proposing");
    return step.effects;
  }

  #enter(one: Owned, { effects, state }: OperationStep, isTold: boolean): void {
    const { clock, onEnded } = this.deps;
    this.#tell(one);
    one.untilMs = this.#view(one).untilMs;
    one.timer?.cancel();
    const wantedMs = dueMs(state);
    if (wantedMs !== undefined)
      one.timer = clock.after(wantedMs - clock.monotonic(), () => this.#happens(one, { type: "tick" }));
    for (const effect of effects) this.#run(one, effect);
    if (state.phase === "ended") {
      one.endedMs = clock.monotonic();
      if (isTold) void one.rows.then(() => onEnded(this.#view(one), one.askedAs));
    }
    one.changed.notify();
  }

  /** Tells of a phase that it came to. */
  #tell(one: Owned): void {
    const view = this.#view(one);
    const { outcomes, phase, proposal, reason } = view;
    if (phase === one.toldPhase) return;
    one.toldPhase = phase;
    const { action, askedOf: user, calls, id: operation, level } = proposal;
    const known = calls.flatMap((_, i) => outcomes[i] ?? (phase === "ended" ? (reason ?? []) : []));
    this.deps.telemetry.emit({
      type: "operation_changed",
      user,
      operation,
      action,
      level,
      phase,
      outcomes: known,
    });
  }

  #run(one: Owned, effect: OperationEffect): void {
    switch (effect.type) {
      case "record":
        return this.#record(one, effect.entry);
      case "read_state":
        return void this.#check(one, effect.call);
      case "execute":
        return void this.#execute(one, effect.call, effect.key);
      case "observe":
        return void this.#observe(one, effect.call, effect.look);
      case "answer":
        return;
    }
  }

  /** What became of rows is told in their order, so that a call knows of each row before its own. */
  #record(one: Owned, entry: LedgerEntry): void {
    const written = this.#within("a row of the ledger", RECORD_MS_MAX, () => this.deps.ledger.append(entry));
    one.rows = Promise.allSettled([written, one.rows]).then(([{ status }]) => {
      this.#happens(one, status === "fulfilled" ? { type: "recorded", entry } : { type: "record_failed" });
    });
  }

  async #check(one: Owned, call: number): Promise<void> {
    const isForbidden = this.deps.writer.forbidden(callOf(one, call)) !== undefined;
    const reading = isForbidden ? undefined : await this.#read(one, call);
    this.#happens(one, { type: "checked", call, reading, isForbidden });
  }

  async #execute(one: Owned, call: number, key: string): Promise<void> {
    const { onWrite } = this.deps;
    const what = callOf(one, call);
    onWrite([what.target]);
    const reply = await this.#call(what, key);
    onWrite([what.target]);
    this.#happens(one, { type: "called", call, reply });
  }

  /** Once. Whatever goes wrong after it was sent, nobody knows whether it ran. */
  async #call(what: OperationCall, key: string): Promise<CallReply> {
    const { writer } = this.deps;
    const why = writer.forbidden(what);
    if (why !== undefined) return { type: "failed", code: "POLICY_BLOCKED", message: why };
    try {
      return await this.#within(what.tool, EXECUTE_MS_MAX, (within) => writer.execute(what, key, within));
    } catch (error) {
      return { type: "lost", message: String(error) };
    }
  }

  async #observe(one: Owned, call: number, look: number): Promise<void> {
    const reading = await this.#read(one, call);
    this.#happens(one, { type: "observed", call, look, reading });
  }

  /** Undefined: it cannot be read, for whatever reason. */
  async #read(one: Owned, call: number): Promise<Reading | undefined> {
    const what = callOf(one, call);
    const { tool } = what.postcondition;
    const read = this.#within(tool, READ_MS_MAX, (within) => this.deps.writer.observe(what, within));
    const [settled] = await Promise.allSettled([read]);
    return settled.status === "fulfilled" ? settled.value : undefined;
  }

  /** `async`, so that what throws at once rejects, too. */
  async #within<T>(what: string, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return await withDeadline(this.deps.clock, what, limitMs, this.deps.signal, work);
  }

  #view({ state, untilMs }: Owned): OperationView {
    const monotonicMs = consentUntilMs(state);
    return viewOf(state, monotonicMs === undefined ? untilMs : wallOf(monotonicMs, this.#moment()));
  }

  #moment(): Moment {
    const { clock } = this.deps;
    return { atMs: clock.monotonic(), wallMs: clock.now() };
  }

  #live(): readonly Owned[] {
    return [...this.#owned.values()].filter(({ state }) => state.phase !== "ended");
  }

  #forget(): void {
    const ended = [...this.#owned].filter(([, { endedMs }]) => endedMs !== undefined);
    const fromMs = this.deps.clock.monotonic() - ENDED_MS_MAX;
    for (const [at, [id, { endedMs }]] of ended.entries())
      if (endedMs! <= fromMs || at < ended.length - ENDED_MAX) this.#owned.delete(id);
  }

  #number(network: string): number {
    const inUse = this.#live().filter(({ state }) => state.proposal.askedOf.network === network);
    do this.#lastNumber = (this.#lastNumber % NUMBERS_MAX) + 1;
    while (inUse.some(({ state }) => state.proposal.number === this.#lastNumber));
    return this.#lastNumber;
  }
}

function callOf({ state }: Owned, call: number): OperationCall {
  return state.proposal.calls[call]!;
}

/** Consent was given, and whether anything is called shows in a moment. */
function isUndecided(state: OperationState): boolean {
  return state.phase === "checking" || (state.phase === "recording" && state.call === 0);
}
