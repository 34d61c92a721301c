/**
 * A small world around the sync, for tests: a bucket, Elastic's connector service, the Elasticsearch stand-in, somebody
 * who uploads documents and writes their metadata, and as many instances of the sync as a test starts.
 */
import { defaultsOf } from "../../../test/support/default-options.js";
import {
  ConnectorSimulation,
  SimulatedBucket,
} from "../../../test/support/elasticsearch/connector-simulation.js";
import { ElasticsearchServer } from "../../../test/support/elasticsearch/server.js";
import { InProcessReader } from "../../../test/support/in-process-reader.js";
import type { Clock } from "../../lib/clock.js";
import { systemRandom } from "../../lib/random.js";
import { ElasticsearchClient, type estypes } from "../../retrieval/elasticsearch/client.js";
import { indexDefinitions } from "../../retrieval/elasticsearch/definitions.js";
import { IndexAdmin } from "../../retrieval/elasticsearch/index-admin.js";
import { type ElasticsearchOptions, elasticsearchOptions } from "../../retrieval/elasticsearch/options.js";
import type { TelemetryEvent } from "../../telemetry/events.js";
import { ingestOptions } from "../options.js";
import { ConnectorSync } from "./connector-sync.js";
import { ElasticsearchDoor } from "./elasticsearch-door.js";
import { JumpingClock } from "./jumping-clock.test-util.js";
import type { SyncDoor } from "./port.js";

export const CONNECTOR = "s3-docs";
export const BUCKET = "handbooks";
export const NO_ABORT: AbortSignal = new AbortController().signal;

/** Metadata as the one who uploads writes them. */
export interface Upload {
  readonly network?: string;
  readonly title?: string;
  readonly revision?: string;
  readonly visibility?: string;
  readonly allowed_users?: readonly string[];
  readonly allowed_groups?: readonly string[];
  readonly [field: string]: unknown;
}

export interface WorldChunk {
  readonly network: string;
  readonly document_id: string;
  readonly chunk_id: string;
  readonly text: string;
  readonly visibility: string;
  readonly allowed_users: readonly string[];
  readonly allowed_groups: readonly string[];
  readonly superseded_for_network: boolean;
}

export class World {
  readonly clock = new JumpingClock();
  readonly bucket: SimulatedBucket;
  readonly connectors: ConnectorSimulation;
  readonly events: TelemetryEvent[] = [];
  /** The connector service does something whenever time passes, unless it is down. */
  isConnectorUp = true;

  private constructor(
    readonly server: ElasticsearchServer,
    readonly options: ElasticsearchOptions,
    /** Of the one who uploads and looks. */
    readonly client: ElasticsearchClient,
  ) {
    this.bucket = new SimulatedBucket(BUCKET, this.clock);
    this.connectors = new ConnectorSimulation(server.cluster, this.bucket);
    this.clock.onJump(() => {
      if (this.isConnectorUp) this.connectors.step();
    });
  }

  static async open(settings: Partial<ElasticsearchOptions> = {}, connectorIndex?: string): Promise<World> {
    const server = await ElasticsearchServer.start();
    const options: ElasticsearchOptions = {
      ...defaultsOf(elasticsearchOptions),
      url: server.url,
      apiKey: server.apiKey,
      requestTimeoutMs: 3_600_000,
      ...settings,
    };
    const clock = new JumpingClock();
    const client = new ElasticsearchClient(options, { clock, random: systemRandom });
    const admin = new IndexAdmin({ client, clock, random: systemRandom, options });
    for (const definition of await indexDefinitions(options, { dimensions: 4, embedder: "none" }))
      await admin.create(definition, NO_ABORT);
    const world = new World(server, options, client);
    await world.call((api, call) =>
      api.connector.put(
        {
          connector_id: CONNECTOR,
          index_name: connectorIndex ?? options.stagingIndex,
          service_type: "s3",
          name: BUCKET,
        },
        call,
      ),
    );
    return world;
  }

  /** An instance of the sync; `through`: what stands between it and Elasticsearch. */
  sync(through: (door: SyncDoor) => SyncDoor = (door) => door, clock: Clock = this.clock): ConnectorSync {
    const client = new ElasticsearchClient(this.options, { clock, random: systemRandom });
    const door = new ElasticsearchDoor({
      client,
      clock,
      random: systemRandom,
      options: this.options,
      connectorId: CONNECTOR,
      bucket: BUCKET,
      defaultVisibility: "network",
      semantic: false,
    });
    return new ConnectorSync({
      door: through(door),
      clock,
      random: systemRandom,
      telemetry: { emit: (event) => this.events.push(event) },
      reader: new InProcessReader(defaultsOf(ingestOptions)),
      batchSize: 10,
      jobTimeoutMs: 600_000,
      pollMs: 5_000,
    });
  }

  call<T>(
    run: (
      api: Parameters<Parameters<ElasticsearchClient["call"]>[1]>[0],
      call: { signal: AbortSignal },
    ) => Promise<T>,
  ): Promise<T> {
    return this.client.call("arrange a test", run, NO_ABORT);
  }

  /** Puts an object into the bucket and says in its metadata that it is pending. */
  async upload(key: string, text: string, upload: Upload = {}): Promise<void> {
    this.bucket.put(key, text);
    await this.describe(key, upload);
  }

  /** Writes the metadata anew; the document's id is its key, that of the metadata `meta-<key>`. */
  async describe(key: string, upload: Upload = {}): Promise<void> {
    const now = new Date(this.clock.now()).toISOString();
    const document = {
      network: "plant",
      document_id: key,
      path: key,
      status: "pending",
      created_at: now,
      updated_at: now,
      ...upload,
    };
    await this.call((api, call) =>
      api.index({ index: this.options.metadataIndex, id: `meta-${key}`, document, refresh: true }, call),
    );
  }

  /** Changes some fields of the metadata. */
  async change(key: string, doc: Upload): Promise<void> {
    const now = new Date(this.clock.now()).toISOString();
    await this.call((api, call) =>
      api.update(
        {
          index: this.options.metadataIndex,
          id: `meta-${key}`,
          doc: { updated_at: now, ...doc },
          refresh: true,
        },
        call,
      ),
    );
  }

  async metadata(key: string): Promise<Record<string, unknown> | undefined> {
    const found = await this.all<Record<string, unknown>>(this.options.metadataIndex);
    return found.find(({ _id }) => _id === `meta-${key}`)?._source;
  }

  /** The status of each document by its key. */
  async statuses(): Promise<Record<string, unknown>> {
    const found = await this.all<{ status: string }>(this.options.metadataIndex);
    return Object.fromEntries(found.map(({ _id, _source }) => [_id!.replace(/^meta-/, ""), _source!.status]));
  }

  async chunks(documentId?: string): Promise<readonly WorldChunk[]> {
    const found = await this.all<WorldChunk>(this.options.embeddingsIndex);
    return found
      .map(({ _source }) => _source!)
      .filter(({ document_id }) => documentId === undefined || document_id === documentId)
      .sort((a, b) => (a.chunk_id < b.chunk_id ? -1 : 1));
  }

  async all<Source>(index: string): Promise<readonly estypes.SearchHit<Source>[]> {
    const { hits } = await this.call((api, call) =>
      api.indices.refresh({ index }, call).then(() => api.search<Source>({ index, size: 10_000 }, call)),
    );
    return hits.hits;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.server.close();
    this.server.verify();
  }
}
