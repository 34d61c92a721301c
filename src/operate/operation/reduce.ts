/**
 * An operation as a state machine: proposing → awaiting → checking → recording ⇄ executing → verifying → ended. It is the
 * only place that lets a tool be called, and knows nothing of how: time comes in with the events, what is to be done
 * comes out as effects. An event that the state does not wait for, such as an answer that comes twice, changes nothing.
 */
import type { OperationView } from "../../domain/operation.js";
import type { AskedAs } from "../../domain/turn.js";
import type { LedgerEntry, LedgerRow } from "../ledger/port.js";
import { afterReply, called, closed, looked, read, recorded, withheld } from "./calls.js";
import { readBack, replied, stopped } from "./consent.js";
import {
  type CallState,
  consentUntilMs,
  type EventOf,
  ended,
  endedSince,
  type Frozen,
  isLast,
  type Moment,
  type OperationEvent,
  type OperationState,
  type OperationStep,
  record,
  step,
  told,
  type Way,
} from "./state.js";

/** A new operation: nobody is asked before its row is on disk. */
export function propose(frozen: Frozen): OperationStep {
  const { askedAs, proposal, readback } = frozen;
  const calls = proposal.calls.map(() => ({ type: "unchecked" }) as const);
  const state = { ...frozen, phase: { type: "proposing" }, calls, consents: [], listeners: [] } as const;
  return { state, effects: [record(frozen, { type: "proposed", proposal, readback, askedAs })] };
}

/** What an event makes of a state, and what is to be done. Pure and total: it never throws. */
export function reduce(before: OperationState, event: OperationEvent): OperationStep {
  return step(happened(before, event));
}

/** What each event leads to. */
const WAYS: {
  readonly [Type in OperationEvent["type"]]: (state: OperationState, event: EventOf<Type>) => Way;
} = {
  recorded,
  record_failed: (state, { at }) => withheld(state, "not_recorded", at),
  readback: readBack,
  reply: replied,
  stop: stopped,
  read,
  called,
  told: (state, { givenUp, to }) => told(state, to, givenUp),
  tick: (state, { at }) => looked(state, at),
};

function* happened(before: OperationState, event: OperationEvent): Way {
  // Whatever comes in after the time is over meets an operation that has ended, or is not told any more.
  const state = yield* lapsed(before, event);
  return yield* WAYS[event.type](state, event as never);
}

/** Nobody can consent any more, or the news are too old: that is over, whether a timer said so yet or not. */
function* lapsed(state: OperationState, { at }: OperationEvent): Way {
  const { listeners, phase, proposal } = state;
  if (phase.type === "ended" && at.atMs >= (phase.tellMs ?? Infinity))
    return yield* told(state, proposal.askedOf, "too_late");
  if (phase.type !== "awaiting" || at.atMs < consentUntilMs(state)!) return state;
  const wasHeard = phase.asked === "second" || listeners.some(({ heardMs }) => heardMs !== undefined);
  return yield* ended(state, at, wasHeard ? "expired" : "not_heard");
}

/** Of whom a row does not tell how they asked: it is said aloud, to what directories know of them. */
const ASKED_ALOUD: AskedAs = { groups: [], features: [], responseType: "audio" };

/**
 * What an operation is after a restart, of which nothing is called again. `rows`: all of it, oldest first. Undefined: it
 * has ended and was told, or was never on disk.
 */
export function recovered(
  rows: readonly Pick<LedgerRow, "atMs" | "entry">[],
  at: Moment,
): OperationStep | undefined {
  const entries = rows.map(({ entry }) => entry);
  const proposed = entries.find((entry) => entry.type === "proposed");
  if (proposed === undefined || entries.some(isLast)) return undefined;
  const { askedAs = ASKED_ALOUD, proposal, readback } = proposed;
  const consents = entries.flatMap((entry) =>
    entry.type === "reply" && entry.verdict === "approved" && entry.refused === undefined
      ? [entry.reply.by]
      : [],
  );
  const calls = proposal.calls.map((_, call) => callOf(entries, call, at));
  const state = { ...propose({ proposal, readback, askedAs }).state, consents, calls };
  const end = rows.find(({ entry }) => entry.type === "ended");
  if (end?.entry.type !== "ended") return step(over(state, entries, at));
  const sinceMs = at.atMs - Math.max(0, at.wallMs - end.atMs);
  return { state: endedSince(state, sinceMs, end.entry.reason), effects: [] };
}

/** What was called is looked at; the rows of what is known already, and was not written, come first. */
function* over(state: OperationState, entries: readonly LedgerEntry[], at: Moment): Way {
  if (state.calls.every(({ type }) => type === "unchecked")) return yield* ended(state, at, "restarted");
  for (const [call, one] of state.calls.entries()) {
    const isWritten = entries.some((entry) => entry.type === "outcome" && entry.call === call);
    if (one.type === "done" && !isWritten)
      yield record(state, { type: "outcome", call, outcome: one.outcome });
  }
  return yield* closed(state, "skipped", at);
}

/** What is read from now on is read after a call, whenever that was. */
function callOf(entries: readonly LedgerEntry[], call: number, at: Moment): CallState {
  const own = entries.filter((entry) => "call" in entry && entry.call === call);
  const outcome = own.find((one) => one.type === "outcome");
  const executing = own.find((one) => one.type === "executing");
  const executed = own.find((one) => one.type === "executed");
  if (outcome !== undefined) {
    const last = own.slice(own.indexOf(executing!)).findLast((one) => one.type === "read");
    return { type: "done", outcome: outcome.outcome, reading: last?.reading };
  }
  if (executing === undefined) return { type: "unchecked" };
  return afterReply(executing.what, executed?.reply.type ?? "lost", at);
}

/** A state as others see it. `untilMs`: until when it can or could be consented to, in Unix milliseconds. */
export function viewOf(
  { calls, consents, phase, proposal, readback }: OperationState,
  untilMs: number,
): OperationView {
  return {
    proposal,
    readback,
    phase: phase.type === "awaiting" && phase.asked === "second" ? "waiting_second" : PHASES[phase.type],
    untilMs,
    outcomes: calls.map((call) => (call.type === "done" ? call.outcome : undefined)),
    after: calls.map((call) => ("reading" in call ? call.reading : undefined)),
    reason: phase.type === "ended" ? phase.reason : undefined,
    by: consents,
  };
}

const PHASES = {
  ...({ proposing: "waiting", awaiting: "waiting", checking: "executing", recording: "executing" } as const),
  ...({ executing: "executing", verifying: "verifying", ended: "ended" } as const),
};
