/**
 * The documents of one network as of one commit, in memory: who may read each, which revision it is, which chunks
 * it has. From it comes what one reader sees.
 */
import type { DocumentAccess, Visibility } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import { mayRead } from "../access.js";
import { compareRevisions, titleKey } from "../revision.js";
import type { IndexState, Transaction } from "./database.js";
import type { ChunkTable, View } from "./rank.js";

export interface CatalogueDocument {
  /** The row's key in the tables `documents` and `chunks`. */
  readonly key: number;
  readonly documentId: string;
  readonly title: string;
  readonly revision: string | undefined;
  readonly access: DocumentAccess;
  readonly firstChunk: number;
  readonly chunkCount: number;
  /** Terms of all its chunks. */
  readonly termCount: number;
}

/** Reads the documents of `network` inside a read transaction. */
export async function loadCatalogue(
  transaction: Transaction,
  network: string,
  state: IndexState,
): Promise<Catalogue> {
  const { rows } = await transaction.execute(
    "SELECT document, document_id, title, revision, access, first_chunk, term_counts FROM documents",
  );
  const documentOfChunk = new Int32Array(state.nextChunk).fill(-1);
  const termsOfChunk = new Uint32Array(state.nextChunk);
  // Documents with the same access share one value, so that a search asks once for all of them.
  const accesses = new Map<string, DocumentAccess>();
  const documents = rows.map((row, index): CatalogueDocument => {
    const counts = new Uint32Array(row.term_counts as ArrayBuffer);
    const firstChunk = Number(row.first_chunk);
    termsOfChunk.set(counts, firstChunk);
    documentOfChunk.fill(index, firstChunk, firstChunk + counts.length);
    const stored = row.access as string;
    const access = accesses.get(stored) ?? decodeAccess(network, stored);
    accesses.set(stored, access);
    return {
      key: Number(row.document),
      documentId: row.document_id as string,
      title: row.title as string,
      revision: (row.revision as string | null) ?? undefined,
      access,
      firstChunk,
      chunkCount: counts.length,
      termCount: counts.reduce((sum, count) => sum + count, 0),
    };
  });
  return new Catalogue(state.generation, documents, { documentOfChunk, termsOfChunk });
}

export class Catalogue {
  readonly #byId: ReadonlyMap<string, CatalogueDocument>;
  readonly #families: readonly RevisionFamily[];

  constructor(
    readonly generation: number,
    readonly documents: readonly CatalogueDocument[],
    readonly table: ChunkTable,
  ) {
    this.#byId = new Map(documents.map((document) => [document.documentId, document]));
    this.#families = revisionFamilies(documents);
  }

  /** The document of a chunk that exists. */
  documentOf(chunk: number): CatalogueDocument {
    return this.documents[this.table.documentOfChunk[chunk]!]!;
  }

  /** Which of these documents exist and may be read; superseded ones count. */
  readable(documentIds: readonly string[], access: Access): string[] {
    return documentIds.filter((id) => {
      const document = this.#byId.get(id);
      return document !== undefined && mayRead(access, document.access);
    });
  }

  /**
   * What `access` may search: documents that it may read, less the superseded ones. Superseded means that a newer
   * revision is there *for this reader*: a draft for two editors takes nothing from everybody else.
   */
  view(access: Access): View {
    const readable = new Uint8Array(this.documents.length);
    const verdicts = new Map<DocumentAccess, number>();
    this.documents.forEach(({ access: documentAccess }, index) => {
      const verdict = verdicts.get(documentAccess) ?? (mayRead(access, documentAccess) ? 1 : 0);
      verdicts.set(documentAccess, verdict);
      readable[index] = verdict;
    });
    for (const family of this.#families) dropSuperseded(family, readable);
    let chunkCount = 0;
    let termCount = 0;
    this.documents.forEach((document, index) => {
      if (readable[index] === 0) return;
      chunkCount += document.chunkCount;
      termCount += document.termCount;
    });
    return { readable, chunkCount, termsPerChunk: termCount / Math.max(1, chunkCount) };
  }
}

/** How a document's access is stored; `decodeAccess` reads it. */
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

/** Indices of the documents with one title, newest revision first; equal revisions share an entry. */
type RevisionFamily = readonly (readonly number[])[];

function revisionFamilies(documents: readonly CatalogueDocument[]): RevisionFamily[] {
  const byTitle = new Map<string, number[]>();
  documents.forEach(({ title, revision }, index) => {
    if (revision === undefined) return;
    const key = titleKey(title);
    const members = byTitle.get(key);
    if (members === undefined) byTitle.set(key, [index]);
    else members.push(index);
  });
  const order = (a: number, b: number) => compareRevisions(documents[a]!.revision!, documents[b]!.revision!);
  return [...byTitle.values()]
    .map((members) => groupAdjacent(members.toSorted(order).reverse(), (a, b) => order(a, b) === 0))
    .filter((family) => family.length > 1);
}

function groupAdjacent(sorted: readonly number[], same: (a: number, b: number) => boolean): number[][] {
  const groups: number[][] = [];
  for (const member of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && same(last[0]!, member)) last.push(member);
    else groups.push([member]);
  }
  return groups;
}

function dropSuperseded(family: RevisionFamily, readable: Uint8Array): void {
  const current = family.findIndex((revision) => revision.some((index) => readable[index] === 1));
  for (const revision of family.slice(current + 1)) for (const index of revision) readable[index] = 0;
}
