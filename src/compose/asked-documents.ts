/**
 * Documents that an evaluation asks about, apart from the configured knowledge: read into an index of their own that is
 * removed afterwards, or read and given back.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/schema.js";
import type { Answerer } from "../evaluation/answerer.js";
import { type IngestDeps, ingest } from "../ingest/ingest.js";
import { ReadPool } from "../ingest/read-pool.js";
import type { KnowledgeDocument, KnowledgeWriter } from "../retrieval/writer.js";
import { createAnswerer } from "./answerer.js";
import { createAnswering, loadTexts, type Texts } from "./answering.js";
import { openSource, withIngestion } from "./ingestion.js";
import { COMMAND_DEPS, type Knowledge, type KnowledgeDeps, openKnowledge } from "./knowledge.js";

/**
 * Runs `work` with the settings of an embedded index of `documents`, and with these as they were read. Rejects when a
 * document cannot be ingested, and as `ingest` does.
 */
export async function withDocuments<T>(
  config: Config,
  documents: string,
  network: string,
  signal: AbortSignal,
  work: (asked: Config, ingested: readonly KnowledgeDocument[]) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "readback-evaluate-"));
  const asked: Config = { ...config, dataDir, retrieval: { ...config.retrieval, engine: "embedded" } };
  try {
    const ingested = await withIngestion(asked, (ingestion) =>
      ingestAll(asked, documents, network, ingestion, signal),
    );
    return await work(asked, ingested);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Tokens of a passage, where sections are to stay whole as far as passages can be. */
const WHOLE_SECTION_TOKENS = 2_000;

/** Settings by which sections stay whole, and nothing is said twice. */
export function wholeSections(config: Config): Config {
  const chunks = { chunkTokensTarget: WHOLE_SECTION_TOKENS, chunkOverlapTokensMax: 0 };
  return { ...config, ingest: { ...config.ingest, ...chunks } };
}

/** Reads documents as an ingest does, and writes them nowhere. Rejects as `withDocuments` does. */
export async function readDocuments(
  config: Config,
  documents: string,
  signal: AbortSignal,
  { clock, random }: KnowledgeDeps = COMMAND_DEPS,
): Promise<readonly KnowledgeDocument[]> {
  const reader = new ReadPool(config.ingest, clock);
  const openWriter = async () => NOWHERE;
  try {
    return await ingestAll(config, documents, "nowhere", { clock, random, reader, openWriter }, signal);
  } finally {
    await reader.close();
  }
}

const NOWHERE: KnowledgeWriter = {
  documents: async () => [],
  put: async () => undefined,
  remove: async () => undefined,
  commit: async () => ({ documents: 0, chunks: 0, nearDuplicateChunks: 0 }),
  close: async () => undefined,
};

/** Ingests, and gives back what was written. */
async function ingestAll(
  config: Config,
  documents: string,
  network: string,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<readonly KnowledgeDocument[]> {
  const written: KnowledgeDocument[] = [];
  const openWriter = async (...args: Parameters<IngestDeps["openWriter"]>) => {
    const writer = await deps.openWriter(...args);
    return {
      documents: () => writer.documents(),
      remove: (documentId: string) => writer.remove(documentId),
      commit: (source?: string) => writer.commit(source),
      close: () => writer.close(),
      async put(document: KnowledgeDocument) {
        await writer.put(document);
        written.push(document);
      },
    };
  };
  const request = { source: await openSource(documents, config), network, options: config.ingest };
  const { failed } = await ingest(request, { ...deps, openWriter }, () => undefined, signal);
  if (failed.length > 0) throw new Error(`${failed[0]!.file} cannot be ingested: ${failed[0]!.message}`);
  return written;
}

export interface Asking {
  readonly answerer: Answerer;
  readonly knowledge: Knowledge;
  readonly texts: Texts;
}

/** Runs `work` with an answerer for the configured knowledge, and puts it away. */
export async function withAnswerer<T>(
  config: Config,
  work: (asking: Asking) => Promise<T>,
  deps: KnowledgeDeps = COMMAND_DEPS,
): Promise<T> {
  const texts = await loadTexts(config);
  const knowledge = await openKnowledge(config, deps);
  const answering = await createAnswering(config, texts, knowledge, deps);
  try {
    return await work({ answerer: createAnswerer(answering.chats, deps.random), knowledge, texts });
  } finally {
    await answering.chats.shutdown(0);
    await Promise.all([answering.close(), knowledge.close()]);
  }
}
