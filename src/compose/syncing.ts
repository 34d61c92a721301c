/** The settings as a sync that can be run: through a connector into Elasticsearch, or of a folder or bucket. */
import type { Config } from "../config/schema.js";
import type { IngestDeps } from "../ingest/ingest.js";
import { ConnectorSync } from "../ingest/sync/connector-sync.js";
import { ElasticsearchDoor } from "../ingest/sync/elasticsearch-door.js";
import { SyncService } from "../ingest/sync/service.js";
import { SourceSync } from "../ingest/sync/source-sync.js";
import type { SyncWorker } from "../ingest/sync/worker.js";
import type { Telemetry } from "../telemetry/events.js";
import { openIngestion, openSource } from "./ingestion.js";
import type { Knowledge, KnowledgeDeps } from "./knowledge.js";

export interface SyncParts {
  readonly knowledge: Pick<Knowledge, "elasticsearch" | "legs">;
  readonly ingestion: IngestDeps;
  readonly telemetry: Telemetry;
}

/** The settings do not say what to sync, or say it twice; the message says what to set. */
export class SyncSettingsProblem extends Error {
  override readonly name = "SyncSettingsProblem";
}

/** What the service runs beside itself. */
export interface Sync {
  start(): void;
  stop(): Promise<void>;
}

/** The sync of the service, if the settings want one. Connects to nothing yet; rejects with `SyncSettingsProblem`. */
export async function createSync(
  config: Config,
  knowledge: Knowledge,
  deps: KnowledgeDeps,
): Promise<Sync | undefined> {
  if (!config.sync.enabled) return undefined;
  if (knowledge.elasticsearch === undefined) await tryFolder(config);
  const ingestion = await openIngestion(config, knowledge, deps);
  try {
    const { telemetry } = deps;
    const service = new SyncService(createSyncWorker(config, { knowledge, ingestion, telemetry }), deps);
    return {
      start: () => service.start(),
      async stop() {
        await service.stop();
        await ingestion.close();
      },
    };
  } catch (error) {
    await ingestion.close();
    throw error;
  }
}

/** A folder that is there when the service starts may go later: the sync then tries again. */
async function tryFolder(config: Config): Promise<void> {
  const { folder } = config.sync;
  if (folder === undefined) return;
  await openSource(folder, config).catch((error: Error) => {
    throw new SyncSettingsProblem(`${error.message}. Correct sync.folder.`, { cause: error });
  });
}

/** Connects to nothing yet. Throws `SyncSettingsProblem`. */
export function createSyncWorker(config: Config, parts: SyncParts): SyncWorker {
  return parts.knowledge.elasticsearch === undefined
    ? createSourceSync(config, parts)
    : createConnectorSync(config, parts);
}

function createSourceSync(config: Config, { ingestion, telemetry }: SyncParts): SyncWorker {
  const { folder, network, pollMs, s3Bucket, s3Prefix } = config.sync;
  if (network === undefined)
    throw new SyncSettingsProblem("sync.network is not set: whose documents are to be kept up to date?");
  if ((folder === undefined) === (s3Bucket === undefined))
    throw new SyncSettingsProblem("Set one of sync.folder and sync.s3_bucket: where the documents are.");
  const address = folder ?? `s3://${s3Bucket}/${s3Prefix}`;
  return new SourceSync(
    { openSource: () => openSource(address, config), network, options: config.ingest, pollMs },
    { ...ingestion, telemetry },
  );
}

function createConnectorSync(config: Config, { ingestion, knowledge, telemetry }: SyncParts): SyncWorker {
  const { batchSize, connectorId, jobTimeoutMs, pollMs, s3Bucket } = config.sync;
  if (connectorId === undefined || s3Bucket === undefined)
    throw new SyncSettingsProblem(
      "With Elasticsearch, documents come through a connector: set sync.connector_id and sync.s3_bucket.",
    );
  const { clock, random, reader, embedding } = ingestion;
  const door = new ElasticsearchDoor({
    client: knowledge.elasticsearch!,
    clock,
    random,
    options: config.elasticsearch,
    connectorId,
    bucket: s3Bucket,
    defaultVisibility: config.ingest.defaultVisibility,
    semantic: knowledge.legs.includes("semantic"),
  });
  const copying = { clock, random, reader, ...(embedding && { embedding }) };
  return new ConnectorSync({ ...copying, door, telemetry, batchSize, jobTimeoutMs, pollMs });
}
