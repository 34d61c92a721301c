/** `get_chat` [LT-51]: what the user's chat is, answered at once. */
import type { GetChatCommand } from "@readback/protocol";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";

export function getChat(visit: Visit<GetChatCommand>, deps: DispatchDeps): void {
  const { network, username, requestId } = visit.command;
  const chat = deps.chats.find({ network, username });
  if (chat === undefined)
    return refuse(visit, "not_found", "There is no chat. The first message opens one.", deps);
  const description = chat.describe();
  const expiresAtMs = deps.chats.expiresAtMs(description.lastUpdateMs);
  visit.link.reply({ command: "chat", ...description, expiresAtMs, requestId }, visit.outlet.route);
}
