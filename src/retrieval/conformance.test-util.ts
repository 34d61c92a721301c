/**
 * What the conformance suite and other tests of knowledge engines are made of: an engine under test, documents,
 * readers, an embedder that needs no model, and the ways in which the same engine can be searched.
 */
import { createHash } from "node:crypto";
import { patience } from "../../test/support/patience.js";
import { type Passage, PROSE } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import { systemClock } from "../lib/clock.js";
import { analyze } from "../lib/english-analyzer.js";
import { createTelemetry } from "../telemetry/events.js";
import { embeddedText } from "./embedding/embedded-text.js";
import type { Embedder } from "./embedding/port.js";
import type { Engine, LegName } from "./engine.js";
import type { Inspector } from "./inspector.js";
import { KnowledgeRetrieval } from "./knowledge-retrieval.js";
import type { KnowledgeDocument, KnowledgeWriter } from "./writer.js";

/** An engine, a way to fill it, and the operator's view of the same store. Vectors are those of `testEmbedder`. */
export interface EngineUnderTest {
  readonly engine: Engine;
  readonly inspector: Inspector;
  /** What was committed can be found as soon as `commit` resolves. */
  openWriter(network: string): Promise<KnowledgeWriter>;
  /** Closes the engine and removes what it stored. */
  dispose(): Promise<void>;
}

export const NO_ABORT: AbortSignal = new AbortController().signal;
export const OPEN: KnowledgeDocument["access"] = {
  visibility: "network",
  allowedUsers: [],
  allowedGroups: [],
};

export function restricted(
  allowedUsers: string[],
  allowedGroups: string[] = [],
): KnowledgeDocument["access"] {
  return { visibility: "restricted", allowedUsers, allowedGroups };
}

/** A document of one chunk per text, readable by its whole network unless said otherwise. */
export function document(
  documentId: string,
  texts: readonly string[],
  rest: Partial<KnowledgeDocument> = {},
): KnowledgeDocument {
  return {
    documentId,
    path: documentId,
    contentHash: JSON.stringify([documentId, texts, rest]),
    title: documentId,
    access: OPEN,
    usesDefaultVisibility: false,
    sourceFile: `${documentId}.md`,
    chunks: texts.map((text, index) => ({
      chunkId: `${documentId}#${index}`,
      headings: [],
      kind: PROSE,
      text,
    })),
    ...rest,
  };
}

export function reader(network: string, rest: Partial<Access> = {}): Access {
  return { network, username: "ann", groups: [], kiosk: false, ...rest };
}

const DIMENSIONS = 256;

/**
 * Each term of a text has a direction of its own, but for rare collisions, and none points backwards: texts that share
 * a term are nearer to each other than texts that do not.
 */
export const testEmbedder: Embedder = {
  name: `hashed-terms/${DIMENSIONS}`,
  dimensions: DIMENSIONS,
  embed: async (texts) => texts.map(testVector),
};

export function testVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const term of analyze(text)) {
    const digest = createHash("sha256").update(term).digest();
    vector[1 + (digest.readUInt32LE(0) % (DIMENSIONS - 1))]! += 1;
  }
  // A text without terms still needs a direction.
  if (vector.every((value) => value === 0)) vector[0] = 1;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Makes `network` hold exactly these documents, changing no more than is needed, as ingestion does. */
export async function store(
  { engine, openWriter }: EngineUnderTest,
  network: string,
  documents: readonly KnowledgeDocument[],
): Promise<void> {
  const writer = await openWriter(network);
  try {
    const known = new Map(
      (await writer.documents()).map(({ documentId, contentHash }) => [documentId, contentHash]),
    );
    const kept = new Set(documents.map(({ documentId }) => documentId));
    for (const documentId of known.keys()) if (!kept.has(documentId)) await writer.remove(documentId);
    const changed = documents.filter(({ documentId, contentHash }) => known.get(documentId) !== contentHash);
    for (const one of changed) await writer.put(engine.legs.includes("vector") ? withVectors(one) : one);
    await writer.commit();
  } finally {
    await writer.close();
  }
}

export function withVectors(one: KnowledgeDocument): KnowledgeDocument {
  const chunks = one.chunks.map((chunk) => ({
    ...chunk,
    vector: testVector(embeddedText(one.title, chunk.headings, chunk.text)),
  }));
  return { ...one, chunks };
}

/** One way of searching an engine: a leg on its own, or all of them as the service asks them. */
export interface Way {
  readonly name: LegName | "fused";
  /** Finds only what shares a word with the query. Where meaning counts, anything may turn up at the end. */
  readonly literal: boolean;
  search(query: string, access: Access, limit?: number, signal?: AbortSignal): Promise<readonly Passage[]>;
}

/** More than any test stores. */
const EVERYTHING = 50;

/** Every leg on its own, then all of them fused. */
export function waysOf(legs: readonly LegName[], engine: () => Engine): readonly Way[] {
  const alone = legs.map(
    (leg): Way => ({
      name: leg,
      literal: leg === "lexical",
      search: (query, access, limit = EVERYTHING, signal = NO_ABORT) =>
        engine().search({ leg, query, access, limit, ...vectorFor(leg, query) }, signal),
    }),
  );
  const opened = new WeakMap<Engine, KnowledgeRetrieval>();
  const fused = () => {
    const retrieval = opened.get(engine()) ?? retrievalOver(engine(), legs);
    opened.set(engine(), retrieval);
    return retrieval;
  };
  const together: Way = {
    name: "fused",
    literal: legs.every((leg) => leg === "lexical"),
    search: (query, access, limit = EVERYTHING, signal = NO_ABORT) =>
      fused().search({ query, access, limit }, signal),
  };
  return [...alone, together];
}

export function vectorFor(leg: LegName, query: string): { readonly vector?: Float32Array } {
  return leg === "vector" ? { vector: testVector(query) } : {};
}

/** Generous: a real cluster's models are slow at first. */
const TIMEOUT_MS = patience(30_000);

export function retrievalOver(engine: Engine, legs: readonly LegName[]): KnowledgeRetrieval {
  return new KnowledgeRetrieval({
    clock: systemClock,
    telemetry: createTelemetry([]),
    engine,
    legs,
    embedding: { embedder: testEmbedder, queryTimeoutMs: TIMEOUT_MS },
    options: {
      fusion: "scores",
      fusionConstant: 60,
      fusionCandidates: 40,
      fusionResults: 8,
      searchTimeoutMs: TIMEOUT_MS,
    },
  });
}

/** The documents that passages stand for, near-duplicates included. */
export function documentsOf(passages: readonly Passage[]): string[] {
  return passages.flatMap(({ documentId, alsoIn }) => [documentId, ...alsoIn.map((one) => one.documentId)]);
}
