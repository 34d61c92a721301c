/** `ai_message` [LT-50]: a question as text. It waits in the user's mailbox; the first one opens the chat. */
import type { AiMessageCommand } from "@readback/protocol";
import { TurnFailure } from "../../domain/failure.js";
import type { TurnRequest } from "../../domain/turn.js";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";

export function aiMessage(visit: Visit<AiMessageCommand>, deps: DispatchDeps): void {
  const request = requestOf(visit.command, deps);
  try {
    deps.chats.open(request.user, visit.outlet).accept(request);
  } catch (error) {
    if (!(error instanceof TurnFailure)) throw error;
    refuse(visit, error.code, error.message, deps);
  }
}

function requestOf(command: AiMessageCommand, deps: DispatchDeps): TurnRequest {
  const { network, username, text, responseType, features, groups, mode, language, requestId } = command;
  return {
    id: deps.random.id(),
    user: { network, username },
    text,
    responseType,
    features,
    groups,
    ...(mode === undefined ? {} : { mode }),
    ...(language === undefined ? {} : { language }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
