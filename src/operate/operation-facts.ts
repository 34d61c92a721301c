/** What became of an operation, as values: what an answer may say of it. */
import type { OperationFact } from "../domain/operation.js";
import type { OperationView } from "./operations.js";

/** One for each call, in order. */
export function operationFacts(view: OperationView): readonly OperationFact[] {
  const { action, calls, id } = view.proposal;
  return calls.map(({ name, target }, at) => ({
    ...{ operation: id, target, name, action },
    outcome: view.outcomes[at] ?? view.reason ?? outcomeOf(view.phase),
  }));
}

/** Of a call without an outcome of its own. */
function outcomeOf(phase: OperationView["phase"]): OperationFact["outcome"] {
  if (phase === "ended") return "unknown";
  return phase === "waiting_second" ? "waiting" : phase;
}
