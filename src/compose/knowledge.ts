/**
 * Composes the knowledge that the settings ask for: the engine, what ranks around it, who writes it, where groups come
 * from. The service and the commands both start from here, so that an operator looks at what a worker is given.
 */
import type { Config } from "../config/schema.js";
import { guardedEmbedder, guardedReranker } from "../guard/guarded-providers.js";
import type { Guard } from "../guard/port.js";
import { type Clock, systemClock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { narrowFolder } from "../lib/private-files.js";
import { type Random, systemRandom } from "../lib/random.js";
import { ElasticsearchClient } from "../retrieval/elasticsearch/client.js";
import { ElasticsearchEngine } from "../retrieval/elasticsearch/elasticsearch-engine.js";
import { openElasticsearchWriter } from "../retrieval/elasticsearch/elasticsearch-writer.js";
import { ElasticsearchGroups } from "../retrieval/elasticsearch/groups.js";
import { findInferenceEndpoint, type InferenceEndpoint } from "../retrieval/elasticsearch/inference.js";
import { knowledgeDirectory } from "../retrieval/embedded/database.js";
import { EmbeddedEngine } from "../retrieval/embedded/embedded-engine.js";
import { openWriterProcess } from "../retrieval/embedded/writer-process.js";
import { CachedEmbedder } from "../retrieval/embedding/cached-embedder.js";
import { OpenAiEmbedder } from "../retrieval/embedding/openai.js";
import type { Embedder } from "../retrieval/embedding/port.js";
import { StaticEmbedder } from "../retrieval/embedding/static.js";
import type { Engine, LegName } from "../retrieval/engine.js";
import { CachedGroups } from "../retrieval/groups/cached-groups.js";
import { FileGroups, readGroups } from "../retrieval/groups/file-groups.js";
import type { GroupDirectory, GroupMembers } from "../retrieval/groups/port.js";
import type { Inspector } from "../retrieval/inspector.js";
import { KnowledgeRetrieval } from "../retrieval/knowledge-retrieval.js";
import type { Retrieval } from "../retrieval/port.js";
import { OpenAiReranker } from "../retrieval/rerank/openai.js";
import type { KnowledgeWriter } from "../retrieval/writer.js";
import { EmbeddingCache } from "../store/embedding-cache.js";
import { createTelemetry, type Telemetry } from "../telemetry/events.js";
import type { GroupSources } from "../turn/access.js";
import { createGuard } from "./guarding.js";
import { keyed, modelServer } from "./model-server.js";

export interface Knowledge {
  /** "embedded" or "elasticsearch". */
  readonly name: "embedded" | "elasticsearch";
  readonly engine: Engine;
  /** The ways of ranking that searches ask. */
  readonly legs: readonly LegName[];
  readonly retrieval: Retrieval;
  /** For commands only: it shows what no user may see. */
  readonly inspector: Inspector;
  /** Embeds documents; one that is a server's remembers what it embedded. */
  readonly embedder: Embedder | undefined;
  /** The same where it is a server's: the vectors that come with the service measure no answers. */
  readonly modelEmbedder: Embedder | undefined;
  readonly groups: KnownGroups;
  readonly guard: Guard;
  /** Of the distributed engine. */
  readonly elasticsearch: ElasticsearchClient | undefined;
  /** Rejects with `KnowledgeBusy` or `KnowledgeUnusable`. */
  openWriter(network: string, signal: AbortSignal): Promise<KnowledgeWriter>;
  close(): Promise<void>;
}

export interface KnownGroups extends GroupSources {
  /** Where it is known who is in a group; empty where only messages tell. */
  readonly members: readonly GroupMembers[];
}

export interface KnowledgeDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
}

/** What commands use: the system's clock, and nobody who listens. */
export const COMMAND_DEPS: KnowledgeDeps = {
  clock: systemClock,
  random: systemRandom,
  telemetry: createTelemetry([]),
};

/**
 * Asks the cluster, if there is one, no more than which legs it has, and that only where the settings leave it open.
 * Rejects when the settings contradict each other, saying which.
 */
export async function openKnowledge(config: Config, deps: KnowledgeDeps = COMMAND_DEPS): Promise<Knowledge> {
  const { clock, telemetry } = deps;
  const guard = createGuard(config, deps);
  const embedder = createEmbedder(config, guard, deps);
  narrowData(config.dataDir, telemetry);
  const cache = new EmbeddingCache(config.dataDir, clock);
  const store = usesElasticsearch(config)
    ? await elasticsearchStore(config, embedder, deps)
    : embeddedStore(config, embedder, deps);
  const reranker = createReranker(config, clock);
  const retrieval = new KnowledgeRetrieval({
    clock,
    telemetry,
    engine: store.engine,
    legs: store.legs,
    options: config.retrieval,
    ...(embedder && {
      embedding: { embedder, queryTimeoutMs: config.embedding.queryTimeoutMs },
    }),
    ...(reranker && { reranker: guardedReranker(reranker, guard) }),
  });
  const { name, engine, elasticsearch, legs, openWriter } = store;
  const modelEmbedder =
    embedder !== undefined && embeddingProvider(config) === "openai"
      ? new CachedEmbedder(embedder, cache, (error) => tellFault(telemetry, error))
      : undefined;
  return {
    name,
    engine,
    legs,
    retrieval,
    inspector: engine,
    embedder: modelEmbedder ?? embedder,
    modelEmbedder,
    groups: createGroups(config, elasticsearch, clock),
    guard,
    elasticsearch,
    openWriter,
    async close() {
      await Promise.all([retrieval.close(), cache.close()]);
    },
  };
}

/** What earlier releases left for others to read. Only what is named as our files are is touched. */
function narrowData(dataDir: string, telemetry: Telemetry): void {
  const tell = (path: string, error: Error) =>
    telemetry.emit({ type: "data_exposed", path, error: error.message });
  const isOurs = (name: string) =>
    name === "knowledge" || /^[^.]+\.(?:db|json)(?:-wal|-shm|\.damaged-|$)/.test(name);
  narrowFolder(dataDir, isOurs, tell);
  narrowFolder(knowledgeDirectory(dataDir), isOurs, tell);
}

function tellFault(telemetry: Telemetry, error: Error): void {
  telemetry.emit({ type: "service_fault", where: "the cache of embeddings", error: error.message });
}

export function usesElasticsearch({ retrieval, elasticsearch }: Config): boolean {
  if (retrieval.engine !== "auto") return retrieval.engine === "elasticsearch";
  return elasticsearch.url !== undefined || elasticsearch.cloudId !== undefined;
}

interface Store extends Pick<Knowledge, "name" | "elasticsearch" | "legs" | "openWriter"> {
  readonly engine: Engine & Inspector;
}

/** Fused by scores they beat either leg where it was measured; see docs/decisions. */
function wordsAndVectors(embedder: Embedder | undefined): readonly LegName[] {
  return embedder === undefined ? ["lexical"] : ["lexical", "vector"];
}

function embeddedStore(
  config: Config,
  embedder: Embedder | undefined,
  { clock, telemetry }: KnowledgeDeps,
): Store {
  const directory = knowledgeDirectory(config.dataDir);
  return {
    name: "embedded",
    engine: new EmbeddedEngine({ clock, telemetry, directory, options: config.retrieval }),
    legs: config.retrieval.legs ?? wordsAndVectors(embedder),
    elasticsearch: undefined,
    openWriter: (network, signal) => openWriterProcess({ clock, directory }, network, signal),
  };
}

async function elasticsearchStore(
  config: Config,
  embedder: Embedder | undefined,
  deps: KnowledgeDeps,
): Promise<Store> {
  const { clock, random } = deps;
  const { elasticsearch: options } = config;
  const client = new ElasticsearchClient(options, { clock, random });
  const legs = config.retrieval.legs ?? (await legsOfCluster(client, options.inferenceId, embedder, deps));
  const semantic = legs.includes("semantic");
  const possible: readonly LegName[] = [
    ...wordsAndVectors(embedder),
    ...(semantic ? ["semantic" as const] : []),
  ];
  return {
    name: "elasticsearch",
    engine: new ElasticsearchEngine({ client, options, legs: possible, telemetry: deps.telemetry }),
    legs,
    elasticsearch: client,
    openWriter: (network, signal) =>
      openElasticsearchWriter({ client, clock, random, options, semantic }, network, signal),
  };
}

/** How long the start waits for the cluster to say what it has. */
const LEGS_ASKED_MS_MAX = 5_000;

/**
 * The cluster's own model ranks where there is one, words where there is none. Where that cannot be known, both are
 * asked: whichever answers is enough.
 */
async function legsOfCluster(
  client: ElasticsearchClient,
  inferenceId: string,
  embedder: Embedder | undefined,
  { clock, telemetry }: KnowledgeDeps,
): Promise<readonly LegName[]> {
  const { signal } = new AbortController();
  const endpoint = await withDeadline(
    clock,
    "the look for an inference endpoint",
    LEGS_ASKED_MS_MAX,
    signal,
    (within) => findInferenceEndpoint(client, inferenceId, within),
  ).catch((error: unknown): InferenceEndpoint => {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return { type: "unknown", reason: error.message };
  });
  if (endpoint.type === "there") return ["semantic"];
  const words = wordsAndVectors(embedder);
  const legs: readonly LegName[] = endpoint.type === "absent" ? words : [...words, "semantic"];
  const reason =
    endpoint.type === "absent"
      ? `the cluster has no inference endpoint ${inferenceId}; see \`readback index status\``
      : endpoint.reason;
  telemetry.emit({ type: "legs_chosen", legs, reason });
  return legs;
}

/** Who embeds, by the settings. */
export function embeddingProvider(config: Config): "none" | "static" | "openai" {
  const { provider } = config.embedding;
  if (provider !== "auto") return provider;
  return usesElasticsearch(config) ? "none" : "static";
}

function createEmbedder(config: Config, guard: Guard, { clock, random }: KnowledgeDeps) {
  const { embedding, llm } = config;
  const chosen = embeddingProvider(config);
  if (chosen === "none") return undefined;
  if (chosen === "static") return new StaticEmbedder();
  const { queryTimeoutMs, provider, ...options } = embedding;
  const server = keyed("embedding", modelServer(options, llm));
  return guardedEmbedder(new OpenAiEmbedder({ clock, random }, { ...options, ...server }), guard);
}

function createReranker({ rerank, llm }: Config, clock: Clock): OpenAiReranker | undefined {
  if (rerank.provider === "none") return undefined;
  const { baseUrl, apiKey } = modelServer(rerank, llm);
  if (baseUrl === undefined)
    throw new Error("A reranker needs an address: set rerank.base_url, or rerank.provider to none.");
  return new OpenAiReranker(clock, { ...rerank, apiKey, baseUrl });
}

/** Rejects with a readable error, which names the setting, when there is a file of groups that cannot be used. */
export async function tryGroupsFile({ groups: { file } }: Config): Promise<void> {
  if (file === undefined) return;
  await readGroups(file).catch((error: Error) => {
    throw new Error(`${error.message} Correct the file or groups.file.`, { cause: error });
  });
}

/** The message, a file, an index, or several of them. */
function createGroups(
  { groups }: Config,
  client: ElasticsearchClient | undefined,
  clock: Clock,
): KnownGroups {
  const { file, index, fromCommand, refreshMs } = groups;
  const directories: GroupDirectory[] = [];
  const members: GroupMembers[] = [];
  if (file !== undefined) {
    const inFile = new FileGroups(clock, file, refreshMs);
    directories.push(inFile);
    members.push(inFile);
  }
  if (index !== undefined) {
    if (client === undefined)
      throw new Error(
        "groups.index is an index of Elasticsearch: set elasticsearch.url, or use groups.file.",
      );
    const inIndex = new ElasticsearchGroups(client, index);
    directories.push(new CachedGroups(clock, inIndex, refreshMs));
    members.push(inIndex);
  }
  return { fromCommand, directories, members };
}
