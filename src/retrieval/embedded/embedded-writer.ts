/** Writes one network's index: one transaction from opening to commit. See database.ts for the layout. */
import { mkdirSync } from "node:fs";
import { analyze } from "../../lib/english-analyzer.js";
import {
  type CommitSummary,
  KnowledgeBusy,
  type KnowledgeChunk,
  type KnowledgeDocument,
  KnowledgeUnusable,
  type KnowledgeWriter,
  type StoredDocument,
} from "../writer.js";
import { encodeAccess } from "./catalogue.js";
import { compact, needsCompaction } from "./compact.js";
import {
  type Client,
  createSchema,
  databasePath,
  isBusy,
  openDatabase,
  readState,
  type Transaction,
  unusable,
} from "./database.js";
import { SegmentBuilder } from "./segment.js";

/** How long the write lock is waited for: readers that create or recover a file hold it for a moment. */
const WRITER_BUSY_TIMEOUT_MS = 250;

/** A segment is written when it holds this many postings, which bounds the writer's memory. */
const SEGMENT_POSTINGS_MAX = 4_000_000;

/** How often the terms of the title count in each chunk; found best on ClapNQ, see docs/decisions. */
const TITLE_WEIGHT = 2;

/**
 * Takes the network's write lock and opens its index, making the file and its folder when they are missing. Rejects
 * with `KnowledgeBusy` while another writer holds the lock, with `KnowledgeUnusable` when the file cannot be used.
 */
export async function openEmbeddedWriter(directory: string, network: string): Promise<KnowledgeWriter> {
  const path = databasePath(directory, network);
  let client: Client | undefined;
  try {
    mkdirSync(directory, { recursive: true });
    client = openDatabase(path, WRITER_BUSY_TIMEOUT_MS);
    await client.execute("PRAGMA journal_mode = WAL");
    const transaction = await client.transaction("write");
    await createSchema(transaction, network);
    const state = await readState(transaction, network);
    return new EmbeddedWriter(client, transaction, state!.nextChunk, (error) =>
      failure(path, network, error),
    );
  } catch (error) {
    client?.close();
    throw failure(path, network, error);
  }
}

function failure(path: string, network: string, error: unknown): KnowledgeBusy | KnowledgeUnusable {
  if (!isBusy(error)) return new KnowledgeUnusable(unusable(path, network, error), { cause: error });
  const message =
    `Another process is writing the documents of network ${JSON.stringify(network)}. ` +
    "Wait until it is done, or stop it, and try again.";
  return new KnowledgeBusy(message, { cause: error });
}

class EmbeddedWriter implements KnowledgeWriter {
  readonly #segment = new SegmentBuilder();

  constructor(
    private readonly client: Client,
    private readonly transaction: Transaction,
    private nextChunk: number,
    private readonly failure: (error: unknown) => Error,
  ) {}

  documents(): Promise<readonly StoredDocument[]> {
    return this.#guard(() => this.#documents());
  }

  put(document: KnowledgeDocument): Promise<void> {
    return this.#guard(() => this.#put(document));
  }

  remove(documentId: string): Promise<void> {
    return this.#guard(() => this.#remove(documentId));
  }

  commit(): Promise<CommitSummary> {
    return this.#guard(() => this.#commit());
  }

  async close(): Promise<void> {
    this.transaction.close();
    this.client.close();
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.failure(error);
    }
  }

  async #documents(): Promise<readonly StoredDocument[]> {
    const { rows } = await this.transaction.execute("SELECT document_id, path, content_hash FROM documents");
    return rows.map((row) => ({
      documentId: row.document_id as string,
      path: row.path as string,
      contentHash: row.content_hash as string,
      usesDefaultVisibility: false,
    }));
  }

  async #put(document: KnowledgeDocument): Promise<void> {
    await this.#remove(document.documentId);
    const firstChunk = this.nextChunk;
    const termCounts = document.chunks.map((chunk) => this.#index(document.title, chunk));
    const { rows } = await this.transaction.execute({
      sql:
        "INSERT INTO documents (document_id, path, content_hash, title, revision, access, first_chunk, term_counts) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING document",
      args: [
        document.documentId,
        document.path,
        document.contentHash,
        document.title,
        document.revision ?? null,
        encodeAccess(document.access),
        firstChunk,
        new Uint8Array(Uint32Array.from(termCounts).buffer),
      ],
    });
    const key = rows[0]!.document!;
    for (const [position, { chunkId, headings, text }] of document.chunks.entries()) {
      await this.transaction.execute({
        sql: "INSERT INTO chunks (document, position, chunk_id, headings, text) VALUES (?, ?, ?, ?, ?)",
        args: [key, position, chunkId, JSON.stringify(headings), text],
      });
    }
    if (this.#segment.postingCount >= SEGMENT_POSTINGS_MAX) await this.#writeSegment();
  }

  async #remove(documentId: string): Promise<void> {
    await this.transaction.execute({
      sql: "DELETE FROM chunks WHERE document = (SELECT document FROM documents WHERE document_id = ?)",
      args: [documentId],
    });
    await this.transaction.execute({
      sql: "DELETE FROM documents WHERE document_id = ?",
      args: [documentId],
    });
  }

  async #commit(): Promise<CommitSummary> {
    await this.#writeSegment();
    const { rows } = await this.transaction.execute(
      "SELECT (SELECT count(DISTINCT segment) FROM postings) AS segments, (SELECT count(*) FROM chunks) AS chunks",
    );
    const occupancy = {
      segmentCount: Number(rows[0]?.segments),
      nextChunk: this.nextChunk,
      chunkCount: Number(rows[0]?.chunks),
    };
    if (needsCompaction(occupancy)) this.nextChunk = await compact(this.transaction, this.nextChunk);
    await this.transaction.execute({
      sql: "UPDATE state SET generation = generation + 1, next_chunk = ?",
      args: [this.nextChunk],
    });
    await this.transaction.commit();
    // Gives the log's space back. Readers at work make it do less, which is no failure.
    await this.client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    return { documents: 0, chunks: occupancy.chunkCount, nearDuplicateChunks: 0 };
  }

  /** Numbers a chunk and gathers its postings; returns its terms, counted with repetitions. */
  #index(title: string, { headings, text }: KnowledgeChunk): number {
    const titleTerms = analyze(title);
    const terms = Array.from({ length: TITLE_WEIGHT }, () => titleTerms).flat();
    for (const part of [...headings, text]) terms.push(...analyze(part));
    const frequencies = new Map<string, number>();
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    this.#segment.add(this.nextChunk++, frequencies);
    return terms.length;
  }

  async #writeSegment(): Promise<void> {
    if (this.#segment.postingCount === 0) return;
    const { rows } = await this.transaction.execute(
      "SELECT coalesce(max(segment), 0) + 1 AS segment FROM postings",
    );
    await this.#segment.write(this.transaction, Number(rows[0]?.segment));
  }
}
