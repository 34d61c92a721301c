import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.js";
import type { EngineUnderTest } from "../conformance.test-util.js";
import { describeEngine } from "../conformance-suite.test-util.js";
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
    engine: {
      legs: ["lexical"],
      search: (request, signal) => retrieval.search(request, signal),
      readable: (ids, access, signal) => retrieval.readable(ids, access, signal),
      ready: (signal) => retrieval.ready(signal),
      close: () => retrieval.close(),
    },
    inspector: undefined,
    openWriter: (network) => openEmbeddedWriter(directory, network),
    async dispose() {
      await retrieval.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

describeEngine({ name: "the embedded engine", legs: ["lexical"], open: openEngine });
