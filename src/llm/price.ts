/** What an answer costs: the tokens that the server counted, at the price that the settings give. */
import type { TokenUsage } from "./port.js";

/** In the currency of the contract with the provider; 0 where nothing is paid, or nothing is known. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

export const FREE: Price = { inputPerMillion: 0, outputPerMillion: 0 };

const TOKENS_PER_PRICE = 1_000_000;

export function costOf({ inputTokens, outputTokens }: TokenUsage, price: Price): number {
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / TOKENS_PER_PRICE;
}
