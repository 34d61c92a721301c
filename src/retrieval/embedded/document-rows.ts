/** Writes the rows of the table `documents`. */
import type { KnowledgeDocument } from "../writer.js";
import { encodeAccess } from "./access-column.js";
import { checksumOf, checksumWith } from "./checksum.js";
import type { Transaction } from "./database.js";

/** A document whose chunks have their numbers and rows. */
export interface NumberedDocument {
  readonly document: KnowledgeDocument;
  readonly firstChunk: number;
  readonly firstRow: number;
  /** How many terms each chunk has. */
  readonly termCounts: Uint32Array;
  /** Of the vectors of its chunks; null where they have none. */
  readonly vectorsChecksum: number | null;
}

/** The columns of a row of `documents` as they are stored, but for its key, its place and its counts of terms. */
export interface DocumentColumns {
  readonly documentId: string;
  readonly path: string;
  readonly sourceFile: string;
  readonly contentHash: string;
  readonly title: string;
  readonly revision: string | null;
  readonly access: string;
  readonly usesDefaultVisibility: number;
  readonly firstRow: number;
  readonly vectorsChecksum: number | null;
}

/** The checksum of a row of `documents`. */
export function documentChecksum(
  columns: DocumentColumns,
  firstChunk: number,
  termCounts: Uint8Array,
): number {
  const { documentId, path, sourceFile, contentHash, title, revision, access } = columns;
  const { usesDefaultVisibility, firstRow, vectorsChecksum } = columns;
  const texts = [documentId, path, sourceFile, contentHash, title, revision, access];
  const own = checksumWith([...texts, usesDefaultVisibility, firstRow, vectorsChecksum], termCounts);
  return (own ^ placeChecksum(firstRow, firstChunk)) >>> 0;
}

/** What the number of its first chunk adds to a document's checksum: chunks are numbered anew now and then. */
export function placeChecksum(firstRow: number, firstChunk: number): number {
  return checksumOf([firstRow, firstChunk]);
}

const COLUMNS = [
  "document_id",
  "path",
  "source_file",
  "content_hash",
  "title",
  "revision",
  "access",
  "uses_default_visibility",
  "first_chunk",
  "first_row",
  "term_counts",
  "vectors_checksum",
  "checksum",
];

/** Adds documents, none of which is there, in one statement; returns the key that each got, by its id. */
export async function writeDocuments(
  transaction: Transaction,
  documents: readonly NumberedDocument[],
): Promise<ReadonlyMap<string, number>> {
  const values = `(${COLUMNS.map(() => "?").join(", ")})`;
  const { rows } = await transaction.execute({
    sql:
      `INSERT INTO documents (${COLUMNS.join(", ")}) VALUES ${documents.map(() => values).join(", ")} ` +
      "RETURNING document_id, document",
    args: documents.flatMap(valuesOf),
  });
  return new Map(rows.map(({ document_id, document }) => [document_id as string, Number(document)]));
}

/** In the order of `COLUMNS`. */
function valuesOf({ document, firstChunk, firstRow, termCounts, vectorsChecksum }: NumberedDocument) {
  const { documentId, path, sourceFile, contentHash, title } = document;
  const access = encodeAccess(document.access);
  const usesDefaultVisibility = document.usesDefaultVisibility ? 1 : 0;
  const revision = document.revision ?? null;
  const texts = { documentId, path, sourceFile, contentHash, title, revision, access };
  const counts = new Uint8Array(termCounts.buffer);
  const checksum = documentChecksum(
    { ...texts, usesDefaultVisibility, firstRow, vectorsChecksum },
    firstChunk,
    counts,
  );
  return [
    documentId,
    path,
    sourceFile,
    contentHash,
    title,
    revision,
    access,
    usesDefaultVisibility,
    firstChunk,
    firstRow,
    counts,
    vectorsChecksum,
    checksum,
  ];
}
