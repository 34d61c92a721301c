/** How much of the past and of the documents fits into a prompt, in tokens of the reference estimate. */
import type { HistoryEntry } from "../domain/turn.js";
import { countTokens, cutToTokens } from "../lib/tokens.js";

export const HISTORY_TOKENS_MAX = 1_000;
export const RETRIEVED_TOKENS_MAX = 2_500;

/** The newest entries that fit, oldest first; an entry is whole or absent. */
export function historyWithinBudget(
  history: readonly HistoryEntry[],
  tokensMax = HISTORY_TOKENS_MAX,
): readonly HistoryEntry[] {
  let left = tokensMax;
  let first = history.length;
  while (first > 0) {
    left -= countTokens(history[first - 1]!.text);
    if (left < 0) break;
    first -= 1;
  }
  return history.slice(first);
}

/** A budget that texts are charged against one after the other; what does not fit is cut, and that is known. */
export class TokenBudget {
  #used = 0;
  /** Tokens asked for in all, whether they fitted or not. */
  #asked = 0;

  constructor(private readonly tokensMax: number) {}

  get asked(): number {
    return this.#asked;
  }

  get exceeded(): boolean {
    return this.#asked > this.tokensMax;
  }

  /** As much of `text` as still fits, cut between words. */
  take(text: string): string {
    const fitting = cutToTokens(text, this.tokensMax - this.#used);
    this.#used += countTokens(fitting);
    this.#asked += countTokens(text);
    return fitting;
  }
}
