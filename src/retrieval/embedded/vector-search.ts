/**
 * The leg `vector`: the vectors of a network, loaded when they are first asked for and then kept up to date with its
 * catalogue. A network that is never asked for them spends nothing on them.
 */
import type { Catalogue } from "./catalogue.js";
import { verify } from "./checksum.js";
import type { Transaction } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";
import type { ChunkHit, ReadableChunks } from "./rank.js";
import { VectorIndex } from "./vector-index.js";
import { decodeVectors, vectorsChecksum } from "./vectors.js";

/** The stored vectors do not go with the query's; the message says what to do. */
export class VectorsUnfit extends Error {
  override readonly name = "VectorsUnfit";
}

interface VectorSnapshot {
  /** Another one means that chunks were numbered anew. */
  readonly catalogue: Catalogue;
  /** Undefined while there is no vector, or while there are vectors of several lengths. */
  readonly index: VectorIndex | undefined;
  /** The different lengths of the stored vectors. */
  readonly dimensions: ReadonlySet<number>;
  /** Documents up to this key have been read. */
  readonly lastKey: number;
}

export class VectorSearch {
  #loaded: VectorSnapshot | undefined;

  /** The nearest chunks in the view. Throws `VectorsUnfit` when what is stored cannot be compared with `vector`. */
  async nearest(
    transaction: Transaction,
    catalogue: Catalogue,
    vector: Float32Array,
    view: ReadableChunks,
    limit: number,
  ): Promise<ChunkHit[]> {
    const { index, dimensions } = await this.#upToDate(transaction, catalogue);
    if (dimensions.size > 1)
      throw unfit(`vectors of ${[...dimensions].join(" and ")} dimensions are stored together`);
    if (index === undefined) {
      if (catalogue.table.documentOfChunk.every((document) => document < 0)) return [];
      throw unfit("no vectors are stored");
    }
    if (index.dimensions !== vector.length)
      throw unfit(`the stored vectors have ${index.dimensions} dimensions, the query's has ${vector.length}`);
    return index.nearest(vector, catalogue.table, view, limit);
  }

  async #upToDate(transaction: Transaction, catalogue: Catalogue): Promise<VectorSnapshot> {
    const known = this.#loaded;
    if (known?.catalogue === catalogue && known.lastKey === catalogue.lastKey) return known;
    const isMore = known?.catalogue === catalogue && known.index !== undefined;
    this.#loaded = undefined;
    const more = isMore ? await load(transaction, catalogue, known) : undefined;
    // Vectors of another length may have replaced all of the known ones.
    const isOneLength = more !== undefined && more.dimensions.size === 1;
    this.#loaded = isOneLength ? more : await load(transaction, catalogue, undefined);
    return this.#loaded;
  }
}

function unfit(what: string): VectorsUnfit {
  return new VectorsUnfit(
    `${what}. Ingest all documents again with the embedder that is configured now, or take the leg vector out of ` +
      "retrieval.legs.",
  );
}

async function load(
  transaction: Transaction,
  catalogue: Catalogue,
  known: VectorSnapshot | undefined,
): Promise<VectorSnapshot> {
  let index = known?.index;
  const dimensions = new Set(known?.dimensions);
  const { rows: sizes } = await transaction.execute({
    sql: "SELECT DISTINCT dimensions FROM vectors WHERE document > ?",
    args: [known?.lastKey ?? 0],
  });
  for (const row of sizes) dimensions.add(Number(row.dimensions));
  let lastKey = known?.lastKey ?? 0;
  let loaded = 0;
  const expected = catalogue.countWithVectors(lastKey);
  while (dimensions.size === 1) {
    const { rows } = await transaction.execute({
      sql: `SELECT document, dimensions, vectors FROM vectors WHERE document > ? ORDER BY document LIMIT ${DOCUMENTS_PER_SELECT}`,
      args: [lastKey],
    });
    for (const row of rows) {
      lastKey = Number(row.document);
      const length = Number(row.dimensions);
      index ??= new VectorIndex(length, catalogue.table.documentOfChunk.length);
      const at = catalogue.indexOfKey(lastKey);
      if (at === undefined) throw new IndexDamaged("vectors have no document");
      const document = catalogue.documentAt(at);
      const bytes = row.vectors as ArrayBuffer;
      const checksum = vectorsChecksum({ dimensions: length, bytes: new Uint8Array(bytes) });
      verify(`the vectors of ${document.documentId}`, document.vectorsChecksum, checksum);
      index.add(document.firstChunk, decodeVectors(bytes, length, document.chunkCount));
      loaded += 1;
    }
    if (rows.length < DOCUMENTS_PER_SELECT) break;
  }
  if (dimensions.size < 2 && loaded !== expected)
    throw new IndexDamaged(`the vectors of ${expected} documents were written and ${loaded} are there`);
  return { catalogue, index, dimensions, lastKey: catalogue.lastKey };
}

/** Reads all vectors. Throws `IndexDamaged` when they are not those that were written. */
export async function verifyVectors(transaction: Transaction, catalogue: Catalogue): Promise<void> {
  await load(transaction, catalogue, undefined);
}

/** Rows that are in memory at once. */
const DOCUMENTS_PER_SELECT = 500;
