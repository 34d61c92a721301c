import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.js";
import { createTelemetry } from "../../telemetry/events.js";
import type { EngineUnderTest } from "../conformance.test-util.js";
import { describeEngine } from "../conformance-suite.test-util.js";
import { EmbeddedEngine } from "./embedded-engine.js";
import { openEmbeddedWriter } from "./embedded-writer.js";

async function openEngine(): Promise<EngineUnderTest> {
  const base = mkdtempSync(join(tmpdir(), "readback-"));
  const directory = join(base, "knowledge");
  const engine = new EmbeddedEngine({
    clock: systemClock,
    telemetry: createTelemetry([]),
    directory,
    options: { searchQueueLengthMax: 256, searchProcesses: 2 },
  });
  return {
    engine,
    inspector: engine,
    openWriter: (network) => openEmbeddedWriter(directory, network),
    async dispose() {
      await engine.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

describeEngine({ name: "the embedded engine", legs: ["lexical", "vector"], open: openEngine });
