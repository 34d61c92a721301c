/** What the documents of a network are called and which headings they have; see `Retrieval.outline`. */
import type { Access } from "../../domain/user.js";
import { mayRead } from "../access.js";
import { innermostHeadings } from "../headings.js";
import type { DocumentOutline, OutlineLimits } from "../port.js";
import type { Catalogue, CatalogueDocument } from "./catalogue.js";
import { readChunks } from "./chunk-rows.js";
import type { Transaction } from "./database.js";

/** Chunks of a document whose headings are looked at. */
const CHUNKS_PER_DOCUMENT_MAX = 64;

/** The documents of the reader's view, those that came last first. */
export async function outlineOf(
  transaction: Transaction,
  catalogue: Catalogue,
  access: Access,
  { documentsMax, headingsMax }: OutlineLimits,
): Promise<DocumentOutline[]> {
  const { readable } = catalogue.view(access);
  const documents: CatalogueDocument[] = [];
  for (let index = readable.length - 1; index >= 0 && documents.length < documentsMax; index--) {
    if (readable[index] === 1) documents.push(catalogue.documentAt(index));
  }
  const headings = headingsMax === 0 ? new Map() : await headingsByRow(transaction, documents);
  return documents
    .filter((document) => mayRead(access, document.access))
    .map(({ documentId, title, revision, access: granted, firstRow, chunkCount }) => ({
      documentId,
      title,
      ...(revision === undefined ? {} : { revision }),
      headings: innermostHeadings(
        Array.from({ length: Math.min(chunkCount, CHUNKS_PER_DOCUMENT_MAX) }, (_, at) =>
          headings.get(firstRow + at),
        ),
        headingsMax,
      ),
      access: granted,
    }));
}

async function headingsByRow(
  transaction: Transaction,
  documents: readonly CatalogueDocument[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const wanted = documents.flatMap(({ firstRow, chunkCount }) =>
    Array.from({ length: Math.min(chunkCount, CHUNKS_PER_DOCUMENT_MAX) }, (_, at) => firstRow + at),
  );
  return new Map((await readChunks(transaction, wanted)).map(({ row, headings }) => [row, headings]));
}
