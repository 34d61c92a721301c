/** What a message must pass before anything else sees it: its length, and the guard. */
import { TurnFailure, type TurnRequest } from "../domain/turn.js";
import type { Guard } from "../guard/port.js";
import type { Clock } from "../lib/clock.js";
import { countTokens } from "../lib/tokens.js";
import type { Telemetry } from "../telemetry/events.js";

/** Tokens of a user's message at the most, by the reference estimate. */
export const MESSAGE_TOKENS_MAX = 250;

export interface AdmitDeps {
  readonly guard?: Guard;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Rejects with `TurnFailure` when the message is too long, blocked, or could not be scanned. */
export async function admit(request: TurnRequest, deps: AdmitDeps, signal: AbortSignal): Promise<void> {
  const tokens = countTokens(request.text);
  if (tokens > MESSAGE_TOKENS_MAX) {
    const figures = `The message has ${tokens} tokens and the limit is ${MESSAGE_TOKENS_MAX}.`;
    throw new TurnFailure("message_too_long", `${figures} Send a shorter one.`);
  }
  if (deps.guard !== undefined) await pass(request, deps.guard, deps, signal);
}

async function pass(
  { text, user }: TurnRequest,
  guard: Guard,
  { clock, telemetry }: AdmitDeps,
  signal: AbortSignal,
): Promise<void> {
  const startMs = clock.monotonic();
  const verdict = await guard.scan(text, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    const sorry = "The message could not be checked. Try again in a moment.";
    throw new TurnFailure("assistant_unavailable", sorry, { cause });
  });
  telemetry.emit({ type: "stage_finished", user, stage: "guard", ms: clock.monotonic() - startMs });
  if (verdict.type === "allowed") return;
  throw new TurnFailure("blocked", "This message was refused. Ask in other words.");
}
