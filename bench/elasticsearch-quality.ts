/**
 * The embedded engine and a real Elasticsearch node on the same questions of ClapNQ, paired and in the same run: words
 * alone with and without fuzziness, as they are asked and with a typing error in each, and vectors. Needs a node:
 * `node scripts/elasticsearch-node/with-node.js npm run bench -- elasticsearch`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/lib/clock.js";
import { seededRandom, systemRandom } from "../src/lib/random.js";
import {
  type BenchmarkDeps,
  benchmark,
  type RetrievalMetricName,
  type WayResult,
} from "../src/retrieval/benchmark/benchmark.js";
import { pairedBootstrap } from "../src/retrieval/benchmark/bootstrap.js";
import { type BenchmarkData, readDataSet } from "../src/retrieval/benchmark/data-set.js";
import { ElasticsearchClient } from "../src/retrieval/elasticsearch/client.js";
import { indexDefinitions } from "../src/retrieval/elasticsearch/definitions.js";
import { ElasticsearchEngine } from "../src/retrieval/elasticsearch/elasticsearch-engine.js";
import { openElasticsearchWriter } from "../src/retrieval/elasticsearch/elasticsearch-writer.js";
import { IndexAdmin } from "../src/retrieval/elasticsearch/index-admin.js";
import { elasticsearchOptions } from "../src/retrieval/elasticsearch/options.js";
import { EmbeddedEngine } from "../src/retrieval/embedded/embedded-engine.js";
import { openEmbeddedWriter } from "../src/retrieval/embedded/embedded-writer.js";
import type { Embedder } from "../src/retrieval/embedding/port.js";
import { createTelemetry } from "../src/telemetry/events.js";
import { defaultsOf } from "../test/support/default-options.js";
import { DIMENSIONS, MODEL, startEmbeddingServer } from "./support/embedding-server.js";
import { CLAPNQ, depsOf, embedderAt, LEGS } from "./support/search-quality.js";

const NO_ABORT = new AbortController().signal;
const METRIC: RetrievalMetricName = "nDCG@10";

/** Letters of the shortest word that gets a typing error. */
const MISSPELT_LENGTH_MIN = 5;

interface Peer {
  readonly name: string;
  readonly deps: BenchmarkDeps;
}

/** The figures of the first peer, which the others are compared with, by the way of ranking. */
type Reference = Map<string, WayResult>;

export async function run(): Promise<void> {
  const url = process.env.ELASTICSEARCH_URL;
  if (url === undefined || url === "") {
    console.log("Elasticsearch: left out, since ELASTICSEARCH_URL names no node.");
    return;
  }
  const dataSet = await readDataSet(CLAPNQ);
  const folder = mkdtempSync(join(tmpdir(), "readback-elasticsearch-"));
  const server = await startEmbeddingServer();
  const embedder = remembering(embedderAt(server.baseUrl));
  const embedded = new EmbeddedEngine({
    clock: systemClock,
    telemetry: createTelemetry([]),
    directory: folder,
    options: { searchQueueLengthMax: 16, searchProcesses: 2 },
  });
  const engines: ElasticsearchEngine[] = [];
  const cluster = await openCluster(url);
  const onCluster = (lexicalFuzziness: string): BenchmarkDeps => {
    const options = { ...cluster.options, lexicalFuzziness };
    const engine = new ElasticsearchEngine({
      client: new ElasticsearchClient(options, DEPS),
      options,
      legs: LEGS,
      telemetry: createTelemetry([]),
    });
    engines.push(engine);
    return depsOf(engine, cluster.openWriter, embedder);
  };
  try {
    const peers: readonly Peer[] = [
      {
        name: "embedded",
        deps: depsOf(embedded, (network) => openEmbeddedWriter(folder, network), embedder),
      },
      // Vectors know no fuzziness: they are measured once.
      { name: "Elasticsearch, exact words", deps: wordsOnly(onCluster("0")) },
      { name: "Elasticsearch, as by default", deps: onCluster(cluster.options.lexicalFuzziness) },
    ];
    await compare("as they are asked", dataSet, peers);
    const words = peers.map(({ name, deps }) => ({ name, deps: wordsOnly(deps) }));
    await compare("with a typing error in each", misspelt(dataSet), words);
  } finally {
    await cluster.dispose();
    await Promise.all([...engines, embedded, server].map((one) => one.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const DEPS = { clock: systemClock, random: systemRandom };

/** Indices of their own on the node. */
async function openCluster(url: string) {
  const names = {
    embeddingsIndex: "bench-embeddings",
    metadataIndex: "bench-metadata",
    syncIndex: "bench-sync",
  };
  const options = { ...defaultsOf(elasticsearchOptions), url, ...names };
  const client = new ElasticsearchClient(options, DEPS);
  const admin = new IndexAdmin({ ...DEPS, client, options });
  const made: string[] = [];
  for (const definition of await indexDefinitions(options, { dimensions: DIMENSIONS, embedder: MODEL })) {
    const { index } = await admin.create(definition, NO_ABORT);
    made.push(index);
  }
  return {
    options,
    openWriter: (network: string) =>
      openElasticsearchWriter({ ...DEPS, client, options, semantic: false }, network, NO_ABORT),
    async dispose() {
      await client.call("remove", (api, call) => api.indices.delete({ index: made }, call), NO_ABORT);
      await client.close();
    },
  };
}

/** Each way of each peer, and what it is beside the first peer's, question by question. */
async function compare(what: string, dataSet: BenchmarkData, peers: readonly Peer[]): Promise<void> {
  console.log(`\nClapNQ, ${dataSet.queries.length} questions ${what}, vectors of ${MODEL}`);
  const reference: Reference = new Map();
  for (const { name, deps } of peers) {
    const { ways } = await benchmark(dataSet, "clapnq", deps, () => {}, NO_ABORT);
    for (const way of ways) {
      if (!reference.has(way.name)) reference.set(way.name, way);
      const { mean, low, high } = pairedBootstrap(
        way.perQuery[METRIC],
        reference.get(way.name)!.perQuery[METRIC],
      );
      console.log(
        `${`${name}, ${way.name}`.padEnd(40)} ${METRIC} ${way.means[METRIC].toFixed(4)}   ` +
          `against embedded ${mean.toFixed(4)} [${low.toFixed(4)}, ${high.toFixed(4)}]   ` +
          `p50 ${way.p50Ms.toFixed(1)} ms   p95 ${way.p95Ms.toFixed(1)} ms`,
      );
    }
  }
}

function wordsOnly(deps: BenchmarkDeps): BenchmarkDeps {
  return { ...deps, legs: ["lexical"] };
}

/** Each text once, so that what is timed is the search and not the model. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  return {
    name: embedder.name,
    dimensions: embedder.dimensions,
    async embed(texts, signal) {
      const missing = texts.filter((text) => !known.has(text));
      const vectors = missing.length === 0 ? [] : await embedder.embed(missing, signal);
      for (const [i, text] of missing.entries()) known.set(text, vectors[i]!);
      return texts.map((text) => known.get(text)!);
    },
  };
}

/** Each question with two neighbouring letters of its longest word exchanged, or one of its letters left out. */
function misspelt(dataSet: BenchmarkData): BenchmarkData {
  const random = seededRandom(12);
  const queries = dataSet.queries.map((query) => {
    const words = query.text.split(" ");
    const longest = words.reduce((a, b) => (b.length > a.length ? b : a), "");
    if (longest.length < MISSPELT_LENGTH_MIN) return query;
    // Never the first letter, which few get wrong.
    const at = 1 + Math.floor(random.fraction() * (longest.length - 2));
    const [before, one, other, after] = [
      longest.slice(0, at),
      longest[at],
      longest[at + 1],
      longest.slice(at + 2),
    ];
    const wrong = random.fraction() < 0.5 ? `${before}${other}${one}${after}` : `${before}${other}${after}`;
    return { ...query, text: words.map((word) => (word === longest ? wrong : word)).join(" ") };
  });
  return { ...dataSet, queries };
}
