/**
 * Beyond this machine no port listens for everybody: it asks for a key or a token, or, for relays and Prometheus as they
 * are, it has an address of its own and a list of who may connect.
 */
import type { z } from "zod";
import { isLoopbackHost } from "../api/neighbour.js";
import { isWildcard } from "../lib/private-address.js";
import type { ConfigFile } from "./schema.js";

type Exposed = Pick<ConfigFile, "grpc" | "http" | "metrics" | "relay">;

/** Adds an issue for each port that the settings leave open. */
export function refuseExposure({ grpc, http, metrics, relay }: Exposed, context: z.RefinementCtx): void {
  const refuse = (path: readonly string[], remedy: string) =>
    context.addIssue({
      code: "custom",
      path: [...path],
      message: `expected a loopback address, or ${remedy}`,
    });
  const listed = "one address of this machine with a list of who may connect";
  const isListed = ({ allow, host }: typeof metrics) => allow.length > 0 && !isWildcard(host);

  const relaysAreKnown =
    relay.tokens.length > 0 || relay.tokens_file !== undefined || relay.tls.client_ca_file !== undefined;
  if (!isLoopbackHost(relay.host) && !relaysAreKnown && !isListed(relay))
    refuse(
      ["relay", "host"],
      `credentials of relays (relay.tokens, relay.tokens_file or relay.tls.client_ca_file), or ${listed} (relay.allow)`,
    );
  if (!isLoopbackHost(metrics.host) && !isListed(metrics))
    refuse(["metrics", "host"], `${listed} (metrics.allow)`);
  const kiosksAreThere = http.kiosks.length > 0 && http.kiosk_port === undefined;
  if (!isLoopbackHost(http.host) && http.api_keys.length === 0 && !kiosksAreThere)
    refuse(["http", "host"], "keys for the API (http.api_keys)");
  if (grpc.enabled && !isLoopbackHost(grpc.host) && http.api_keys.length === 0)
    refuse(["grpc", "host"], "keys for the API (http.api_keys)");
}
