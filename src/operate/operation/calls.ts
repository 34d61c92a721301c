/**
 * From consent to what came of it: targets are read again, each call has its row first, one that is not ok ends the rest,
 * and postconditions are looked at until they hold or their time is over. Pure.
 */
import type { CallOutcome, CallReply, OperationCall, VoidReason } from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import { sameValue } from "../../grounding/checkers/statements.js";
import {
  type CallState,
  ended,
  entering,
  type Moment,
  type OperationEffect,
  type OperationEvent,
  type OperationState,
  type OperationStep,
  preceded,
  record,
  step,
  type Watched,
  wallOf,
} from "./state.js";

/** Between an answer that does not decide and the next look, in milliseconds. */
export const LOOK_PAUSE_MS = 3_000;

/** The longest window of a postcondition, in milliseconds. */
export const WINDOW_MS_MAX = 900_000;

type ReadEvent = Extract<OperationEvent, { readonly type: "read" }>;

/** Something was read: after consent of each target, later of what a call was to bring about. */
export function read(state: OperationState, event: ReadEvent): OperationStep {
  const one = state.calls[event.call];
  if (state.phase.type === "checking" && one?.type === "unchecked" && event.look === 0)
    return checked(state, event);
  const isAwaited = one?.type === "watched" && one.isLooking && one.look === event.look;
  return isAwaited ? observed(state, one, event) : step(state);
}

/** Whatever is not as it was when it was proposed voids all of it. */
function checked(state: OperationState, { at, call, isForbidden, reading }: ReadEvent): OperationStep {
  const row = [record(state, { type: "read", call, reading })];
  const problem = isForbidden ? "withdrawn" : changeOf(state.proposal.calls[call]!, reading);
  if (problem !== undefined) return preceded(row, ended(state, at, problem));
  const calls = state.calls.with(call, { type: "waiting" });
  if (calls.some(({ type }) => type === "unchecked")) return step({ ...state, calls }, ...row);
  const next = { ...state, calls };
  return preceded(row, state.proposal.dryRun ? closed(next, "dry_run", at) : recording(next, 0));
}

/** The row of a call is on disk: the call may be made, once. */
export function mayExecute(state: OperationState, call: number): OperationStep {
  if (state.phase.type !== "recording" || state.phase.call !== call) return step(state);
  const key = keyOf(state, call);
  return entering(state, { type: "executing", call, isStopped: false }, { type: "execute", call, key });
}

/** A call was answered, or given up. Unless it was told to be ok, no further one is made. */
export function called(state: OperationState, call: number, reply: CallReply, at: Moment): OperationStep {
  const { phase } = state;
  if (phase.type !== "executing" || phase.call !== call) return step(state);
  const refused =
    reply.type === "refused" ? [record(state, { type: "outcome", call, outcome: "failed" })] : [];
  const calls = state.calls.with(call, afterReply(state.proposal.calls[call]!, reply.type, at));
  const goesOn = reply.type === "ok" && !phase.isStopped && call + 1 < calls.length;
  const next = { ...state, calls };
  const after = goesOn ? recording(next, call + 1) : closed(next, "skipped", at);
  return preceded([record(state, { type: "executed", call, reply }), ...refused], after);
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
export function withheld(
  state: OperationState,
  reason: Extract<VoidReason, "denied" | "stopped" | "not_recorded">,
  at: Moment,
): OperationStep {
  const { phase } = state;
  if (phase.type === "verifying" || phase.type === "ended") return step(state);
  if (phase.type === "executing") return entering(state, { ...phase, isStopped: true });
  const isBegun = phase.type === "recording" && phase.call > 0;
  return isBegun ? closed(state, "skipped", at) : ended(state, at, reason);
}

function recording(state: OperationState, call: number): OperationStep {
  const what = state.proposal.calls[call]!;
  const row = record(state, { type: "executing", call, key: keyOf(state, call), what });
  return entering(state, { type: "recording", call }, row);
}

/** No call is made any more: those that were not come to `outcome`, the others are looked at. */
export function closed(state: OperationState, outcome: CallOutcome, at: Moment): OperationStep {
  const isLeft = ({ type }: CallState) => type === "waiting" || type === "unchecked";
  const calls = state.calls.map((one): CallState => (isLeft(one) ? { type: "done", outcome } : one));
  const rows = state.calls.flatMap((one, call) =>
    isLeft(one) ? [record(state, { type: "outcome", call, outcome })] : [],
  );
  return preceded(rows, looked({ ...state, calls, phase: { type: "verifying" } }, at));
}

/** Looks at everything that is due; where nothing is left, it is over. */
export function looked(state: OperationState, at: Moment): OperationStep {
  if (state.phase.type !== "verifying") return step(state);
  if (state.calls.every(({ type }) => type === "done")) return ended(state, at);
  const effects: OperationEffect[] = [];
  const calls = state.calls.map((one, call) => {
    if (one.type !== "watched" || one.isLooking || one.lookMs > at.atMs) return one;
    effects.push({ type: "read", call, look: one.look + 1 });
    return { ...one, isLooking: true, look: one.look + 1, lookMs: at.atMs };
  });
  return step({ ...state, calls }, ...effects);
}

/** A look was answered. One that began when the window was over is the last. */
function observed(
  state: OperationState,
  one: Watched,
  { at, call, reading: answer }: ReadEvent,
): OperationStep {
  const what = state.proposal.calls[call]!;
  const reading = isAfter(answer, one, what, at) ? answer : undefined;
  const holds = reading !== undefined && isMet(what, reading);
  const isConclusive = one.isConclusive || (reading !== undefined && !holds);
  const outcome = outcomeOf(reading, holds, isConclusive, one.lookMs >= one.untilMs);
  if (outcome === undefined) {
    const lookMs = Math.min(at.atMs + LOOK_PAUSE_MS, Math.max(one.untilMs, at.atMs));
    const next = { ...one, isConclusive, isLooking: false, lookMs, reading: reading ?? one.reading };
    return step({ ...state, calls: state.calls.with(call, next) });
  }
  const next = { ...state, calls: state.calls.with(call, { type: "done", outcome, reading }) };
  const rows = [
    record(state, { type: "read", call, reading: answer }),
    record(state, { type: "outcome", call, outcome }),
  ];
  return preceded(rows, looked(next, at));
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
function changeOf({ before, postcondition, target }: OperationCall, reading: Reading | undefined) {
  const isOfIt = reading?.target === target && reading.signal === postcondition.signal;
  if (before === undefined || reading === undefined || !isOfIt) return "unreadable";
  return reading.value === before.value && reading.unit === before.unit ? undefined : "state_changed";
}

/**
 * Whether a reading is of this postcondition, and was taken after the call. It was asked for after it; what the site keeps
 * for a while may be older. The wall clock may have been set since: the instant of the call is told as it shows now.
 */
function isAfter(
  reading: Reading | undefined,
  { calledMs }: Watched,
  { postcondition, target }: OperationCall,
  at: Moment,
): boolean {
  if (reading?.target !== target || reading.signal !== postcondition.signal) return false;
  return reading.takenAtMs >= wallOf(calledMs, at);
}

/** Undefined: it is looked at once more. */
function outcomeOf(
  reading: Reading | undefined,
  holds: boolean,
  isConclusive: boolean,
  isLast: boolean,
): CallOutcome | undefined {
  if (holds && isConclusive) return "verified";
  if (!isLast) return undefined;
  return reading === undefined || holds ? "unknown" : "contradicted";
}

/** The same call of the same operation always has the same one, so that a tool which takes a key does it once. */
function keyOf({ proposal }: OperationState, call: number): string {
  return `${proposal.id}-${call}`;
}
