/** `cancel` [LT-56]: the answer under way stops, at once. */
import type { CancelCommand } from "@readback/protocol";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";

export function cancel(visit: Visit<CancelCommand>, deps: DispatchDeps): void {
  const { network, username } = visit.command;
  if (!deps.chats.cancel({ network, username }))
    refuse(visit, "not_found", "There is no answer to stop.", deps);
}
