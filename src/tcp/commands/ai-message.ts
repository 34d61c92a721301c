/** `ai_message` [LT-50]: a question as text. It waits in the user's mailbox; the first one that is taken opens the chat. */
import type { AiMessageCommand } from "@readback/protocol";
import type { DispatchDeps, Visit } from "../visit.js";
import { turnContext } from "./turn-context.js";

export function aiMessage(visit: Visit<AiMessageCommand>, deps: DispatchDeps): void {
  deps.chats.accept({ ...turnContext(visit, deps), text: visit.command.text }, visit.outlet);
}
