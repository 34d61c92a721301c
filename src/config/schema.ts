/** All settings: each folder brings its own. The file writes them in snake_case, the code reads them in camelCase. */
import { z } from "zod";
import { chatOptions } from "../chat/options.js";
import { evaluationOptions } from "../evaluation/options.js";
import { groundingOptions } from "../grounding/options.js";
import { grpcOptions } from "../grpc/options.js";
import { guardOptions } from "../guard/options.js";
import { httpOptions } from "../http/options.js";
import { ingestOptions } from "../ingest/options.js";
import { syncOptions } from "../ingest/sync/options.js";
import { addressListSetting } from "../lib/address-list.js";
import type { CamelCased } from "../lib/camel-case.js";
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
import { refuseExposure } from "./exposure.js";

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
  log: logOptions.prefault({}),
  traces: tracesOptions.prefault({}),
});

/** Settings as the file writes them, defaults filled in. */
export type ConfigFile = z.infer<typeof sections>;

export const configSchema = sections.superRefine(refuseExposure);

/** Settings as the code reads them. */
export type Config = CamelCased<ConfigFile>;
