/** What benchmarks of search on ClapNQ (bench/data/clapnq) have in common: the data, the model of the vectors, the settings. */
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/lib/clock.js";
import { systemRandom } from "../../src/lib/random.js";
import type { BenchmarkDeps } from "../../src/retrieval/benchmark/benchmark.js";
import { OpenAiEmbedder } from "../../src/retrieval/embedding/openai.js";
import type { Embedder } from "../../src/retrieval/embedding/port.js";
import type { LegName } from "../../src/retrieval/engine.js";
import { DIMENSIONS, MODEL } from "./embedding-server.js";

export const CLAPNQ = fileURLToPath(new URL("../../../bench/data/clapnq", import.meta.url));
export const LEGS: readonly LegName[] = ["lexical", "vector"];

/** Texts that are embedded at once. */
const BATCH_SIZE = 16;

/** An engine as it is measured. */
export function depsOf(
  engine: BenchmarkDeps["engine"],
  openWriter: BenchmarkDeps["openWriter"],
  embedder: Embedder,
): BenchmarkDeps {
  return {
    clock: systemClock,
    engine,
    openWriter,
    legs: LEGS,
    embedding: { embedder, batchSize: BATCH_SIZE, queryTimeoutMs: 10_000 },
    options: {
      fusion: "scores",
      fusionConstant: 60,
      fusionCandidates: 40,
      fusionResults: 8,
      searchTimeoutMs: 20_000,
    },
  };
}

/** The small sentence model that `startEmbeddingServer` serves. */
export function embedderAt(baseUrl: string): Embedder {
  const options = { model: MODEL, dimensions: DIMENSIONS, batchSize: BATCH_SIZE, baseUrl };
  return new OpenAiEmbedder(
    { clock: systemClock, random: systemRandom },
    { ...options, apiKey: undefined, timeoutMs: 60_000, attemptsMax: 1 },
  );
}
