/** Writes one network's index: one transaction from opening to commit. See database.ts for the layout. */
import { statSync } from "node:fs";
import { analyze } from "../../lib/english-analyzer.js";
import { makePrivateFile, makePrivateFolder } from "../../lib/private-files.js";
import {
  type CommitSummary,
  KnowledgeBusy,
  type KnowledgeChunk,
  type KnowledgeDocument,
  KnowledgeUnusable,
  type KnowledgeWriter,
  type StoredDocument,
} from "../writer.js";
import { readDocuments } from "./catalogue-loading.js";
import { writeChunks } from "./chunk-rows.js";
import {
  type Client,
  databasePath,
  type IndexState,
  isBusy,
  layOut,
  openDatabase,
  readState,
  type Transaction,
  unusable,
  writeState,
} from "./database.js";
import { type NumberedDocument, writeDocuments } from "./document-rows.js";
import { IndexDamaged } from "./index-damaged.js";
import { readRecord, refuseEmptied, writeRecord } from "./index-record.js";
import { needsRenumbering, renumber } from "./renumber.js";
import {
  checksumOfSegments,
  mergeNewest,
  readSegments,
  SEGMENT_POSTINGS_MAX,
  SegmentBuilder,
} from "./segments.js";
import { TwinKeeper } from "./twins.js";
import { type EncodedVectors, encodeVectors, vectorsChecksum } from "./vectors.js";

/** How long the write lock is waited for: readers that create or recover a file hold it for a moment. */
const WRITER_BUSY_TIMEOUT_MS = 250;

/**
 * Documents, and chunks of them, that wait to be written together: many times faster than one by one, and a statement's
 * memory is given back no earlier than the garbage collector comes by.
 */
const WAITING_DOCUMENTS_MAX = 64;
const WAITING_CHUNKS_MAX = 256;

/** How often the terms of the title count in each chunk; found best on ClapNQ, see docs/decisions. */
const TITLE_WEIGHT = 2;

/**
 * Runs in a process of its own, see writer-process.ts. Takes the network's write lock and opens its index, making the
 * file and its folder when they are missing. Rejects with `KnowledgeBusy` while another writer holds the lock, with
 * `KnowledgeUnusable` when the file cannot be used.
 */
export async function openEmbeddedWriter(directory: string, network: string): Promise<KnowledgeWriter> {
  const path = databasePath(directory, network);
  let client: Client | undefined;
  try {
    makePrivateFolder(directory);
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) refuseEmptied(directory, network, undefined);
    else if (!status.isFile()) throw new IndexDamaged("it is no file");
    makePrivateFile(path);
    client = openDatabase(path, WRITER_BUSY_TIMEOUT_MS);
    await client.execute("PRAGMA journal_mode = WAL");
    const transaction = await client.transaction("write");
    await layOut(transaction, network);
    const state = await readState(transaction, network);
    refuseEmptied(directory, network, state);
    return new EmbeddedWriter(client, transaction, directory, network, state!, (error) =>
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
  readonly #twins: TwinKeeper;
  /** By id: each at most once. */
  readonly #waiting = new Map<string, KnowledgeDocument>();
  #waitingChunks = 0;
  /** Of the commit that this writer makes. */
  readonly #generation: number;
  #nextChunk: number;
  #nextRow: number;
  #documentCount: number;
  #chunkCount: number;

  constructor(
    private readonly client: Client,
    private readonly transaction: Transaction,
    private readonly directory: string,
    private readonly network: string,
    private readonly state: IndexState,
    private readonly failure: (error: unknown) => Error,
  ) {
    this.#twins = new TwinKeeper(transaction);
    this.#generation = state.generation + 1;
    this.#nextChunk = state.nextChunk;
    this.#nextRow = state.nextRow;
    this.#documentCount = state.documentCount;
    this.#chunkCount = state.chunkCount;
  }

  documents(): Promise<readonly StoredDocument[]> {
    return this.#guard(() => this.#documents());
  }

  put(document: KnowledgeDocument): Promise<void> {
    return this.#guard(() => this.#put(document));
  }

  remove(documentId: string): Promise<void> {
    return this.#guard(() => this.#remove(documentId));
  }

  commit(source?: string): Promise<CommitSummary> {
    return this.#guard(() => this.#commit(source));
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
    const documents = await readDocuments(this.transaction, 0);
    if (documents.length !== this.#documentCount)
      throw new IndexDamaged(
        `${this.#documentCount} documents were written and ${documents.length} are there`,
      );
    return documents.map(({ columns: { documentId, path, contentHash, usesDefaultVisibility } }) => ({
      documentId,
      path,
      contentHash,
      usesDefaultVisibility: usesDefaultVisibility === 1,
    }));
  }

  async #put(document: KnowledgeDocument): Promise<void> {
    const { documentId, chunks } = document;
    if (this.#waiting.has(documentId)) await this.#writeWaiting();
    this.#waiting.set(documentId, document);
    this.#waitingChunks += chunks.length;
    const isFull = this.#waiting.size >= WAITING_DOCUMENTS_MAX || this.#waitingChunks >= WAITING_CHUNKS_MAX;
    if (isFull) await this.#writeWaiting();
  }

  async #writeWaiting(): Promise<void> {
    if (this.#waiting.size === 0) return;
    await this.#removeStored([...this.#waiting.keys()]);
    const documents = [...this.#waiting.values()].map((document) => this.#numbered(document));
    this.#waiting.clear();
    this.#waitingChunks = 0;
    const keys = await writeDocuments(this.transaction, documents);
    const chunks = documents.flatMap(({ document, firstRow }) =>
      document.chunks.map((chunk, i) => ({
        ...chunk,
        row: firstRow + i,
        document: keys.get(document.documentId)!,
      })),
    );
    await writeChunks(this.transaction, chunks);
    for (const { document, vectors } of documents)
      await this.#putVectors(keys.get(document.documentId)!, vectors);
    for (const { row, text } of chunks) await this.#twins.add(row, text);
    this.#documentCount += documents.length;
    this.#chunkCount += chunks.length;
    if (this.#segment.postingCount >= SEGMENT_POSTINGS_MAX) await this.#segment.write(this.transaction);
  }

  /** Gives its chunks their numbers and rows, and gathers their postings. */
  #numbered(
    document: KnowledgeDocument,
  ): NumberedDocument & { readonly vectors: EncodedVectors | undefined } {
    const { title, chunks } = document;
    const firstChunk = this.#nextChunk;
    const firstRow = this.#nextRow;
    this.#nextRow += chunks.length;
    const termCounts = Uint32Array.from(chunks, (chunk) => this.#index(title, chunk));
    const vectors = encodeVectors(chunks.map(({ vector }) => vector));
    const checksum = vectors === undefined ? null : vectorsChecksum(vectors);
    return { document, firstChunk, firstRow, termCounts, vectors, vectorsChecksum: checksum };
  }

  async #putVectors(key: number, encoded: EncodedVectors | undefined): Promise<void> {
    if (encoded === undefined) return;
    await this.transaction.execute({
      sql: "INSERT INTO vectors (document, dimensions, vectors) VALUES (?, ?, ?)",
      args: [key, encoded.dimensions, encoded.bytes],
    });
  }

  async #remove(documentId: string): Promise<void> {
    await this.#writeWaiting();
    await this.#removeStored([documentId]);
  }

  async #removeStored(documentIds: readonly string[]): Promise<void> {
    const { rows } = await this.transaction.execute({
      sql:
        "SELECT document, first_row, length(term_counts) / 4 AS chunks FROM documents " +
        "WHERE document_id IN (SELECT value FROM json_each(?))",
      args: [JSON.stringify(documentIds)],
    });
    for (const { document, first_row, chunks } of rows)
      await this.#removeRows(Number(document), Number(first_row), Number(chunks));
  }

  async #removeRows(key: number, firstRow: number, chunkCount: number): Promise<void> {
    await this.#twins.remove(firstRow, chunkCount);
    for (const { sql, args } of [
      { sql: "DELETE FROM chunks WHERE row BETWEEN ? AND ?", args: [firstRow, firstRow + chunkCount - 1] },
      { sql: "DELETE FROM vectors WHERE document = ?", args: [key] },
      { sql: "DELETE FROM documents WHERE document = ?", args: [key] },
      { sql: "INSERT INTO removals (generation, document) VALUES (?, ?)", args: [this.#generation, key] },
    ])
      await this.transaction.execute({ sql, args });
    this.#documentCount -= 1;
    this.#chunkCount -= chunkCount;
  }

  async #commit(source: string | undefined): Promise<CommitSummary> {
    await this.#writeWaiting();
    await this.#segment.write(this.transaction);
    const nearDuplicateChunks = await this.#twins.settle();
    const counts = { documentCount: this.#documentCount, chunkCount: this.#chunkCount };
    const { rows } = await this.transaction.execute("SELECT count(*) AS removals FROM removals");
    const removalCount = Number(rows[0]!.removals);
    const isRenumbered = needsRenumbering({ ...counts, removalCount, nextChunk: this.#nextChunk });
    if (isRenumbered) this.#nextChunk = await renumber(this.transaction, this.#nextChunk);
    else await mergeNewest(this.transaction);
    const segmentsChecksum = checksumOfSegments(await readSegments(this.transaction));
    await writeState(this.transaction, this.network, {
      ...counts,
      generation: this.#generation,
      numbering: this.state.numbering + (isRenumbered ? 1 : 0),
      nextChunk: this.#nextChunk,
      nextRow: this.#nextRow,
      segmentsChecksum,
    });
    await this.transaction.commit();
    this.#record(source);
    // Gives the log's space back. Readers at work make it do less, which is no failure.
    await this.client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    return { documents: this.#documentCount, chunks: this.#chunkCount, nearDuplicateChunks };
  }

  #record(source: string | undefined): void {
    const known = readRecord(this.directory, this.network)?.sources ?? [];
    writeRecord(this.directory, {
      network: this.network,
      generation: this.#generation,
      documents: this.#documentCount,
      sources: source === undefined ? known : [source, ...known],
    });
  }

  /** Numbers a chunk and gathers its postings; returns its terms, counted with repetitions. */
  #index(title: string, { headings, text }: KnowledgeChunk): number {
    const titleTerms = analyze(title);
    const terms = Array.from({ length: TITLE_WEIGHT }, () => titleTerms).flat();
    for (const part of [...headings, text]) terms.push(...analyze(part));
    const frequencies = new Map<string, number>();
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    this.#segment.add(this.#nextChunk++, frequencies);
    return terms.length;
  }
}
