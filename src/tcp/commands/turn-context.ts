/** What commands that ask for something have in common [LT-43]. */
import type {
  AiMessageCommand,
  SuggestedQuestionsCommand,
  SummarizeCommand,
  VoiceMessageCommand,
} from "@readback/protocol";
import type { TurnRequest } from "../../domain/turn.js";
import type { OverviewRequest } from "../../turn/overview.js";
import type { DispatchDeps, Visit } from "../visit.js";

export function turnContext(
  { command, link }: Visit<AiMessageCommand | VoiceMessageCommand>,
  { clock, random }: DispatchDeps,
): Omit<TurnRequest, "text"> {
  const { responseType, requestId } = command;
  return {
    id: random.id(),
    ...askerOf(command),
    responseType,
    consent: {
      via: command.command === "message" ? "voice" : "text",
      isTrusted: link.mayConsent,
      pressedMs: clock.monotonic(),
    },
    ...(requestId === undefined ? {} : { requestId }),
  };
}

type Asking = AiMessageCommand | VoiceMessageCommand | SuggestedQuestionsCommand | SummarizeCommand;

/** Who asks, and how. */
export function askerOf({ features, groups, language, mode, network, username }: Asking): OverviewRequest {
  return {
    user: { network, username },
    features,
    groups,
    ...(mode === undefined ? {} : { mode }),
    ...(language === undefined ? {} : { language }),
  };
}
