/** What ingestion needs, with the embedded engine in a folder and files read in this process. */
import type { IngestDeps } from "../../src/ingest/ingest.js";
import type { IngestOptions } from "../../src/ingest/options.js";
import { systemClock } from "../../src/lib/clock.js";
import { systemRandom } from "../../src/lib/random.js";
import { openEmbeddedWriter } from "../../src/retrieval/embedded/embedded-writer.js";
import { InProcessReader } from "./in-process-reader.js";

export function ingestDeps(
  knowledgeDirectory: string,
  options: IngestOptions,
  rest: Partial<IngestDeps> = {},
): IngestDeps {
  return {
    clock: systemClock,
    random: systemRandom,
    reader: new InProcessReader(options),
    openWriter: (network) => openEmbeddedWriter(knowledgeDirectory, network),
    ...rest,
  };
}
