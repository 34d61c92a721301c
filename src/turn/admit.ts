/** What a message must pass before anything else sees it: its length, and the guard's local scanners. */
import { TurnFailure } from "../domain/failure.js";
import type { TurnRequest } from "../domain/turn.js";
import { localRefusal } from "../guard/local-scanners.js";
import { GuardRefusal } from "../guard/port.js";
import { countWords } from "../lib/english-analyzer.js";
import { countTokens } from "../lib/tokens.js";
import type { Telemetry } from "../telemetry/events.js";

/** Tokens of a user's message at the most, by the reference estimate. */
export const MESSAGE_TOKENS_MAX = 250;

/** Characters of it at the most: many times what the tokens come to, since a text without blanks is one token. */
export const MESSAGE_CHARS_MAX = 4_000;

/** Words of it at the most, as the search finds them: in scripts without blanks each character is one. */
export const MESSAGE_WORDS_MAX = 1_000;

/** Throws `TurnFailure` when the message is too long or refused. */
export function admit({ text }: Pick<TurnRequest, "text">, telemetry: Telemetry): void {
  const tooLong = lengthFailure(text);
  if (tooLong !== undefined) throw tooLong;
  const scanner = localRefusal(text);
  if (scanner === undefined) return;
  telemetry.emit({ type: "guard_scanned", what: "question", to: "turn", ms: 0, result: "refused", scanner });
  throw new GuardRefusal();
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
