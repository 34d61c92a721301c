/** The embedded knowledge of a folder as the service searches it, for tests that ingest and look. */
import { systemClock } from "../../src/lib/clock.js";
import { EmbeddedEngine } from "../../src/retrieval/embedded/embedded-engine.js";
import type { Embedder } from "../../src/retrieval/embedding/port.js";
import { KnowledgeRetrieval } from "../../src/retrieval/knowledge-retrieval.js";
import { retrievalOptions } from "../../src/retrieval/options.js";
import type { Retrieval } from "../../src/retrieval/port.js";
import { createTelemetry } from "../../src/telemetry/events.js";
import { defaultsOf } from "./default-options.js";

/**
 * To be closed by the caller. The folder is `knowledgeDirectory` of a data folder; it need not exist yet. `embedder`:
 * that of the documents, as by default; without one words alone are searched.
 */
export function openEmbeddedKnowledge(directory: string, embedder?: Embedder): Retrieval {
  const options = defaultsOf(retrievalOptions);
  return new KnowledgeRetrieval({
    clock: systemClock,
    telemetry: createTelemetry([]),
    engine: new EmbeddedEngine({ clock: systemClock, telemetry: createTelemetry([]), directory, options }),
    legs: embedder === undefined ? ["lexical"] : ["lexical", "vector"],
    ...(embedder && { embedding: { embedder, queryTimeoutMs: 1_500 } }),
    options,
  });
}
