/** What an answer costs: the tokens that the server counted, at the price that the settings give. */
import type { TokenUsage } from "./port.js";

/** In US dollars. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

const TOKENS_PER_PRICE = 1_000_000;

export function costUsd({ inputTokens, outputTokens }: TokenUsage, price: Price): number {
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / TOKENS_PER_PRICE;
}
