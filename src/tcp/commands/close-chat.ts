/** `close_chat` [LT-52]: the answer under way is stopped, waiting messages are cancelled, then the chat is closed. */
import type { CloseChatCommand } from "@readback/protocol";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";

export function closeChat(visit: Visit<CloseChatCommand>, deps: DispatchDeps): void {
  const { network, username, requestId } = visit.command;
  const chat = deps.chats.find({ network, username });
  if (chat === undefined) return refuse(visit, "not_found", "There is no chat to close.", deps);
  void deps.chats.close(chat, "closed", requestId === undefined ? {} : { requestId });
}
