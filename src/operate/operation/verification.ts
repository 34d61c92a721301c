/** What came of the calls: their postconditions are looked at until they hold or their time is over. Pure. */
import type { CallOutcome, OperationCall } from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import {
  type CallState,
  common,
  type Moment,
  type OperationEffect,
  type OperationState,
  type OperationStep,
  record,
  type Watched,
  wallOf,
} from "./state.js";

/** Between an answer that does not decide and the next look, in milliseconds. */
export const LOOK_PAUSE_MS = 3_000;

/** The longest window of a postcondition, in milliseconds. */
export const WINDOW_MS_MAX = 900_000;

/** No call is made any more: those that were made are looked at. Their windows begin now. */
export function verifying(state: OperationState, calls: readonly CallState[], at: Moment): OperationStep {
  const watched = calls.map((one, call): CallState => {
    if (one.type !== "called") return one;
    const { before, postcondition } = state.proposal.calls[call]!;
    return {
      type: "watched",
      calledMs: one.calledMs,
      untilMs: at.atMs + Math.min(postcondition.windowMs, WINDOW_MS_MAX),
      isConclusive: !one.isLost || before?.value !== postcondition.equals,
      look: 0,
      lookMs: at.atMs,
      isLooking: false,
    };
  });
  return looked({ ...common(state), phase: "verifying", calls: watched }, at);
}

/** Looks at everything that is due. */
export function looked(state: OperationState, at: Moment): OperationStep {
  if (state.phase !== "verifying") return { state, effects: [] };
  if (state.calls.every(({ type }) => type === "done")) return closed(state, state.calls, []);
  const isDue = (one: CallState): one is Watched =>
    one.type === "watched" && !one.isLooking && one.lookMs <= at.atMs;
  const calls = state.calls.map((one) =>
    isDue(one) ? { ...one, isLooking: true, look: one.look + 1, lookMs: at.atMs } : one,
  );
  const effects = calls.flatMap((one, call): readonly OperationEffect[] =>
    one.type === "watched" && one !== state.calls[call] ? [{ type: "observe", call, look: one.look }] : [],
  );
  return { state: { ...state, calls }, effects };
}

/** A look was answered. One that began when the window was over is the last. */
export function observed(
  state: OperationState,
  call: number,
  look: number,
  told: Reading | undefined,
  at: Moment,
): OperationStep {
  const one = state.phase === "verifying" ? state.calls[call] : undefined;
  if (state.phase !== "verifying" || one?.type !== "watched" || !one.isLooking || one.look !== look)
    return { state, effects: [] };
  const what = state.proposal.calls[call]!;
  const reading = isAfter(told, one, what, at) ? told : undefined;
  const holds = reading?.value === what.postcondition.equals;
  const isConclusive = one.isConclusive || (reading !== undefined && !holds);
  const outcome = outcomeOf(reading, holds, isConclusive, one.lookMs >= one.untilMs);
  if (outcome === undefined) {
    const lookMs = Math.min(at.atMs + LOOK_PAUSE_MS, Math.max(one.untilMs, at.atMs));
    const next = { ...one, isConclusive, isLooking: false, lookMs, reading: reading ?? one.reading };
    return { state: { ...state, calls: state.calls.with(call, next) }, effects: [] };
  }
  const calls = state.calls.with(call, { type: "done", outcome, reading });
  const rows = [
    record(state, { type: "read", call, reading: told }),
    record(state, { type: "outcome", call, outcome }),
  ];
  return calls.every(({ type }) => type === "done")
    ? closed(state, calls, rows)
    : { state: { ...state, calls }, effects: rows };
}

/** All calls have come to something. */
export function closed(
  state: OperationState,
  calls: readonly CallState[],
  rows: readonly OperationEffect[],
): OperationStep {
  return {
    state: { ...common(state), phase: "ended", calls },
    effects: [...rows, record(state, { type: "ended" })],
  };
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
