/** What ingestion asks of a knowledge engine: one writer per network at a time, whose changes appear all at once. */
import type { DocumentAccess } from "../domain/passage.js";

export interface KnowledgeChunk {
  readonly chunkId: string;
  readonly headings: readonly string[];
  readonly text: string;
}

/** A document as the writer remembers it. */
export interface StoredDocument {
  readonly documentId: string;
  /** Where it was read from. */
  readonly path: string;
  /** Changes whenever anything of the document changes that search could show. */
  readonly contentHash: string;
}

export interface KnowledgeDocument extends StoredDocument {
  readonly title: string;
  readonly revision?: string;
  /** The network is the writer's. */
  readonly access: Omit<DocumentAccess, "network">;
  readonly chunks: readonly KnowledgeChunk[];
}

/** Every method may reject with `KnowledgeUnusable`; then only `close` may follow. */
export interface KnowledgeWriter {
  /** What the network holds, as of the last commit. */
  documents(): Promise<readonly StoredDocument[]>;
  /** Adds a document, in place of the one with the same id. */
  put(document: KnowledgeDocument): Promise<void>;
  /** Removes a document; one that is not there is no error. */
  remove(documentId: string): Promise<void>;
  /** Makes every change visible at once. Nothing may follow but `close`. */
  commit(): Promise<void>;
  /** Lets the next writer in; changes that were not committed are gone. */
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
