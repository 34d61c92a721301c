/**
 * How good search is, on the questions and passages of ClapNQ (bench/data/clapnq), and whether fusion is better than its
 * best leg: lexical search alone, the shipped word vectors alone, both fused by scores and by ranks, the vectors of a
 * small sentence model in their place, and MiniSearch as a peer; then, on the yardstick's half a, whether the passage
 * that answers is found. Part of `npm run bench`, or alone: `npm run bench -- quality`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { systemClock } from "../src/lib/clock.js";
import {
  type BenchmarkDeps,
  benchmark,
  METRICS,
  type RetrievalMetricName,
} from "../src/retrieval/benchmark/benchmark.js";
import { pairedBootstrap } from "../src/retrieval/benchmark/bootstrap.js";
import { type BenchmarkData, readDataSet } from "../src/retrieval/benchmark/data-set.js";
import { reportTable } from "../src/retrieval/benchmark/report.js";
import { EmbeddedEngine } from "../src/retrieval/embedded/embedded-engine.js";
import { openEmbeddedWriter } from "../src/retrieval/embedded/embedded-writer.js";
import { CachedEmbedder } from "../src/retrieval/embedding/cached-embedder.js";
import type { Embedder } from "../src/retrieval/embedding/port.js";
import { StaticEmbedder } from "../src/retrieval/embedding/static.js";
import { EmbeddingCache } from "../src/store/embedding-cache.js";
import { createTelemetry } from "../src/telemetry/events.js";
import { meaningOf } from "../src/words/meaning/meaning.js";
import { MODEL, startEmbeddingServer } from "./support/embedding-server.js";
import { CLAPNQ, depsOf, embedderAt } from "./support/search-quality.js";
import { verdict } from "./support/stats.js";
import { type Places, placesOfSources } from "./support/yardstick-sources.js";

/** Lucene's BM25 with English analysis on the same pool: what lexical search has to reach. */
const BM25 = { "nDCG@10": 0.941, "R@1": 0.897 } as const;

/** For the vector of one question. */
const EMBEDDING_MS_MAX = 0.2;

const NO_ABORT = new AbortController().signal;

type PerQuery = Readonly<Record<RetrievalMetricName, readonly number[]>>;

export async function run(): Promise<void> {
  const dataSet = await readDataSet(CLAPNQ);
  const folder = mkdtempSync(join(tmpdir(), "readback-quality-"));
  const server = await startEmbeddingServer();
  const engine = new EmbeddedEngine({
    clock: systemClock,
    telemetry: createTelemetry([]),
    directory: folder,
    options: { searchQueueLengthMax: 16, searchProcesses: 2 },
  });
  const cache = new EmbeddingCache(folder, systemClock);
  try {
    const embedder = new StaticEmbedder();
    console.log(`Retrieval quality on ClapNQ, vectors of ${embedder.name}`);
    const openWriter = (network: string) => openEmbeddedWriter(folder, network);
    const deps = depsOf(engine, openWriter, embedder);
    const scores = await benchmark(dataSet, "clapnq", deps, () => {}, NO_ABORT);
    console.log(`${reportTable(scores)}\n`);
    const byRanks: BenchmarkDeps = { ...deps, options: { ...deps.options, fusion: "ranks" } };
    const ranks = await benchmark(dataSet, "clapnq", byRanks, () => {}, NO_ABORT);
    const ways: Record<string, PerQuery> = {
      lexical: scores.ways[0]!.perQuery,
      vector: scores.ways[1]!.perQuery,
      "fused by scores": scores.ways[2]!.perQuery,
      "fused by ranks": ranks.ways[2]!.perQuery,
    };
    printRow("fused by ranks", ways["fused by ranks"]!);
    const other = depsOf(engine, openWriter, documentsOnce(embedderAt(server.baseUrl), cache));
    const [, vector, fused] = (await benchmark(dataSet, "clapnq", other, () => {}, NO_ABORT)).ways;
    console.log(`with ${MODEL}:`);
    printRow("vector", vector!.perQuery);
    printRow("fused by scores", fused!.perQuery);
    printRow("MiniSearch", miniSearch(dataSet));
    printAims(ways.lexical!);
    printHalves(ways);
    printPlaces(await placesOfSources(embedder));
    printTime(dataSet);
  } finally {
    await Promise.all([engine.close(), cache.close(), server.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Documents are embedded once for all indices; queries, which come one by one, each time that they are measured. */
function documentsOnce(embedder: Embedder, cache: EmbeddingCache): Embedder {
  const cached = new CachedEmbedder(embedder, cache, (error) => {
    throw error;
  });
  return {
    name: embedder.name,
    dimensions: embedder.dimensions,
    embed: (texts, signal) => (texts.length > 1 ? cached : embedder).embed(texts, signal),
  };
}

/** The peer with its own defaults, the title counting twice as here. */
function miniSearch({ corpus, queries }: BenchmarkData): PerQuery {
  const index = new MiniSearch({ fields: ["title", "text"], searchOptions: { boost: { title: 2 } } });
  index.addAll(corpus);
  const rankings = queries.map(({ text }) => index.search(text).map(({ id }) => String(id)));
  const figures = (metric: RetrievalMetricName) =>
    queries.map((query, i) => METRICS[metric](rankings[i]!.slice(0, 10), query));
  const names = Object.keys(METRICS) as RetrievalMetricName[];
  return Object.fromEntries(names.map((name) => [name, figures(name)])) as Record<
    RetrievalMetricName,
    number[]
  >;
}

function printRow(name: string, perQuery: PerQuery): void {
  const figures = Object.entries(perQuery).map(([metric, values]) => `${metric} ${mean(values).toFixed(4)}`);
  console.log(`${name.padEnd(16)} ${figures.join("   ")}`);
}

function printAims(lexical: PerQuery): void {
  for (const [metric, aim] of Object.entries(BM25) as [keyof typeof BM25, number][]) {
    const value = mean(lexical[metric]);
    // Small is good there.
    console.log(
      `lexical ${metric} ${value.toFixed(4)}, BM25 is known to reach ${aim}: ${verdict(-value, -aim)}`,
    );
  }
}

/** What would be chosen by one half of the questions, and what it is worth on the other: nothing chosen by its own judge. */
function printHalves(ways: Readonly<Record<string, PerQuery>>): void {
  const half = (values: readonly number[], parity: number) => values.filter((_, i) => i % 2 === parity);
  const ndcg = (name: string, parity: number) => half(ways[name]!["nDCG@10"], parity);
  for (const parity of [0, 1]) {
    const best = Object.keys(ways).reduce((a, b) => (mean(ndcg(b, parity)) > mean(ndcg(a, parity)) ? b : a));
    const [there, lexical] = [ndcg(best, 1 - parity), ndcg("lexical", 1 - parity)];
    const { mean: gain, low, high } = pairedBootstrap(there, lexical);
    console.log(
      `chosen by the ${parity === 0 ? "even" : "odd"} questions: ${best}; on the others nDCG@10 ` +
        `${mean(there).toFixed(4)} against ${mean(lexical).toFixed(4)} of lexical: ` +
        `${gain.toFixed(4)} [${low.toFixed(4)}, ${high.toFixed(4)}]`,
    );
  }
}

function printPlaces(places: Places): void {
  for (const [way, found] of Object.entries(places)) {
    const within = (count: number) => found.filter((place) => place < count).length;
    console.log(
      `yardstick, half a, ${way}: of ${found.length} passages first ${within(1)}, among five ${within(5)}`,
    );
  }
}

/** Each question of the data set, after all of them once: the median, since a machine does other things too. */
function printTime({ queries }: BenchmarkData): void {
  const timesMs = () =>
    queries.map(({ text }) => {
      const startMs = performance.now();
      meaningOf(text);
      return performance.now() - startMs;
    });
  timesMs();
  const sorted = timesMs().sort((a, b) => a - b);
  const medianMs = sorted[Math.floor(sorted.length / 2)]!;
  console.log(
    `a question's vector, median: ${medianMs.toFixed(3)} ms: ${verdict(medianMs, EMBEDDING_MS_MAX)}`,
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
