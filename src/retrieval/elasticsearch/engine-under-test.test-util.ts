/** An Elasticsearch engine with indices of its own, on whatever server is at hand, for tests. */
import { randomBytes } from "node:crypto";
import { defaultsOf } from "../../../test/support/default-options.js";
import { type Clock, systemClock } from "../../lib/clock.js";
import { systemRandom } from "../../lib/random.js";
import { createTelemetry, type Telemetry } from "../../telemetry/events.js";
import { type EngineUnderTest, NO_ABORT, testEmbedder } from "../conformance.test-util.js";
import type { LegName } from "../engine.js";
import { type CallOptions, type ElasticsearchApi, ElasticsearchClient } from "./client.js";
import { type IndexDefinition, indexDefinitions } from "./definitions.js";
import { ElasticsearchEngine } from "./elasticsearch-engine.js";
import { openElasticsearchWriter } from "./elasticsearch-writer.js";
import { IndexAdmin } from "./index-admin.js";
import { type ElasticsearchOptions, elasticsearchOptions } from "./options.js";

export interface ServerAddress {
  readonly url: string;
  readonly apiKey?: string;
}

export interface TestBed extends EngineUnderTest {
  readonly engine: ElasticsearchEngine;
  readonly client: ElasticsearchClient;
  readonly admin: IndexAdmin;
  readonly options: ElasticsearchOptions;
  readonly definitions: readonly IndexDefinition[];
  /** What writers and admins are opened with. */
  readonly deps: Parameters<typeof openElasticsearchWriter>[0];
}

export interface TestBedSettings {
  readonly legs?: readonly LegName[];
  readonly clock?: Clock;
  readonly options?: Partial<ElasticsearchOptions>;
  readonly telemetry?: Telemetry;
  /** Whether the indices are made. */
  readonly create?: boolean;
}

/** Index names that nobody else uses. */
export function testOptions(
  server: ServerAddress,
  rest: Partial<ElasticsearchOptions> = {},
): ElasticsearchOptions {
  const prefix = `readback-test-${randomBytes(6).toString("hex")}`;
  return {
    ...defaultsOf(elasticsearchOptions),
    ...server,
    embeddingsIndex: `${prefix}-embeddings`,
    metadataIndex: `${prefix}-metadata`,
    syncIndex: `${prefix}-sync`,
    ...rest,
  };
}

export async function openTestBed(
  server: ServerAddress,
  {
    legs = ["lexical", "semantic", "vector"],
    clock = systemClock,
    create = true,
    telemetry = createTelemetry([]),
    ...rest
  }: TestBedSettings = {},
): Promise<TestBed> {
  const options = testOptions(server, rest.options);
  const random = systemRandom;
  const client = new ElasticsearchClient(options, { clock, random });
  const deps = { client, clock, random, options, semantic: legs.includes("semantic") };
  const admin = new IndexAdmin(deps);
  const vectors = { dimensions: testEmbedder.dimensions, embedder: testEmbedder.name };
  const definitions = await indexDefinitions(options, vectors);
  if (create) for (const definition of definitions) await admin.create(definition, NO_ABORT);
  const engine = new ElasticsearchEngine({
    client: new ElasticsearchClient(options, { clock, random }),
    options,
    legs,
    telemetry,
  });
  return {
    engine,
    inspector: engine,
    client,
    admin,
    options,
    definitions,
    deps,
    openWriter: (network) => openElasticsearchWriter(deps, network, NO_ABORT),
    async dispose() {
      await engine.close();
      await client.call("remove test indices", (api, call) => removeIndices(api, options, call), NO_ABORT);
      await client.close();
    },
  };
}

/** By name: clusters refuse to remove what only a pattern names. */
async function removeIndices(
  api: ElasticsearchApi,
  { embeddingsIndex }: ElasticsearchOptions,
  call: CallOptions,
): Promise<void> {
  const pattern = embeddingsIndex.replace(/embeddings$/, "*");
  const index = Object.keys(await api.indices.getAlias({ index: pattern, allow_no_indices: true }, call));
  if (index.length > 0) await api.indices.delete({ index }, call);
}
