/**
 * An operation as a state machine: proposing → awaiting → checking → recording ⇄ executing → verifying → ended. It is the
 * only place that lets a tool be called, and knows nothing of how: time comes in with the events, what is to be done
 * comes out as effects. An event that the state does not wait for, such as an answer that comes twice, changes nothing.
 */
import type { OperationView } from "../../domain/operation.js";
import { called, looked, mayExecute, read, withheld } from "./calls.js";
import { readBack, replied, stopped } from "./consent.js";
import {
  consentUntilMs,
  ended,
  type Frozen,
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

function* happened(before: OperationState, event: OperationEvent): Way {
  const { at } = event;
  // Whatever comes in after the time is over meets an operation that has ended, or is not told any more.
  const state = yield* lapsed(before, event);
  switch (event.type) {
    case "recorded":
      return yield* recorded(state, event);
    case "record_failed":
      return yield* withheld(state, "not_recorded", at);
    case "readback":
      return yield* readBack(state, event.to, event.heardMs, at);
    case "reply":
      return yield* replied(state, event.reply, event.verdict, at);
    case "stop":
      return yield* stopped(state, event.by, at);
    case "read":
      return yield* read(state, event);
    case "called":
      return yield* called(state, event.call, event.reply, at);
    case "told":
      return yield* told(state, event.to, event.givenUp);
    case "tick":
      return yield* looked(state, at);
  }
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

/** A row is on disk. Two of them are waited for: that of the proposal, and that of the call which is made next. */
function* recorded(
  state: OperationState,
  { at, entry }: Extract<OperationEvent, { readonly type: "recorded" }>,
): Way {
  if (entry.type === "executing") return yield* mayExecute(state, entry.call);
  if (entry.type !== "proposed" || state.phase.type !== "proposing") return state;
  return { ...state, phase: { type: "awaiting", asked: "asker", sinceMs: at.atMs, misses: 0 } };
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
