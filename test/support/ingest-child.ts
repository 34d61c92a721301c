/**
 * Ingests a folder in a process of its own, for tests that kill it: `node ingest-child.js <path> <network>
 * <data directory> <pause at>`. It says on its standard output where it is, and stops for good where it was told to:
 * after that many files, `opened`, `read <n>`, `before-commit`, `after-commit` or `end`; `never` lets it run.
 */
import { readSync, writeSync } from "node:fs";
import { openFolderSource } from "../../src/ingest/folder-source.js";
import { ingest } from "../../src/ingest/ingest.js";
import type { DocumentReader } from "../../src/ingest/reader.js";
import { systemClock } from "../../src/lib/clock.js";
import { knowledgeDirectory } from "../../src/retrieval/embedded/database.js";
import { openEmbeddedWriter } from "../../src/retrieval/embedded/embedded-writer.js";
import type { KnowledgeWriter } from "../../src/retrieval/writer.js";
import { openDeadLetters } from "../../src/store/embedded-dead-letters.js";
import { ingestDefaults } from "./default-options.js";
import { InProcessReader } from "./in-process-reader.js";
import { ingestDeps } from "./ingest-deps.js";

const [path, network, dataDirectory, pauseAt] = process.argv.slice(2) as [string, string, string, string];

function reached(point: string): void {
  writeSync(1, `${point}\n`);
  // Nothing ever comes in: this waits for the end.
  if (point === pauseAt) readSync(0, Buffer.alloc(1));
}

async function openWriter(name: string): Promise<KnowledgeWriter> {
  const writer = await openEmbeddedWriter(knowledgeDirectory(dataDirectory), name);
  reached("opened");
  return {
    documents: () => writer.documents(),
    put: (document) => writer.put(document),
    remove: (documentId) => writer.remove(documentId),
    close: () => writer.close(),
    async commit() {
      reached("before-commit");
      const summary = await writer.commit();
      reached("after-commit");
      return summary;
    },
  };
}

const options = ingestDefaults({ fileBytesMax: 1_000_000 });
const inner = new InProcessReader(options);
let readCount = 0;
const reader: DocumentReader = {
  contentHash: (job) => inner.contentHash(job),
  read(job) {
    reached(`read ${++readCount}`);
    return inner.read(job);
  },
};
const deadLetters = await openDeadLetters(dataDirectory, systemClock);
const report = await ingest(
  { source: await openFolderSource(path), network, options },
  ingestDeps(knowledgeDirectory(dataDirectory), options, { openWriter, reader, deadLetters }),
  ({ done }) => reached(String(done)),
  new AbortController().signal,
);
reached("end");
await deadLetters.close();
reached(JSON.stringify(report));
