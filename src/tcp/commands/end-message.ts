/** `end_message` [LT-55]: the button is released. Of a message that was refused or is over, it ends nothing. */
import type { VoiceEndCommand } from "@readback/protocol";
import type { DispatchDeps, Visit } from "../visit.js";

export function endMessage({ command, user }: Visit<VoiceEndCommand>, { chats }: DispatchDeps): void {
  chats.find(user)?.release(command.messageId);
}
