/** A state as others see it. Pure. */
import type { OperationView } from "../operations.js";
import type { OperationState } from "./state.js";

/** `untilMs`: until when it can or could be consented to, in Unix milliseconds. */
export function viewOf(state: OperationState, untilMs: number): OperationView {
  const calls =
    "calls" in state ? state.calls : state.proposal.calls.map(() => ({ type: "waiting" as const }));
  return {
    proposal: state.proposal,
    readback: state.readback,
    phase: phaseOf(state),
    untilMs,
    outcomes: calls.map((call) => (call.type === "done" ? call.outcome : undefined)),
    after: calls.map((call) => ("reading" in call ? call.reading : undefined)),
    reason: state.phase === "ended" ? state.reason : undefined,
    by: state.consents,
  };
}

function phaseOf(state: OperationState): OperationView["phase"] {
  switch (state.phase) {
    case "proposing":
      return "waiting";
    case "awaiting":
      return state.asked === "second" ? "waiting_second" : "waiting";
    case "checking":
    case "recording":
      return "executing";
    default:
      return state.phase;
  }
}
