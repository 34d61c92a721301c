/**
 * Measures an engine on a data set: each leg on its own, and all of them fused, over the same index and the same
 * queries, through the same pipeline that answers turns. Each document of the set is one chunk, so that what is judged
 * is what is ranked.
 */
import { createHash } from "node:crypto";
import { type Passage, PROSE } from "../../domain/passage.js";
import type { Clock } from "../../lib/clock.js";
import type { TelemetryEvent } from "../../telemetry/events.js";
import { embeddedText } from "../embedding/embedded-text.js";
import type { EmbeddingOptions } from "../embedding/options.js";
import type { Embedder } from "../embedding/port.js";
import type { Engine, LegName } from "../engine.js";
import { KnowledgeRetrieval } from "../knowledge-retrieval.js";
import type { RetrievalOptions } from "../options.js";
import type { KnowledgeDocument, KnowledgeWriter } from "../writer.js";
import { type Difference, pairedBootstrap } from "./bootstrap.js";
import type { BenchmarkData, CorpusDocument, JudgedQuery } from "./data-set.js";
import { ndcgAt, recallAt, reciprocalRankAt } from "./metrics.js";

export interface BenchmarkDeps {
  readonly clock: Clock;
  readonly engine: Engine;
  openWriter(network: string, signal: AbortSignal): Promise<KnowledgeWriter>;
  readonly legs: readonly LegName[];
  readonly embedding?:
    | ({ readonly embedder: Embedder } & Pick<EmbeddingOptions, "batchSize" | "queryTimeoutMs">)
    | undefined;
  readonly options: Pick<
    RetrievalOptions,
    "fusion" | "fusionConstant" | "fusionCandidates" | "fusionResults" | "searchTimeoutMs"
  >;
}

/** Results that are looked at; the metrics are named after it. */
const RESULTS = 10;

/** The figures by their usual names; each is between 0 and 1. */
export const METRICS = {
  "nDCG@10": (ranking: readonly string[], { judgements }: JudgedQuery) =>
    ndcgAt(RESULTS, ranking, judgements),
  "recall@5": (ranking: readonly string[], { judgements }: JudgedQuery) => recallAt(5, ranking, judgements),
  "R@1": (ranking: readonly string[], { judgements }: JudgedQuery) => recallAt(1, ranking, judgements),
  "MRR@10": (ranking: readonly string[], { judgements }: JudgedQuery) =>
    reciprocalRankAt(RESULTS, ranking, judgements),
} as const;

export type RetrievalMetricName = keyof typeof METRICS;

export interface BenchmarkReport {
  readonly documents: number;
  readonly queries: number;
  readonly unjudgedQueries: number;
  readonly ways: readonly WayResult[];
  /** Each later way compared with each leg before it. */
  readonly differences: readonly WayDifference[];
}

export interface WayResult {
  /** A leg, or all of them `fused`. */
  readonly name: LegName | "fused";
  readonly means: Readonly<Record<RetrievalMetricName, number>>;
  /** One figure per query, in the order of the data set. */
  readonly perQuery: Readonly<Record<RetrievalMetricName, readonly number[]>>;
  /** Of whole searches. A query that the embedder remembers from an earlier way costs no request. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** `better` minus `than`, with the ends of the 95% interval. */
export interface WayDifference extends Difference {
  readonly metric: RetrievalMetricName;
  readonly better: WayResult["name"];
  readonly than: WayResult["name"];
}

export interface BenchmarkProgress {
  readonly doing: "indexing" | WayResult["name"];
  readonly done: number;
  readonly total: number;
}

/** The network holds documents already, which a benchmark must neither mix with its own nor remove. */
export class NetworkInUse extends Error {
  override readonly name = "NetworkInUse";
}

/**
 * Indexes the data set as the only knowledge of `network`, searches, and removes it again. Rejects with `NetworkInUse`,
 * with what writer, engine or embedder reject with, and when a leg fails: a benchmark of half the legs would mislead.
 */
export async function benchmark(
  dataSet: BenchmarkData,
  network: string,
  deps: BenchmarkDeps,
  onProgress: (progress: BenchmarkProgress) => void,
  signal: AbortSignal,
): Promise<BenchmarkReport> {
  await index(dataSet.corpus, network, deps, onProgress, signal);
  try {
    const ways: WayResult[] = [];
    for (const leg of deps.legs)
      ways.push(await measure(leg, [leg], dataSet, network, deps, onProgress, signal));
    if (deps.legs.length > 1)
      ways.push(await measure("fused", deps.legs, dataSet, network, deps, onProgress, signal));
    const { corpus, queries, unjudgedQueries } = dataSet;
    const differences = ways.flatMap((way, i) =>
      ways.slice(0, i).flatMap((than) => differencesOf(way, than)),
    );
    return { documents: corpus.length, queries: queries.length, unjudgedQueries, ways, differences };
  } finally {
    // Also after an interruption: what was only a sample must not stay behind.
    await clear(network, deps, new AbortController().signal);
  }
}

/** Where its documents are said to come from; nothing else of a network begins like that. */
const PATH_PREFIX = "benchmark:";

async function index(
  corpus: readonly CorpusDocument[],
  network: string,
  deps: BenchmarkDeps,
  onProgress: (progress: BenchmarkProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const writer = await deps.openWriter(network, signal);
  try {
    const stored = await writer.documents();
    const foreign = stored.find(({ path }) => !path.startsWith(PATH_PREFIX));
    if (foreign !== undefined)
      throw new NetworkInUse(
        `The network ${JSON.stringify(network)} holds documents, such as ${foreign.path}. Name one that holds nothing.`,
      );
    // What a benchmark that was killed has left.
    for (const { documentId } of stored) await writer.remove(documentId);
    const batchSize = deps.embedding?.batchSize ?? corpus.length;
    for (let from = 0; from < corpus.length; from += batchSize) {
      signal.throwIfAborted();
      const batch = corpus.slice(from, from + batchSize);
      const vectors = await vectorsOf(batch, deps, signal);
      for (const [i, document] of batch.entries()) await writer.put(documentOf(document, vectors?.[i]));
      onProgress({ doing: "indexing", done: from + batch.length, total: corpus.length });
    }
    await writer.commit();
  } finally {
    await writer.close();
  }
}

async function vectorsOf(
  batch: readonly CorpusDocument[],
  { embedding, legs }: BenchmarkDeps,
  signal: AbortSignal,
): Promise<readonly Float32Array[] | undefined> {
  if (embedding === undefined || !legs.includes("vector")) return undefined;
  return embedding.embedder.embed(
    batch.map(({ title, text }) => embeddedText(title, [], text)),
    signal,
  );
}

function documentOf(
  { id, title, text }: CorpusDocument,
  vector: Float32Array | undefined,
): KnowledgeDocument {
  return {
    documentId: id,
    path: PATH_PREFIX + id,
    contentHash: createHash("sha256")
      .update(JSON.stringify([title, text]))
      .digest("hex"),
    title,
    sourceFile: id,
    access: { visibility: "network", allowedUsers: [], allowedGroups: [] },
    usesDefaultVisibility: false,
    chunks: [{ chunkId: id, headings: [], kind: PROSE, text, ...(vector && { vector }) }],
  };
}

async function clear(network: string, deps: BenchmarkDeps, signal: AbortSignal): Promise<void> {
  const writer = await deps.openWriter(network, signal);
  try {
    for (const { documentId, path } of await writer.documents())
      if (path.startsWith(PATH_PREFIX)) await writer.remove(documentId);
    await writer.commit();
  } finally {
    await writer.close();
  }
}

async function measure(
  name: WayResult["name"],
  legs: readonly LegName[],
  { queries }: BenchmarkData,
  network: string,
  deps: BenchmarkDeps,
  onProgress: (progress: BenchmarkProgress) => void,
  signal: AbortSignal,
): Promise<WayResult> {
  const failures: string[] = [];
  const retrieval = retrievalOver(deps, legs, (event) => {
    if (event.type === "leg_failed") failures.push(event.error);
  });
  const access = { network, username: "benchmark", groups: [], kiosk: false };
  const rankings: (readonly string[])[] = [];
  const timesMs: number[] = [];
  for (const { id, text } of queries) {
    signal.throwIfAborted();
    const startMs = deps.clock.monotonic();
    const found = await retrieval.search({ query: text, access, limit: RESULTS }, signal);
    timesMs.push(deps.clock.monotonic() - startMs);
    if (failures.length > 0)
      throw new Error(`query ${JSON.stringify(id)} was not answered in full: ${failures[0]}`);
    rankings.push(rankingOf(found));
    onProgress({ doing: name, done: rankings.length, total: queries.length });
  }
  return resultOf(name, rankings, queries, timesMs);
}

function retrievalOver(
  { clock, engine, embedding, options }: BenchmarkDeps,
  legs: readonly LegName[],
  emit: (event: TelemetryEvent) => void,
): KnowledgeRetrieval {
  return new KnowledgeRetrieval({
    clock,
    telemetry: { emit },
    engine,
    legs,
    options,
    ...(embedding && { embedding }),
  });
}

/** A passage and those that it stands for, in a row. */
function rankingOf(found: readonly Passage[]): readonly string[] {
  return found.flatMap(({ documentId, alsoIn }) => [documentId, ...alsoIn.map((one) => one.documentId)]);
}

function resultOf(
  name: WayResult["name"],
  rankings: readonly (readonly string[])[],
  queries: readonly JudgedQuery[],
  timesMs: readonly number[],
): WayResult {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const perQuery = forEachMetric((metric) => queries.map((query, i) => METRICS[metric](rankings[i]!, query)));
  return {
    name,
    perQuery,
    means: forEachMetric((metric) => mean(perQuery[metric])),
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
  };
}

function differencesOf(better: WayResult, than: WayResult): readonly WayDifference[] {
  return metricNames().map((metric) => ({
    metric,
    better: better.name,
    than: than.name,
    ...pairedBootstrap(better.perQuery[metric], than.perQuery[metric]),
  }));
}

function metricNames(): readonly RetrievalMetricName[] {
  return Object.keys(METRICS) as RetrievalMetricName[];
}

function forEachMetric<T>(figure: (metric: RetrievalMetricName) => T): Record<RetrievalMetricName, T> {
  return Object.fromEntries(metricNames().map((metric) => [metric, figure(metric)])) as Record<
    RetrievalMetricName,
    T
  >;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The smallest value that at least the share `p` of all values does not exceed. */
function percentile(sorted: readonly number[], p: number): number {
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!;
}
