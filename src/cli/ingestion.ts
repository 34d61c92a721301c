/** What the commands that ingest have in common: the settings as sources and as what ingestion needs. */
import type { Config } from "../config/schema.js";
import { openFolderSource } from "../ingest/folder-source.js";
import { InProcessReader } from "../ingest/in-process-reader.js";
import type { IngestDeps } from "../ingest/ingest.js";
import type { Source } from "../ingest/source.js";
import { systemClock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import { knowledgeDirectory } from "../retrieval/embedded/database.js";
import { openEmbeddedWriter } from "../retrieval/embedded/embedded-writer.js";
import type { DeadLetters } from "../store/dead-letters.js";
import { openDeadLetters } from "../store/embedded-dead-letters.js";

/** A folder, a document or a bucket by its address. Rejects with `PathProblem`. */
export function openSource(address: string): Promise<Source> {
  return openFolderSource(address);
}

export interface Ingestion extends IngestDeps {
  readonly deadLetters: DeadLetters;
}

/** Runs `work` with what ingestion needs, and puts it away. */
export async function withIngestion<T>(
  config: Config,
  work: (ingestion: Ingestion) => Promise<T>,
): Promise<T> {
  const deadLetters = await openDeadLetters(config.dataDir, systemClock);
  const directory = knowledgeDirectory(config.dataDir);
  try {
    return await work({
      clock: systemClock,
      random: systemRandom,
      reader: new InProcessReader(config.ingest),
      openWriter: (network) => openEmbeddedWriter(directory, network),
      deadLetters,
    });
  } finally {
    await deadLetters.close();
  }
}
