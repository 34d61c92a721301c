/** Which capability drafts the answer to a message. */
import type { Capability } from "../answer/port.js";
import type { RouteDecision } from "../domain/answer.js";
import type { HistoryEntry, TurnRequest } from "../domain/turn.js";

export interface Capabilities {
  readonly knowledge: Capability;
}

export interface Choice {
  readonly capability: Capability;
  readonly decision: RouteDecision;
}

export function chooseCapability(
  _request: TurnRequest,
  _history: readonly HistoryEntry[],
  capabilities: Capabilities,
): Choice {
  return {
    capability: capabilities.knowledge,
    decision: { route: "knowledge", layer: "default", confidence: 1 },
  };
}
