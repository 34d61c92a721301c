/**
 * The documents of one network as of one commit, in memory: who may read each, which revision it is, which chunks
 * it has. From it comes what one reader sees. catalogue-loading.ts fills it and brings it up to date.
 */
import type { DocumentAccess } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import { mayRead } from "../access.js";
import type { ChunkTable, ReadableChunks } from "./rank.js";
import { RevisionFamilies } from "./revision-families.js";

export interface CatalogueDocument {
  /** The row's key in the tables `documents` and `vectors`. */
  readonly key: number;
  readonly documentId: string;
  readonly path: string;
  readonly sourceFile: string;
  readonly title: string;
  readonly revision: string | undefined;
  /** One value for all documents of the same access. */
  readonly access: DocumentAccess;
  readonly usesDefaultVisibility: boolean;
  readonly firstChunk: number;
  /** The row of its first chunk. */
  readonly firstRow: number;
  readonly chunkCount: number;
  /** Terms of all its chunks. */
  readonly termCount: number;
  /** Of the vectors of its chunks; null where they have none. */
  readonly vectorsChecksum: number | null;
}

export class Catalogue {
  /** By index; undefined where a document is gone. Indices are never used again. */
  readonly #documents: (CatalogueDocument | undefined)[] = [];
  readonly #indexById = new Map<string, number>();
  readonly #indexByKey = new Map<number, number>();
  readonly #families = new RevisionFamilies((index) => this.documentAt(index));
  readonly #table = new GrowingChunkTable();
  readonly #facts = new DocumentFacts();

  /** The highest key of a document that was ever added. */
  lastKey = 0;

  /** By stored form, so that documents of the same access share one value and a search asks once for all of them. */
  readonly accesses = new Map<string, DocumentAccess>();

  get documentCount(): number {
    return this.#indexByKey.size;
  }

  get table(): ChunkTable {
    return this.#table;
  }

  *documents(): Iterable<CatalogueDocument> {
    for (const document of this.#documents) if (document !== undefined) yield document;
  }

  /** Makes room for chunks below this number, gone ones included: posting lists may name them. */
  growTo(nextChunk: number): void {
    this.#table.grow(nextChunk);
  }

  /** Adds a document; `termCounts` has one entry for each of its chunks. */
  add(document: CatalogueDocument, termCounts: Uint32Array): void {
    const index = this.#documents.push(document) - 1;
    this.#indexById.set(document.documentId, index);
    this.#indexByKey.set(document.key, index);
    this.#families.add(index);
    this.#table.set(document.firstChunk, index, termCounts);
    this.#facts.set(index, document);
    this.lastKey = Math.max(this.lastKey, document.key);
  }

  /** Removes the document with this key; one that never came is no error. */
  remove(key: number): void {
    const index = this.#indexByKey.get(key);
    if (index === undefined) return;
    const { documentId, firstChunk, chunkCount } = this.documentAt(index);
    this.#families.remove(index);
    this.#table.clear(firstChunk, chunkCount);
    this.#indexByKey.delete(key);
    // Its successor may have come already.
    if (this.#indexById.get(documentId) === index) this.#indexById.delete(documentId);
    this.#documents[index] = undefined;
    this.#facts.clear(index);
  }

  indexOfKey(key: number): number | undefined {
    return this.#indexByKey.get(key);
  }

  /** Documents beyond this key whose chunks have vectors. */
  countWithVectors(beyondKey: number): number {
    let count = 0;
    for (const { key, vectorsChecksum } of this.documents())
      if (key > beyondKey && vectorsChecksum !== null) count += 1;
    return count;
  }

  find(documentId: string): CatalogueDocument | undefined {
    const index = this.#indexById.get(documentId);
    return index === undefined ? undefined : this.documentAt(index);
  }

  /** The document of a chunk that exists. */
  documentOf(chunk: number): CatalogueDocument {
    return this.documentAt(this.table.documentOfChunk[chunk]!);
  }

  documentAt(index: number): CatalogueDocument {
    return this.#documents[index]!;
  }

  /** Which of these documents exist and may be read; superseded ones count. */
  readable(documentIds: readonly string[], access: Access): string[] {
    return documentIds.filter((id) => {
      const document = this.find(id);
      return document !== undefined && mayRead(access, document.access);
    });
  }

  /**
   * What `access` may search: documents that it may read, less the superseded ones. Superseded means that a newer
   * revision is there *for this reader*: a draft for two editors takes nothing from everybody else.
   */
  view(access: Access): ReadableChunks {
    const readable = this.#facts.readable((document) => mayRead(access, document));
    this.#families.dropSuperseded(readable);
    return this.#facts.viewOf(readable);
  }

  /** What an operator sees: everything, superseded or not. */
  viewOfAll(): ReadableChunks {
    return this.#facts.viewOf(this.#facts.readable(() => true));
  }

  /** Older revisions of a document that the reader may read as well, newest first, each once. */
  supersedes(document: CatalogueDocument, access: Access): string[] {
    const older = this.#families.olderThan(this.#indexByKey.get(document.key)!);
    const revisions = older
      .map((index) => this.documentAt(index))
      .filter((one) => mayRead(access, one.access))
      .map(({ revision }) => revision!);
    return [...new Set(revisions)];
  }

  /** The newest revision of a document's title that is newer than it and for which `counts` holds. */
  supersededBy(
    document: CatalogueDocument,
    counts: (newer: CatalogueDocument) => boolean,
  ): CatalogueDocument | undefined {
    const newer = this.#families.newerThan(this.#indexByKey.get(document.key)!);
    return newer.map((index) => this.documentAt(index)).find(counts);
  }
}

/** What a view is made of, by document index, in arrays: a search looks at all documents. */
class DocumentFacts {
  /** The different accesses, and which of them each document has; -1 where a document is gone. */
  readonly #accesses: DocumentAccess[] = [];
  readonly #placeOfAccess = new Map<DocumentAccess, number>();
  #accessOf = new Int32Array(64);
  #chunkCounts = new Uint32Array(64);
  #termCounts = new Float64Array(64);
  #size = 0;

  set(index: number, { access, chunkCount, termCount }: CatalogueDocument): void {
    if (index >= this.#accessOf.length) {
      this.#accessOf = doubled(this.#accessOf);
      this.#chunkCounts = doubled(this.#chunkCounts);
      this.#termCounts = doubled(this.#termCounts);
    }
    let place = this.#placeOfAccess.get(access);
    if (place === undefined) {
      place = this.#accesses.push(access) - 1;
      this.#placeOfAccess.set(access, place);
    }
    this.#accessOf[index] = place;
    this.#chunkCounts[index] = chunkCount;
    this.#termCounts[index] = termCount;
    this.#size = index + 1;
  }

  clear(index: number): void {
    this.#accessOf[index] = -1;
  }

  /** By document index: 1 for those that exist and of whose access the rule, asked once for each, says yes. */
  readable(rule: (access: DocumentAccess) => boolean): Uint8Array {
    const verdicts = Uint8Array.from(this.#accesses, (access) => (rule(access) ? 1 : 0));
    const readable = new Uint8Array(this.#size);
    for (let index = 0; index < readable.length; index++) {
      const place = this.#accessOf[index]!;
      if (place >= 0) readable[index] = verdicts[place]!;
    }
    return readable;
  }

  viewOf(readable: Uint8Array): ReadableChunks {
    let chunkCount = 0;
    let termCount = 0;
    for (let index = 0; index < readable.length; index++) {
      if (readable[index] === 0) continue;
      chunkCount += this.#chunkCounts[index]!;
      termCount += this.#termCounts[index]!;
    }
    return { readable, chunkCount, termsPerChunk: termCount / Math.max(1, chunkCount) };
  }
}

function doubled<A extends Int32Array | Uint32Array | Float64Array>(array: A): A {
  const grown = new (array.constructor as new (size: number) => A)(array.length * 2);
  grown.set(array);
  return grown;
}

/** Chunk numbers only grow, and so do these arrays. */
class GrowingChunkTable implements ChunkTable {
  documentOfChunk = new Int32Array(0);
  termsOfChunk = new Uint32Array(0);
  #documents = new Int32Array(1024).fill(-1);
  #terms = new Uint32Array(1024);

  set(firstChunk: number, document: number, termCounts: Uint32Array): void {
    const end = firstChunk + termCounts.length;
    this.grow(end);
    this.#terms.set(termCounts, firstChunk);
    this.#documents.fill(document, firstChunk, end);
  }

  /** Makes room for the chunks below `size`. */
  grow(size: number): void {
    if (size <= this.documentOfChunk.length) return;
    this.#reserve(size);
    this.documentOfChunk = this.#documents.subarray(0, size);
    this.termsOfChunk = this.#terms.subarray(0, size);
  }

  clear(firstChunk: number, chunkCount: number): void {
    this.#documents.fill(-1, firstChunk, firstChunk + chunkCount);
  }

  #reserve(size: number): void {
    if (size <= this.#documents.length) return;
    const capacity = Math.max(size, this.#documents.length * 2);
    const documents = new Int32Array(capacity).fill(-1);
    const terms = new Uint32Array(capacity);
    documents.set(this.#documents);
    terms.set(this.#terms);
    this.#documents = documents;
    this.#terms = terms;
  }
}
