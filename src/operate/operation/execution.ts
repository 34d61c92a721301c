/** From consent to the calls: targets are read again, each call has its row first, and one that is not ok ends the rest. Pure. */
import type { CallReply, OperationCall, VoidReason } from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import {
  type CallState,
  common,
  type InPhase,
  type Moment,
  type OperationState,
  type OperationStep,
  preceded,
  record,
  voided,
} from "./state.js";
import { closed, verifying } from "./verification.js";

/** A target was read after consent. Whatever is not as it was when it was proposed voids all of it. */
export function checked(
  state: OperationState,
  call: number,
  reading: Reading | undefined,
  isForbidden: boolean,
): OperationStep {
  if (state.phase !== "checking" || state.isSame[call] !== false) return { state, effects: [] };
  const row = record(state, { type: "read", call, reading });
  if (isForbidden) return preceded(row, voided(state, "withdrawn"));
  const problem = changeOf(state.proposal.calls[call]!, reading);
  if (problem !== undefined) return preceded(row, voided(state, problem));
  const isSame = state.isSame.with(call, true);
  if (isSame.includes(false)) return { state: { ...state, isSame }, effects: [row] };
  const calls = isSame.map((): CallState => ({ type: "waiting" }));
  return preceded(row, state.proposal.dryRun ? spared(state, calls) : recording(state, calls, 0));
}

/** The row of a call is on disk: the call may be made, once. */
export function mayExecute(state: OperationState, call: number): OperationStep {
  if (state.phase !== "recording" || state.call !== call) return { state, effects: [] };
  return {
    state: { ...common(state), phase: "executing", call, calls: state.calls, isStopped: false },
    effects: [{ type: "execute", call, key: keyOf(state, call) }],
  };
}

/** A call was answered, or given up. Unless it was told to be ok, no further one is made. */
export function called(state: OperationState, call: number, reply: CallReply, at: Moment): OperationStep {
  if (state.phase !== "executing" || state.call !== call) return { state, effects: [] };
  const row = record(state, { type: "executed", call, reply });
  const isLost = reply.type === "lost";
  const next: CallState =
    reply.type === "failed"
      ? { type: "done", outcome: "failed" }
      : { type: "called", isLost, calledMs: at.atMs };
  const failed = reply.type === "failed" ? [record(state, { type: "outcome", call, outcome: "failed" })] : [];
  const calls = state.calls.with(call, next);
  const goesOn = reply.type === "ok" && !state.isStopped && call + 1 < calls.length;
  const { effects, state: after } = goesOn
    ? recording(state, calls, call + 1)
    : restSkipped(state, calls, at);
  return { state: after, effects: [row, ...failed, ...effects] };
}

/** No call is made from now on. Before the first one that voids it all; what has been called is looked at. */
export function withheld(
  state: OperationState,
  reason: Extract<VoidReason, "denied" | "stopped" | "not_recorded">,
  at: Moment,
): OperationStep {
  switch (state.phase) {
    case "proposing":
    case "awaiting":
    case "checking":
      return voided(state, reason);
    case "recording":
      return state.call === 0 ? voided(state, reason) : restSkipped(state, state.calls, at);
    case "executing":
      return { state: { ...state, isStopped: true }, effects: [] };
    case "verifying":
    case "ended":
      return { state, effects: [] };
  }
}

function recording(state: OperationState, calls: readonly CallState[], call: number): OperationStep {
  const what = state.proposal.calls[call]!;
  return {
    state: { ...common(state), phase: "recording", call, calls },
    effects: [record(state, { type: "executing", call, key: keyOf(state, call), what })],
  };
}

/** A dry run ends where the first call would be made. */
function spared(state: InPhase<"checking">, calls: readonly CallState[]): OperationStep {
  const outcome = "dry_run";
  return closed(
    state,
    calls.map(() => ({ type: "done", outcome })),
    calls.map((_, call) => record(state, { type: "outcome", call, outcome })),
  );
}

function restSkipped(state: OperationState, calls: readonly CallState[], at: Moment): OperationStep {
  const outcome = "skipped";
  const rest = calls.flatMap(({ type }, call) =>
    type === "waiting" ? [record(state, { type: "outcome", call, outcome })] : [],
  );
  const skipped = calls.map((one): CallState => (one.type === "waiting" ? { type: "done", outcome } : one));
  const { effects, state: after } = verifying(state, skipped, at);
  return { state: after, effects: [...rest, ...effects] };
}

/** What keeps a call from being made, of what was read of its target. */
function changeOf({ before, postcondition, target }: OperationCall, reading: Reading | undefined) {
  const isOfIt = reading?.target === target && reading.signal === postcondition.signal;
  if (before === undefined || reading === undefined || !isOfIt) return "unreadable";
  return reading.value === before.value && reading.unit === before.unit ? undefined : "state_changed";
}

/** The same call of the same operation always has the same one, so that a tool which takes a key does it once. */
function keyOf({ proposal }: OperationState, call: number): string {
  return `${proposal.id}-${call}`;
}
