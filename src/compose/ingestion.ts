/** Composes ingestion: the settings as sources, and as what reads, embeds and writes documents. */
import type { Config } from "../config/schema.js";
import { openFolderSource } from "../ingest/folder-source.js";
import type { IngestDeps } from "../ingest/ingest.js";
import { ReadPool } from "../ingest/read-pool.js";
import type { Source } from "../ingest/source.js";
import { systemClock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import { type DeadLetters, openDeadLetters } from "../store/embedded-dead-letters.js";
import { COMMAND_DEPS, type Knowledge, type KnowledgeDeps, openKnowledge } from "./knowledge.js";

/** A folder, a document or a bucket by its address. Rejects with `PathProblem`. */
export async function openSource(address: string, { sync }: Pick<Config, "sync">): Promise<Source> {
  if (!address.startsWith("s3://")) return openFolderSource(address);
  // Loaded where it is needed: the package is large.
  const { parseS3Address, S3Source } = await import("../ingest/s3-source.js");
  const options = {
    endpoint: sync.s3Endpoint,
    region: sync.s3Region,
    accessKeyId: sync.s3AccessKeyId,
    secretAccessKey: sync.s3SecretAccessKey,
  };
  return new S3Source(parseS3Address(address), options, { clock: systemClock, random: systemRandom });
}

export interface Ingestion extends IngestDeps {
  readonly deadLetters: DeadLetters;
  close(): Promise<void>;
}

/** Ingestion into this knowledge, which stays open when it is closed. */
export async function openIngestion(
  config: Config,
  knowledge: Knowledge,
  { clock, random }: Pick<KnowledgeDeps, "clock" | "random">,
): Promise<Ingestion> {
  const { embedder } = knowledge;
  const deadLetters = await openDeadLetters(config.dataDir, clock);
  const reader = new ReadPool(config.ingest, clock);
  return {
    clock,
    random,
    reader,
    openWriter: (network, signal) => knowledge.openWriter(network, signal),
    ...(embedder && { embedding: { embedder, batchSize: config.embedding.batchSize } }),
    deadLetters,
    async close() {
      await Promise.all([reader.close(), deadLetters.close()]);
    },
  };
}

/** Runs a command's `work` with what ingestion needs, and puts it away. */
export async function withIngestion<T>(
  config: Config,
  work: (ingestion: Ingestion, knowledge: Knowledge) => Promise<T>,
  deps: KnowledgeDeps = COMMAND_DEPS,
): Promise<T> {
  const knowledge = await openKnowledge(config, deps);
  try {
    const ingestion = await openIngestion(config, knowledge, deps);
    try {
      return await work(ingestion, knowledge);
    } finally {
      await ingestion.close();
    }
  } finally {
    await knowledge.close();
  }
}
