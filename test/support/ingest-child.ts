/**
 * Ingests a folder in a process of its own, for tests that kill it: `node ingest-child.js <path> <network>
 * <knowledge directory> <pause at>`. It says on its standard output where it is, and stops for good where it was
 * told to: after that many files, `before-commit` or `after-commit`; `never` lets it run.
 */
import { readSync, writeSync } from "node:fs";
import { openFolderSource } from "../../src/ingest/folder-source.js";
import { ingest } from "../../src/ingest/ingest.js";
import { openEmbeddedWriter } from "../../src/retrieval/embedded/embedded-writer.js";
import type { KnowledgeWriter } from "../../src/retrieval/writer.js";
import { ingestDefaults } from "./default-options.js";
import { ingestDeps } from "./ingest-deps.js";

const [path, network, directory, pauseAt] = process.argv.slice(2) as [string, string, string, string];

function reached(point: string): void {
  writeSync(1, `${point}\n`);
  // Nothing ever comes in: this waits for the end.
  if (point === pauseAt) readSync(0, Buffer.alloc(1));
}

async function openWriter(name: string): Promise<KnowledgeWriter> {
  const writer = await openEmbeddedWriter(directory, name);
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
const report = await ingest(
  { source: await openFolderSource(path), network, options },
  ingestDeps(directory, options, { openWriter }),
  ({ done }) => reached(String(done)),
  new AbortController().signal,
);
reached(JSON.stringify(report));
