/** What a typed and a spoken question have in common [LT-43]. */
import type { AiMessageCommand, VoiceMessageCommand } from "@readback/protocol";
import type { TurnRequest } from "../../domain/turn.js";
import type { DispatchDeps } from "../visit.js";

export function turnContext(
  command: AiMessageCommand | VoiceMessageCommand,
  { random }: DispatchDeps,
): Omit<TurnRequest, "text"> {
  const { network, username, responseType, features, groups, mode, language, requestId } = command;
  return {
    id: random.id(),
    user: { network, username },
    responseType,
    features,
    groups,
    ...(mode === undefined ? {} : { mode }),
    ...(language === undefined ? {} : { language }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
