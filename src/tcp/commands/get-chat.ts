/** `get_chat` [LT-51]: what the user's chat is, answered at once. */
import type { GetChatCommand } from "@readback/protocol";
import { TurnFailure } from "../../domain/failure.js";
import type { DispatchDeps, Visit } from "../visit.js";

export function getChat(visit: Visit<GetChatCommand>, { chats }: DispatchDeps): void {
  const { requestId } = visit.command;
  const description = chats.find(visit.user)?.describe();
  if (description === undefined)
    throw new TurnFailure("not_found", "There is no chat. The first message opens one.");
  const expiresAtMs = chats.expiresAtMs(description.lastUpdateMs);
  visit.link.reply({ command: "chat", ...description, expiresAtMs, requestId }, visit.outlet.route);
}
