/**
 * The network that a command asks in when it plays a relay, by the index that lies on this machine. That one may be read
 * by the user of the service alone, so that nobody else learns here which networks there are.
 */
import { usesElasticsearch } from "../compose/knowledge.js";
import type { Config } from "../config/schema.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { knowledgeDirectory } from "../retrieval/embedded/database.js";
import { filledNetworks } from "../retrieval/embedded/index-record.js";

/** The only network with documents; `http.default_network` where none is known. Throws `UsageProblem` for several. */
export function ownNetwork(config: Config): string {
  const [only = config.http.defaultNetwork, ...others] = networksHere(config) ?? [];
  if (others.length === 0) return only;
  throw new UsageProblem(
    `Several networks have documents: ${[only, ...others].join(", ")}. Say which one is asked: --network <name>`,
  );
}

/** What to tell the operator who asks in a network that has no documents; undefined where it has, or nobody knows. */
export function emptyNetworkNote(config: Config, network: string): string | undefined {
  const networks = networksHere(config);
  if (networks === undefined || networks.includes(network)) return undefined;
  const others = networks.length === 0 ? "nor of any other" : `only of ${networks.join(", ")}`;
  return (
    `There are no documents of the network ${network} in ${config.dataDir}, ${others}. Bring some in: ` +
    `readback ingest <folder> --network ${network}`
  );
}

/** `undefined`: the documents lie elsewhere. */
function networksHere(config: Config): readonly string[] | undefined {
  return usesElasticsearch(config) ? undefined : filledNetworks(knowledgeDirectory(config.dataDir));
}
