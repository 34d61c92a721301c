/** The token that a command shows when it plays a relay against the service that is configured here. */
import { type RelayTokensOptions, relayTokens } from "../tcp/relay-tokens.js";

/** The first configured token that may speak for all of `networks`; absent where none is configured or none may. */
export async function ownToken(
  options: RelayTokensOptions,
  networks: readonly string[],
): Promise<string | undefined> {
  const known = await relayTokens(options);
  return known.find((held) => networks.every((network) => held.networks?.includes(network) ?? true))?.token;
}
