/**
 * An operation as a state machine: proposing → awaiting → checking → recording ⇄ executing → verifying → ended. It is the
 * only place that lets a tool be called, and knows nothing of how: time comes in with the events, what is to be done
 * comes out as effects. An event that the state does not wait for, such as an answer that comes twice, changes nothing.
 */
import { readBack, replied, stopped } from "./consent.js";
import { called, checked, mayExecute, withheld } from "./execution.js";
import {
  common,
  consentUntilMs,
  type Frozen,
  type OperationEvent,
  type OperationState,
  type OperationStep,
  record,
  voided,
} from "./state.js";
import { looked, observed } from "./verification.js";

/** A new operation: nobody is asked before its row is on disk. */
export function propose(frozen: Frozen): OperationStep {
  const { proposal, readback } = frozen;
  return {
    state: { ...frozen, consents: [], listeners: [], phase: "proposing" },
    effects: [record(frozen, { type: "proposed", proposal, readback })],
  };
}

/** What an event makes of a state, and what is to be done. Pure and total: it never throws. */
export function reduce(before: OperationState, event: OperationEvent): OperationStep {
  const { at } = event;
  const lapse = lapsed(before, at.atMs);
  // Whatever comes in after the time is over meets an operation that has ended.
  const { effects, state } = lapse ?? { state: before, effects: [] };
  const step = applied(state, event);
  return { state: step.state, effects: [...effects, ...step.effects] };
}

function applied(state: OperationState, event: OperationEvent): OperationStep {
  const { at } = event;
  switch (event.type) {
    case "recorded":
      return recorded(state, event);
    case "record_failed":
      return withheld(state, "not_recorded", at);
    case "readback":
      return readBack(state, event.to, event.heardMs, at);
    case "reply":
      return replied(state, event.reply, event.verdict, at);
    case "stop":
      return stopped(state, event.by, at);
    case "checked":
      return checked(state, event.call, event.reading, event.isForbidden);
    case "called":
      return called(state, event.call, event.reply, at);
    case "observed":
      return observed(state, event.call, event.look, event.reading, at);
    case "tick":
      return looked(state, at);
  }
}

/** Nobody can consent any more: it is over, whether a timer said so yet or not. */
function lapsed(state: OperationState, atMs: number): OperationStep | undefined {
  const untilMs = consentUntilMs(state);
  if (state.phase !== "awaiting" || untilMs === undefined || atMs < untilMs) return undefined;
  const wasHeard = state.asked === "second" || state.listeners.some(({ heardMs }) => heardMs !== undefined);
  return voided(state, wasHeard ? "expired" : "not_heard");
}

/** A row is on disk. Two of them are waited for: that of the proposal, and that of the call which is made next. */
function recorded(
  state: OperationState,
  { at, entry }: Extract<OperationEvent, { readonly type: "recorded" }>,
): OperationStep {
  if (entry.type === "executing") return mayExecute(state, entry.call);
  if (entry.type !== "proposed" || state.phase !== "proposing") return { state, effects: [] };
  const asked = "asker";
  return {
    state: { ...common(state), phase: "awaiting", asked, sinceMs: at.atMs, misses: 0 },
    effects: [],
  };
}
