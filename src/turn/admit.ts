/** What a message must pass before anything else sees it: its length, and the guard. */
import { TurnFailure, type TurnRequest } from "../domain/turn.js";
import type { Guard } from "../guard/port.js";
import { countTokens } from "../lib/tokens.js";

/** Tokens of a user's message at the most, by the reference estimate. */
export const MESSAGE_TOKENS_MAX = 250;

/** Rejects with `TurnFailure` when the message is too long, blocked, or could not be scanned. */
export async function admit(
  request: TurnRequest,
  guard: Guard | undefined,
  signal: AbortSignal,
): Promise<void> {
  const tokens = countTokens(request.text);
  if (tokens > MESSAGE_TOKENS_MAX) {
    throw new TurnFailure(
      "message_too_long",
      `The message has ${tokens} tokens and the limit is ${MESSAGE_TOKENS_MAX}. Send a shorter one.`,
    );
  }
  const verdict = await guard?.scan(request.text, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new TurnFailure(
      "assistant_unavailable",
      "The message could not be checked. Try again in a moment.",
      {
        cause: error,
      },
    );
  });
  if (verdict?.type === "blocked")
    throw new TurnFailure("blocked", "This message was refused. Ask in other words.");
}
