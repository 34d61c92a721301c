/**
 * From consent to what came of it: targets are read again, each call has its row first, one that is not ok ends the rest,
 * and postconditions are looked at until they hold or their time is over. Pure.
 */
import type { CallOutcome, CallReply, OperationCall, VoidReason } from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import { sameValue } from "../../grounding/checkers/statements.js";
import {
  type CallState,
  type EventOf,
  ended,
  type Moment,
  type OperationState,
  record,
  type Watched,
  type Way,
  wallOf,
} from "./state.js";

/** Between an answer that does not decide and the next look, in milliseconds. */
export const LOOK_PAUSE_MS = 3_000;

/** The longest window of a postcondition, in milliseconds. */
export const WINDOW_MS_MAX = 900_000;

/** Something was read: after consent of each target, later of what a call was to bring about. */
export function* read(state: OperationState, event: EventOf<"read">): Way {
  const one = state.calls[event.call];
  if (state.phase.type === "checking" && one?.type === "unchecked" && event.look === 0)
    return yield* checked(state, event);
  const isAwaited = one?.type === "watched" && one.isLooking && one.look === event.look;
  return isAwaited ? yield* observed(state, one, event) : state;
}

/** Whatever is not as it was when it was proposed voids all of it. */
function* checked(before: OperationState, { at, call, isForbidden, reading }: EventOf<"read">): Way {
  yield record(before, { type: "read", call, reading });
  const problem = isForbidden ? "withdrawn" : changeOf(before.proposal.calls[call]!, reading);
  if (problem !== undefined) return yield* ended(before, at, problem);
  const state = { ...before, calls: before.calls.with(call, { type: "waiting" }) };
  if (state.calls.some(({ type }) => type === "unchecked")) return state;
  return yield* state.proposal.dryRun ? closed(state, "dry_run", at) : recording(state, 0);
}

/** A row is on disk. Two of them are waited for: that of the proposal, and that of a call, which may be made now, once. */
export function* recorded(state: OperationState, { at, entry }: EventOf<"recorded">): Way {
  const { phase } = state;
  if (entry.type === "proposed" && phase.type === "proposing")
    return { ...state, phase: { type: "awaiting", asked: "asker", sinceMs: at.atMs, misses: 0 } };
  if (entry.type !== "executing" || phase.type !== "recording" || phase.call !== entry.call) return state;
  const { call, key } = entry;
  yield { type: "execute", call, key };
  return { ...state, phase: { type: "executing", call, isStopped: false } };
}

/** A call was answered, or given up. Unless it was told to be ok, no further one is made. */
export function* called(before: OperationState, { at, call, reply }: EventOf<"called">): Way {
  const { phase, proposal } = before;
  if (phase.type !== "executing" || phase.call !== call) return before;
  yield record(before, { type: "executed", call, reply });
  if (reply.type === "refused") yield record(before, { type: "outcome", call, outcome: "failed" });
  const calls = before.calls.with(call, afterReply(proposal.calls[call]!, reply.type, at));
  const state = { ...before, calls };
  const goesOn = reply.type === "ok" && !phase.isStopped && call + 1 < calls.length;
  return yield* goesOn ? recording(state, call + 1) : closed(state, "skipped", at);
}

/** How far a call is once it was answered. What a tool says of a failure is as little known as what became of a lost one. */
export function afterReply(what: OperationCall, reply: CallReply["type"], { atMs }: Moment): CallState {
  if (reply === "refused") return { type: "done", outcome: "failed" };
  return {
    type: "watched",
    calledMs: atMs,
    untilMs: atMs + Math.min(what.postcondition.windowMs, WINDOW_MS_MAX),
    isConclusive: reply === "ok" || what.before === undefined || !isMet(what, what.before),
    look: 0,
    lookMs: atMs,
    isLooking: false,
  };
}

/** No call is made from now on. Before the first one that voids it all; what has been called is looked at. */
export function* withheld(state: OperationState, reason: VoidReason, at: Moment): Way {
  const { phase } = state;
  if (phase.type === "verifying" || phase.type === "ended") return state;
  if (phase.type === "executing") return { ...state, phase: { ...phase, isStopped: true } };
  const isBegun = phase.type === "recording" && phase.call > 0;
  return yield* isBegun ? closed(state, "skipped", at) : ended(state, at, reason);
}

/** The same call of the same operation always has the same key, so that a tool which takes one does it once. */
function* recording(state: OperationState, call: number): Way {
  const { calls, id } = state.proposal;
  yield record(state, { type: "executing", call, key: `${id}-${call}`, what: calls[call]! });
  return { ...state, phase: { type: "recording", call } };
}

/** No call is made any more: those that were not come to `outcome`, the others are looked at. */
export function* closed(state: OperationState, outcome: CallOutcome, at: Moment): Way {
  const calls = [...state.calls];
  for (const [call, { type }] of calls.entries())
    if (type === "waiting" || type === "unchecked") {
      calls[call] = { type: "done", outcome };
      yield record(state, { type: "outcome", call, outcome });
    }
  return yield* looked({ ...state, calls, phase: { type: "verifying" } }, at);
}

/** Looks at everything that is due; where nothing is left, it is over. */
export function* looked(state: OperationState, at: Moment): Way {
  if (state.phase.type !== "verifying") return state;
  if (state.calls.every(({ type }) => type === "done")) return yield* ended(state, at);
  const calls = [...state.calls];
  for (const [call, one] of calls.entries())
    if (one.type === "watched" && !one.isLooking && one.lookMs <= at.atMs) {
      const look = one.look + 1;
      calls[call] = { ...one, isLooking: true, look, lookMs: at.atMs };
      yield { type: "read", call, look };
    }
  return { ...state, calls };
}

/** A look was answered. One that began when the window was over is the last. */
function* observed(state: OperationState, one: Watched, { at, call, reading: answer }: EventOf<"read">): Way {
  const what = state.proposal.calls[call]!;
  // It was asked for after the call, and yet may be older: the site keeps values for a while. The wall clock may have been
  // set since: the instant of the call is told as it shows now.
  const isAfter = isOf(what, answer) && answer.takenAtMs >= wallOf(one.calledMs, at);
  const reading = isAfter ? answer : undefined;
  const holds = reading !== undefined && isMet(what, reading);
  const isConclusive = one.isConclusive || (reading !== undefined && !holds);
  const isVerified = holds && isConclusive;
  if (!isVerified && one.lookMs < one.untilMs) {
    const lookMs = Math.min(at.atMs + LOOK_PAUSE_MS, Math.max(one.untilMs, at.atMs));
    const next = { ...one, isConclusive, isLooking: false, lookMs, reading: reading ?? one.reading };
    return { ...state, calls: state.calls.with(call, next) };
  }
  const otherwise = reading === undefined || holds ? "unknown" : "contradicted";
  const outcome = isVerified ? "verified" : otherwise;
  yield record(state, { type: "read", call, reading: answer });
  yield record(state, { type: "outcome", call, outcome });
  const calls = state.calls.with(call, { type: "done", outcome, reading });
  return yield* looked({ ...state, calls }, at);
}

/** Whether a reading shows what a call was to bring about. A value that was said counts in its unit, if the reading has any. */
export function isMet(
  { postcondition: { equals }, value }: Pick<OperationCall, "postcondition" | "value">,
  reading: Pick<Reading, "value" | "unit">,
): boolean {
  const unit = reading.unit && value?.number === equals ? value.unit : undefined;
  return sameValue({ ...reading, value: equals, ...(unit && { unit }) }, reading);
}

/** What keeps a call from being made, of what was read of its target. */
function changeOf(call: OperationCall, reading: Reading | undefined) {
  const { before } = call;
  if (before === undefined || !isOf(call, reading)) return "unreadable";
  return reading.value === before.value && reading.unit === before.unit ? undefined : "state_changed";
}

/** Whether a reading is of what a call is to change. */
function isOf({ postcondition, target }: OperationCall, reading: Reading | undefined): reading is Reading {
  return reading?.target === target && reading.signal === postcondition.signal;
}
