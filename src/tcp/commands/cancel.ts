/** `cancel` [LT-56]: the answer under way stops, at once. */
import type { CancelCommand } from "@readback/protocol";
import { TurnFailure } from "../../domain/failure.js";
import type { DispatchDeps, Visit } from "../visit.js";

export function cancel({ user }: Visit<CancelCommand>, { chats }: DispatchDeps): void {
  if (!chats.cancel(user)) throw new TurnFailure("not_found", "There is no answer to stop.");
}
