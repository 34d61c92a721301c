/** Writes the rows of the table `documents`. */
import type { KnowledgeDocument } from "../writer.js";
import { encodeAccess } from "./catalogue-loading.js";
import type { Transaction } from "./database.js";

/** A document whose chunks have their numbers and rows. */
export interface NumberedDocument {
  readonly document: KnowledgeDocument;
  readonly firstChunk: number;
  readonly firstRow: number;
  /** How many terms each chunk has. */
  readonly termCounts: Uint32Array;
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
    args: documents.flatMap(({ document, firstChunk, firstRow, termCounts }) => [
      document.documentId,
      document.path,
      document.sourceFile,
      document.contentHash,
      document.title,
      document.revision ?? null,
      encodeAccess(document.access),
      document.usesDefaultVisibility ? 1 : 0,
      firstChunk,
      firstRow,
      new Uint8Array(termCounts.buffer),
    ]),
  });
  return new Map(rows.map(({ document_id, document }) => [document_id as string, Number(document)]));
}
