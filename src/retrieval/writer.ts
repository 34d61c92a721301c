/** What ingestion asks of a knowledge engine: one writer per network at a time. */
import type { ChunkKind, DocumentAccess } from "../domain/passage.js";

export interface KnowledgeChunk {
  readonly chunkId: string;
  readonly headings: readonly string[];
  /** The page that it begins on, from 1; absent where the document has no pages. */
  readonly page?: number;
  readonly kind: ChunkKind;
  readonly text: string;
  /** Its embedding; absent where no embedder is configured. */
  readonly vector?: Float32Array;
}

/** A document as the writer remembers it. */
export interface StoredDocument {
  readonly documentId: string;
  /** Where it was read from: an absolute path, or an address such as `s3://bucket/key`. */
  readonly path: string;
  /** Changes whenever anything of the document changes that search could show. */
  readonly contentHash: string;
  /** It said nothing about who may read it, and got the default. */
  readonly usesDefaultVisibility: boolean;
}

export interface KnowledgeDocument extends StoredDocument {
  readonly title: string;
  readonly revision?: string;
  /** The path below the folder or bucket that was ingested, for people. */
  readonly sourceFile: string;
  /** The network is the writer's. */
  readonly access: Omit<DocumentAccess, "network">;
  readonly chunks: readonly KnowledgeChunk[];
}

/** What a commit made visible. */
export interface CommitSummary {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks that say the same as another chunk of the network, up to wording. */
  readonly nearDuplicateChunks: number;
}

/**
 * Every method may reject with `KnowledgeUnusable`; then only `close` may follow. The embedded engine shows changes all
 * at once with the commit and forgets them without one. Elasticsearch has no transactions: each document changes as a
 * whole, in an order in which a writer that dies leaves nothing readable that was to be denied, and the next ingest
 * finishes what was begun.
 */
export interface KnowledgeWriter {
  /** What the network holds, as of the last commit. */
  documents(): Promise<readonly StoredDocument[]>;
  /** Adds a document, in place of the one with the same id. */
  put(document: KnowledgeDocument): Promise<void>;
  /** Removes a document; one that is not there is no error. */
  remove(documentId: string): Promise<void>;
  /**
   * Makes every change visible. Nothing may follow but `close`. `source` is the folder or bucket that the documents came
   * from, for an engine that may have to build its index anew.
   */
  commit(source?: string): Promise<CommitSummary>;
  /** Lets the next writer in; what was not committed is gone, or is finished by the next ingest. */
  close(): Promise<void>;
}

/** Somebody else is writing this network's knowledge; the message says what to do. */
export class KnowledgeBusy extends Error {
  override readonly name = "KnowledgeBusy";
}

/** The stored knowledge cannot be opened or written; the message says why and what to do. */
export class KnowledgeUnusable extends Error {
  override readonly name = "KnowledgeUnusable";
}
