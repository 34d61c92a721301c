/** `ai_message` [LT-50]: a question as text. It waits in the user's mailbox; the first one that is taken opens the chat. */
import type { AiMessageCommand } from "@readback/protocol";
import { TurnFailure } from "../../domain/failure.js";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";
import { turnContext } from "./turn-context.js";

export function aiMessage(visit: Visit<AiMessageCommand>, deps: DispatchDeps): void {
  const request = { ...turnContext(visit, deps), text: visit.command.text };
  try {
    deps.chats.accept(request, visit.outlet);
  } catch (error) {
    if (!(error instanceof TurnFailure)) throw error;
    refuse(visit, error.code, error.message, deps);
  }
}
