/** All settings: each folder brings its own. The file writes them in snake_case, the code reads them in camelCase. */
import { z } from "zod";
import { chatOptions } from "../chat/options.js";
import { evaluationOptions } from "../evaluation/options.js";
import { groundingOptions } from "../grounding/options.js";
import { grpcOptions } from "../grpc/options.js";
import { guardOptions } from "../guard/options.js";
import { guidesOptions } from "../guide/options.js";
import { httpOptions } from "../http/options.js";
import { ingestOptions } from "../ingest/options.js";
import { syncOptions } from "../ingest/sync/options.js";
import { addressListSetting } from "../lib/address-list.js";
import type { CamelCased } from "../lib/camel-case.js";
import { isLoopbackHost, isWildcard } from "../lib/private-address.js";
import { llmOptions } from "../llm/options.js";
import { localeOptions } from "../locale/options.js";
import { operateOptions } from "../operate/options.js";
import { elasticsearchOptions } from "../retrieval/elasticsearch/options.js";
import { embeddingOptions } from "../retrieval/embedding/options.js";
import { groupsOptions } from "../retrieval/groups/options.js";
import { retrievalOptions } from "../retrieval/options.js";
import { rerankOptions } from "../retrieval/rerank/options.js";
import { routingOptions } from "../routing/options.js";
import { sitesOptions } from "../sites/options.js";
import { speechOptions } from "../speech/options.js";
import { transcriptionOptions } from "../speech/transcription/options.js";
import { relayOptions } from "../tcp/options.js";
import { tracesOptions } from "../telemetry/traces/options.js";

const metricsOptions = z.strictObject({
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe(
      "Address of the metrics for Prometheus. `private`: this machine's first private address. Any but loopback needs `allow`.",
    ),
  allow: addressListSetting.describe(
    "Addresses that may ask for metrics, besides this machine: such as `10.0.0.7`, `10.0.0.0/8`, or `private` for all " +
      "private ones. Empty: all that reach the port.",
  ),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(9092)
    .describe("Port of the metrics for Prometheus. 0: any free one."),
});

const logOptions = z.strictObject({
  level: z
    .enum(["error", "warn", "info", "debug"])
    .optional()
    .describe("What is logged. Default: info in production, debug in development."),
  debug_networks: z
    .array(z.string())
    .default([])
    .describe("Networks of which everything is logged, passages and answers too."),
});

const sections = z.strictObject({
  environment: z
    .enum(["production", "development"])
    .default("production")
    .describe("Production logs JSON from level info on; development logs for people, with every detail."),
  data_dir: z.string().min(1).default(".readback").describe("Directory of everything that is kept on disk."),
  shutdown_grace_ms: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(10_000)
    .describe("How long answers under way may take to finish when the service stops."),
  rehearsal_ms: z
    .int()
    .min(0)
    .max(60_000)
    .default(2_000)
    .describe(
      "How long the service may answer itself when it has started, so that its first users wait no longer than later ones. " +
        "0: not at all.",
    ),
  relay: relayOptions.prefault({}),
  http: httpOptions.prefault({}),
  grpc: grpcOptions.prefault({}),
  metrics: metricsOptions.prefault({}),
  chat: chatOptions.prefault({}),
  routing: routingOptions.prefault({}),
  llm: llmOptions.prefault({}),
  locale: localeOptions.prefault({}),
  guard: guardOptions.prefault({}),
  grounding: groundingOptions.prefault({}),
  speech: speechOptions.prefault({}),
  transcription: transcriptionOptions.prefault({}),
  retrieval: retrievalOptions.prefault({}),
  embedding: embeddingOptions.prefault({}),
  rerank: rerankOptions.prefault({}),
  elasticsearch: elasticsearchOptions.prefault({}),
  groups: groupsOptions.prefault({}),
  ingest: ingestOptions.prefault({}),
  sync: syncOptions.prefault({}),
  evaluation: evaluationOptions.prefault({}),
  sites: sitesOptions,
  operate: operateOptions.prefault({}),
  guides: guidesOptions.prefault({}),
  log: logOptions.prefault({}),
  traces: tracesOptions.prefault({}),
});

/** Settings as the file writes them, defaults filled in. */
export type ConfigFile = z.infer<typeof sections>;

export const configSchema = sections.superRefine(refuseExposure);

/** Settings as the code reads them. */
export type Config = CamelCased<ConfigFile>;

/**
 * Beyond this machine no port listens for everybody: it asks for a key or a token, or, for relays and Prometheus as they
 * are, it has an address of its own and a list of who may connect. Adds an issue for each port that is left open.
 */
function refuseExposure({ grpc, http, metrics, relay }: ConfigFile, context: z.RefinementCtx): void {
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
