/** `close_chat` [LT-52]: the answer under way is stopped, waiting messages are cancelled, then the chat is closed. */
import type { CloseChatCommand } from "@readback/protocol";
import { TurnFailure } from "../../domain/failure.js";
import type { DispatchDeps, Visit } from "../visit.js";

export function closeChat({ command, user }: Visit<CloseChatCommand>, { chats }: DispatchDeps): void {
  const chat = chats.find(user);
  if (chat === undefined) throw new TurnFailure("not_found", "There is no chat to close.");
  void chats.close(chat, "closed", { requestId: command.requestId });
}
