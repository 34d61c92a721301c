/** `ai_message` [LT-50]: a question as text. It waits in the user's mailbox; the first one opens the chat. */
import type { AiMessageCommand } from "@readback/protocol";
import type { TurnRequest } from "../../domain/turn.js";
import type { DispatchDeps, Visit } from "../visit.js";

export function aiMessage({ command, outlet }: Visit<AiMessageCommand>, deps: DispatchDeps): void {
  const { network, username, text, responseType, features, groups, mode, language, requestId } = command;
  const request: TurnRequest = {
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
  deps.chats.open(request.user, outlet).accept(request);
}
