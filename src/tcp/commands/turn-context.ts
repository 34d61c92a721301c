/** What commands that ask for something have in common [LT-43]. */
import type { AiMessageCommand, VoiceMessageCommand } from "@readback/protocol";
import type { TurnRequest } from "../../domain/turn.js";
import type { OverviewRequest } from "../../turn/overview.js";
import type { DispatchDeps, Visit } from "../visit.js";

export function turnContext(
  visit: Visit<AiMessageCommand | VoiceMessageCommand>,
  { clock, random }: DispatchDeps,
): Omit<TurnRequest, "text"> {
  const { command, requestId, responseType } = visit.command;
  const via = command === "message" ? "voice" : "text";
  const consent = { via, isTrusted: visit.link.mayConsent, pressedMs: clock.monotonic() } as const;
  return { id: random.id(), ...askerOf(visit), responseType, consent, requestId };
}

type Asking = Pick<AiMessageCommand, "features" | "groups" | "language" | "mode">;

/** Who asks, and how. */
export function askerOf({ command, user }: Visit<Asking>): OverviewRequest {
  const { features, groups, language, mode } = command;
  return { user, features, groups, mode, language };
}
