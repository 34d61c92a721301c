import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.js";
import { describeEngine, type EngineUnderTest } from "../conformance.test-util.js";
import { EmbeddedRetrieval } from "./embedded-retrieval.js";
import { openEmbeddedWriter } from "./embedded-writer.js";

async function openEngine(): Promise<EngineUnderTest> {
  const directory = join(mkdtempSync(join(tmpdir(), "readback-")), "knowledge");
  const retrieval = new EmbeddedRetrieval({
    clock: systemClock,
    directory,
    options: { searchQueueLengthMax: 256 },
  });
  return {
    retrieval,
    async store(network, documents) {
      const writer = await openEmbeddedWriter(directory, network);
      const kept = new Set(documents.map(({ documentId }) => documentId));
      for (const { documentId } of await writer.documents()) {
        if (!kept.has(documentId)) await writer.remove(documentId);
      }
      for (const document of documents) await writer.put(document);
      await writer.commit();
      await writer.close();
    },
    async dispose() {
      await retrieval.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

describeEngine("the embedded engine", openEngine);
