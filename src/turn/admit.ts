/** What a message must pass before anything else sees it: its length, and the guard. */
import { TurnFailure } from "../domain/failure.js";
import type { TurnRequest } from "../domain/turn.js";
import type { Guard } from "../guard/port.js";
import type { Clock } from "../lib/clock.js";
import { countWords } from "../lib/english-analyzer.js";
import { countTokens } from "../lib/tokens.js";
import type { Telemetry } from "../telemetry/events.js";

/** Tokens of a user's message at the most, by the reference estimate. */
export const MESSAGE_TOKENS_MAX = 250;

/** Characters of it at the most: many times what the tokens come to, since a text without blanks is one token. */
export const MESSAGE_CHARS_MAX = 4_000;

/** Words of it at the most, as the search finds them: in scripts without blanks each character is one. */
export const MESSAGE_WORDS_MAX = 1_000;

export interface AdmitDeps {
  readonly guard?: Guard;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Rejects with `TurnFailure` when the message is too long, blocked, or could not be scanned. */
export async function admit(request: TurnRequest, deps: AdmitDeps, signal: AbortSignal): Promise<void> {
  const tooLong = lengthFailure(request.text);
  if (tooLong !== undefined) throw tooLong;
  if (deps.guard !== undefined) await pass(request, deps.guard, deps, signal);
}

/** What is wrong with the length of a message, if anything is; known before it waits anywhere. */
export function lengthFailure(text: string): TurnFailure | undefined {
  if (text.length > MESSAGE_CHARS_MAX) return tooLong(text.length, "characters", MESSAGE_CHARS_MAX);
  const tokens = countTokens(text);
  if (tokens > MESSAGE_TOKENS_MAX) return tooLong(tokens, "tokens", MESSAGE_TOKENS_MAX);
  const words = countWords(text);
  return words > MESSAGE_WORDS_MAX ? tooLong(words, "words", MESSAGE_WORDS_MAX) : undefined;
}

function tooLong(count: number, unit: "characters" | "tokens" | "words", limit: number): TurnFailure {
  const text = `The message has ${count} ${unit} and the limit is ${limit}. Send a shorter one.`;
  return new TurnFailure("message_too_long", text);
}

/** Rejects with `TurnFailure` when the guard blocks the text, or cannot scan it. */
export async function pass(
  { text, user }: Pick<TurnRequest, "text" | "user">,
  guard: Guard,
  { clock, telemetry }: Pick<AdmitDeps, "clock" | "telemetry">,
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
