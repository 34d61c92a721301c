/**
 * Fills a catalogue from the database and brings it up to date: with what came and went since, unless chunks were
 * numbered anew. Runs inside a read transaction.
 */
import { decodeAccess } from "./access-column.js";
import { Catalogue } from "./catalogue.js";
import { verify } from "./checksum.js";
import type { IndexState, Transaction } from "./database.js";
import { type DocumentColumns, documentChecksum } from "./document-rows.js";
import { IndexDamaged } from "./index-damaged.js";
import { readSegments, type Segment, verifySegments } from "./segments.js";

/** A catalogue and the commit that it shows. */
export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  readonly generation: number;
  readonly numbering: number;
  readonly segments: readonly Segment[];
}

/** The catalogue of the commit that `state` tells of. `known` is changed to be it where that is possible. */
export async function loadCatalogue(
  transaction: Transaction,
  network: string,
  { generation, numbering, nextChunk, documentCount, segmentsChecksum }: IndexState,
  known: LoadedCatalogue | undefined,
): Promise<LoadedCatalogue> {
  if (known?.generation === generation) return known;
  const isSameNumbering = known?.numbering === numbering;
  const catalogue = isSameNumbering ? known.catalogue : new Catalogue();
  catalogue.growTo(nextChunk);
  if (isSameNumbering) await removeGone(transaction, catalogue, known.generation);
  await addNew(transaction, catalogue, network);
  if (catalogue.documentCount !== documentCount)
    throw new IndexDamaged(
      `${documentCount} documents were written and ${catalogue.documentCount} are there`,
    );
  const segments = await readSegments(transaction);
  verifySegments(segments, segmentsChecksum);
  return { catalogue, generation, numbering, segments };
}

async function removeGone(transaction: Transaction, catalogue: Catalogue, since: number): Promise<void> {
  const { rows } = await transaction.execute({
    sql: "SELECT document FROM removals WHERE generation > ?",
    args: [since],
  });
  for (const row of rows) catalogue.remove(Number(row.document));
}

/** As one JSON text for each document: the package's own rows take twice the time, with every column a property. */
const DOCUMENTS =
  "SELECT json_array(document, document_id, path, source_file, title, revision, access, " +
  "uses_default_visibility, first_chunk, first_row, content_hash, vectors_checksum, checksum), term_counts " +
  "FROM documents WHERE document > ? " +
  "ORDER BY document";

type LoadedColumns = [
  document: number,
  documentId: string,
  path: string,
  sourceFile: string,
  title: string,
  revision: string | null,
  access: string,
  usesDefaultVisibility: number,
  firstChunk: number,
  firstRow: number,
  contentHash: string,
  vectorsChecksum: number | null,
  checksum: number,
];

async function addNew(transaction: Transaction, catalogue: Catalogue, network: string): Promise<void> {
  const { accesses } = catalogue;
  for (const { key, firstChunk, columns, termCounts } of await readDocuments(
    transaction,
    catalogue.lastKey,
  )) {
    const { access: stored, revision, usesDefaultVisibility, ...rest } = columns;
    const access = accesses.get(stored) ?? decodeAccess(network, stored);
    accesses.set(stored, access);
    const document = {
      ...rest,
      key,
      revision: revision ?? undefined,
      access,
      usesDefaultVisibility: usesDefaultVisibility === 1,
      firstChunk,
      chunkCount: termCounts.length,
      termCount: termCounts.reduce((sum, count) => sum + count, 0),
    };
    catalogue.add(document, termCounts);
  }
}

interface StoredRow {
  readonly key: number;
  readonly firstChunk: number;
  readonly columns: DocumentColumns;
  readonly termCounts: Uint32Array;
}

/** The rows of `documents` beyond this key, in their order. Throws `IndexDamaged` when one is not as it was written. */
export async function readDocuments(transaction: Transaction, beyondKey: number): Promise<StoredRow[]> {
  const { rows } = await transaction.execute({ sql: DOCUMENTS, args: [beyondKey] });
  return rows.map((row) => {
    const parsed = JSON.parse(row[0] as string) as LoadedColumns;
    const [key, documentId, path, sourceFile, title, revision, access, usesDefaultVisibility] = parsed;
    const [, , , , , , , , firstChunk, firstRow, contentHash, vectorsChecksum, checksum] = parsed;
    const texts = { documentId, path, sourceFile, contentHash, title, revision, access };
    const columns = { ...texts, usesDefaultVisibility, firstRow, vectorsChecksum };
    const bytes = row[1] as ArrayBuffer;
    verify(
      `the document ${documentId}`,
      checksum,
      documentChecksum(columns, firstChunk, new Uint8Array(bytes)),
    );
    return { key, firstChunk, columns, termCounts: new Uint32Array(bytes) };
  });
}
