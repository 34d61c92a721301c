/** What an operator is shown of a network's index; see ../inspector.ts. */
import type { PassageName } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import { accessDecision, mayRead } from "../access.js";
import {
  type ChunkDetail,
  type DocumentDetail,
  type DocumentSummary,
  type InspectedChunk,
  summaryOf,
  type TermScore,
} from "../inspector.js";
import type { Catalogue, CatalogueDocument } from "./catalogue.js";
import { type ChunkRow, readChunks } from "./chunk-rows.js";
import type { Transaction } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";
import type { ChunkHit } from "./rank.js";
import { twinsOf } from "./twins.js";

export function documentSummary(catalogue: Catalogue, document: CatalogueDocument): DocumentSummary {
  return summaryOf(
    document,
    catalogue.supersededBy(document, () => true),
  );
}

export async function documentDetail(
  transaction: Transaction,
  catalogue: Catalogue,
  document: CatalogueDocument,
): Promise<DocumentDetail> {
  const wanted = Array.from({ length: document.chunkCount }, (_, i) => document.firstRow + i);
  const chunks: ChunkDetail[] = [];
  for (const { row, chunkId, headings, page, kind, text } of await readChunks(transaction, wanted)) {
    const twins = await twinsOf(transaction, row, text);
    const nearDuplicates = await namesOf(transaction, catalogue, twins);
    chunks.push({
      chunkId,
      headings,
      ...(page === undefined ? {} : { page }),
      kind,
      text,
      nearDuplicates,
    });
  }
  return { ...documentSummary(catalogue, document), chunks };
}

/** A hit of a ranking over everything, as it concerns one reader. */
export function candidate(
  catalogue: Catalogue,
  reader: Access,
  { chunk, score }: ChunkHit,
  { chunkId, headings, page }: ChunkRow,
  terms: readonly TermScore[],
): InspectedChunk {
  const document = catalogue.documentOf(chunk);
  const { documentId, title, revision, access } = document;
  const newer = catalogue.supersededBy(document, (one) => mayRead(reader, one.access));
  return {
    chunkId,
    documentId,
    title,
    ...(revision === undefined ? {} : { revision }),
    headings,
    ...(page === undefined ? {} : { page }),
    score,
    decision: accessDecision(reader, access),
    ...(newer === undefined ? {} : { supersededBy: newer.documentId }),
    terms,
  };
}

async function namesOf(
  transaction: Transaction,
  catalogue: Catalogue,
  rows: readonly number[],
): Promise<PassageName[]> {
  const { rows: found } = await transaction.execute({
    sql: "SELECT chunk_id, document FROM chunks WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row",
    args: [JSON.stringify(rows)],
  });
  return found.map(({ chunk_id, document }) => {
    const index = catalogue.indexOfKey(Number(document));
    if (index === undefined) throw new IndexDamaged("a chunk has no document");
    const { documentId, title } = catalogue.documentAt(index);
    return { chunkId: chunk_id as string, documentId, title };
  });
}
