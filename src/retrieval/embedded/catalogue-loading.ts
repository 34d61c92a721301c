/**
 * Fills a catalogue from the database and brings it up to date: with what came and went since, unless chunks were
 * numbered anew. Runs inside a read transaction.
 */
import type { DocumentAccess, Visibility } from "../../domain/passage.js";
import { Catalogue } from "./catalogue.js";
import type { IndexState, Transaction } from "./database.js";

/** A catalogue and the commit that it shows. */
export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  readonly generation: number;
  readonly numbering: number;
}

/** The catalogue of the commit that `state` tells of. `known` is changed to be it where that is possible. */
export async function loadCatalogue(
  transaction: Transaction,
  network: string,
  { generation, numbering, nextChunk }: IndexState,
  known: LoadedCatalogue | undefined,
): Promise<LoadedCatalogue> {
  if (known?.generation === generation) return known;
  const isSameNumbering = known?.numbering === numbering;
  const catalogue = isSameNumbering ? known.catalogue : new Catalogue();
  catalogue.growTo(nextChunk);
  if (isSameNumbering) await removeGone(transaction, catalogue, known.generation);
  await addNew(transaction, catalogue, network);
  return { catalogue, generation, numbering };
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
  "uses_default_visibility, first_chunk, first_row), term_counts FROM documents WHERE document > ? " +
  "ORDER BY document";

type DocumentColumns = [
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
];

async function addNew(transaction: Transaction, catalogue: Catalogue, network: string): Promise<void> {
  const { rows } = await transaction.execute({ sql: DOCUMENTS, args: [catalogue.lastKey] });
  const { accesses } = catalogue;
  for (const row of rows) {
    const columns = JSON.parse(row[0] as string) as DocumentColumns;
    const [key, documentId, path, sourceFile, title, revision, stored, isDefault, firstChunk, firstRow] =
      columns;
    const termCounts = new Uint32Array(row[1] as ArrayBuffer);
    const access = accesses.get(stored) ?? decodeAccess(network, stored);
    accesses.set(stored, access);
    const document = {
      key,
      documentId,
      path,
      sourceFile,
      title,
      revision: revision ?? undefined,
      access,
      usesDefaultVisibility: isDefault === 1,
      firstChunk,
      firstRow,
      chunkCount: termCounts.length,
      termCount: termCounts.reduce((sum, count) => sum + count, 0),
    };
    catalogue.add(document, termCounts);
  }
}

/** How a document's access is stored. */
export function encodeAccess({
  visibility,
  allowedUsers,
  allowedGroups,
}: Omit<DocumentAccess, "network">): string {
  return JSON.stringify([visibility, allowedUsers, allowedGroups]);
}

function decodeAccess(network: string, stored: string): DocumentAccess {
  const [visibility, allowedUsers, allowedGroups] = JSON.parse(stored) as [Visibility, string[], string[]];
  return { network, visibility, allowedUsers, allowedGroups };
}
