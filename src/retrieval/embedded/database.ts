/**
 * The database files of the embedded engine: one SQLite file per network, so that a query cannot even reach another
 * tenant's text. Opening, naming and layout, and the only place that knows the package underneath; reading is
 * network-index.ts, writing is embedded-writer.ts.
 *
 * The files are in WAL mode. A writer holds the write lock from its first read to its commit, which makes it the only
 * one; readers go on with the last commit meanwhile. The lock and everything uncommitted die with the process.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient, LibsqlError, type Transaction } from "@libsql/client/sqlite3";
import { bringUpToDate, type Layouts, LayoutUnknown, newestLayout, storedLayout } from "../../lib/layouts.js";
import { checksumOf, verify } from "./checksum.js";
import { IndexDamaged } from "./index-damaged.js";

export type { Client, Transaction };

/**
 * Chunks are numbered through the network in the order in which they came (`next_chunk` is the next number), and the
 * chunks of a document in a row from `first_chunk`. Numbers are not used again until all chunks are numbered anew,
 * which `numbering` counts. Posting lists name chunks by number, and may name chunks that are gone; see segments.ts
 * for the segments and postings.ts for the bytes of a list. Everything else names a chunk by its row in `chunks`, which
 * is never used again; a document's rows follow each other from `first_row`.
 *
 * `term_counts` holds the terms of each chunk as 32-bit little-endian numbers, `vectors` the vectors of a document's
 * chunks as vectors.ts encodes them. Every row that an answer depends on carries its `checksum`, see checksum.ts; what is
 * missing altogether is found by `document_count`, by the checksum of a document's vectors in its own row, by the terms
 * that a segment says it has, and by `segments_checksum`. `removals` says which documents went with which commit since the last numbering,
 * so that a reader brings its catalogue up to date without reading it whole. `bands` and `chunks.twin` serve
 * near-duplicates, see twins.ts.
 */
const THIRD_LAYOUT = `
  CREATE TABLE state (
    network TEXT NOT NULL,
    generation INTEGER NOT NULL,
    numbering INTEGER NOT NULL,
    next_chunk INTEGER NOT NULL,
    next_row INTEGER NOT NULL,
    document_count INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL,
    segments_checksum INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE documents (
    document INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    source_file TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    title TEXT NOT NULL,
    revision TEXT,
    access TEXT NOT NULL,
    uses_default_visibility INTEGER NOT NULL,
    first_chunk INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    term_counts BLOB NOT NULL,
    vectors_checksum INTEGER,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX documents_by_chunk ON documents (first_chunk);
  CREATE TABLE removals (
    generation INTEGER NOT NULL,
    document INTEGER NOT NULL,
    PRIMARY KEY (generation, document)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE chunks (
    row INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    chunk_id TEXT NOT NULL,
    headings TEXT NOT NULL,
    page INTEGER,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    twin INTEGER
  ) STRICT;
  CREATE INDEX chunks_with_twins ON chunks (twin) WHERE twin IS NOT NULL;
  CREATE TABLE bands (
    band INTEGER NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (band, row)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE vectors (
    document INTEGER PRIMARY KEY,
    dimensions INTEGER NOT NULL,
    vectors BLOB NOT NULL
  ) STRICT;
  CREATE TABLE segments (
    segment INTEGER PRIMARY KEY,
    first_chunk INTEGER NOT NULL,
    posting_count INTEGER NOT NULL,
    terms BLOB NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE postings (
    segment INTEGER NOT NULL,
    term TEXT NOT NULL,
    list BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (segment, term)
  ) STRICT;
`;

/** Another analysis or another stored form is another layout, too. */
export const LAYOUTS: Layouts = { first: 3, steps: [THIRD_LAYOUT] };

/** The folder of the databases inside the service's data folder. */
export function knowledgeDirectory(dataDirectory: string): string {
  return join(dataDirectory, "knowledge");
}

/** The network's name may hold anything, so the file is named by a digest of it. */
export function databasePath(directory: string, network: string): string {
  return join(directory, `${createHash("sha256").update(network).digest("hex").slice(0, 32)}.db`);
}

/** One connection. It creates the file when that is missing. */
export function openDatabase(path: string, busyTimeoutMs: number): Client {
  return createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: busyTimeoutMs });
}

/** Brings a file to the newest layout, in a transaction that may write; a new one gets its state. */
export async function layOut(transaction: Transaction, network: string, layouts = LAYOUTS): Promise<void> {
  if ((await bringUpToDate(transaction, layouts)) !== 0) return;
  const values = stateColumns(network, EMPTY);
  await transaction.execute({
    sql: `INSERT INTO state VALUES (${values.map(() => "?").join(", ")}, ?)`,
    args: [...values, checksumOf(values)],
  });
}

/**
 * A connection for reading. A file of an earlier release is first brought up to date, which waits for whoever writes;
 * one that is empty still is left to its writer.
 */
export async function openForReading(
  path: string,
  network: string,
  busyTimeoutMs: number,
  layouts = LAYOUTS,
): Promise<Client> {
  const client = openDatabase(path, busyTimeoutMs);
  try {
    const layout = await storedLayout(client);
    if (layout === 0 || layout >= newestLayout(layouts)) return client;
    const transaction = await client.transaction("write");
    try {
      await layOut(transaction, network, layouts);
      await transaction.commit();
    } finally {
      transaction.close();
    }
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

export interface IndexState {
  /** Grows with every commit. */
  readonly generation: number;
  /** Grows whenever chunks are numbered anew. */
  readonly numbering: number;
  /** Chunk numbers are below this. */
  readonly nextChunk: number;
  /** Rows of `chunks` are below this. */
  readonly nextRow: number;
  readonly documentCount: number;
  readonly chunkCount: number;
  /** Of the list of segments; see segments.ts. */
  readonly segmentsChecksum: number;
}

const EMPTY: IndexState = {
  generation: 0,
  numbering: 0,
  nextChunk: 0,
  nextRow: 1,
  documentCount: 0,
  chunkCount: 0,
  segmentsChecksum: 0,
};

/** In the order of the table. */
function stateColumns(network: string, state: IndexState): (string | number)[] {
  const { generation, numbering, nextChunk, nextRow, documentCount, chunkCount, segmentsChecksum } = state;
  return [network, generation, numbering, nextChunk, nextRow, documentCount, chunkCount, segmentsChecksum];
}

/** The file's state; `undefined` when nothing was ever committed to it. Throws when it is not this network's. */
export async function readState(transaction: Transaction, network: string): Promise<IndexState | undefined> {
  const layout = await storedLayout(transaction);
  if (layout === 0) return undefined;
  const newest = newestLayout(LAYOUTS);
  if (layout !== newest) throw new LayoutUnknown(layout, LAYOUTS.first, newest);
  const row = (await transaction.execute("SELECT * FROM state")).rows[0];
  if (row?.network !== network) throw new IndexDamaged("it belongs to another network");
  const state: IndexState = {
    generation: Number(row.generation),
    numbering: Number(row.numbering),
    nextChunk: Number(row.next_chunk),
    nextRow: Number(row.next_row),
    documentCount: Number(row.document_count),
    chunkCount: Number(row.chunk_count),
    segmentsChecksum: Number(row.segments_checksum),
  };
  verify("the state of the index", row.checksum, checksumOf(stateColumns(network, state)));
  return state;
}

export async function writeState(
  transaction: Transaction,
  network: string,
  state: IndexState,
): Promise<void> {
  const values = stateColumns(network, state);
  await transaction.execute({
    sql:
      "UPDATE state SET network = ?, generation = ?, numbering = ?, next_chunk = ?, next_row = ?, " +
      "document_count = ?, chunk_count = ?, segments_checksum = ?, checksum = ?",
    args: [...values, checksumOf(values)],
  });
}

/** Whether the database was locked by another connection. */
export function isBusy(error: unknown): boolean {
  return error instanceof LibsqlError && error.code === "SQLITE_BUSY";
}

/** What an operator is told about a file that cannot be used: the cause, the file, the remedy. */
export function unusable(path: string, network: string, error: unknown): string {
  const cause = error instanceof Error ? error.message : String(error);
  const remedy = isDamage(error) ? rebuildRemedy(network) : PLACE_REMEDY;
  return `The knowledge of network ${JSON.stringify(network)} cannot be used: ${cause} (${path}). ${remedy}`;
}

/** The error of a file that cannot be used, as `IndexDamaged` where the file itself is at fault. */
export function damageOf(path: string, network: string, error: unknown): Error {
  const message = unusable(path, network, error);
  return isDamage(error) ? new IndexDamaged(message, { cause: error }) : new Error(message, { cause: error });
}

const DAMAGE: ReadonlySet<string> = new Set(["SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_ERROR"]);

/** Everything else lies with the place: what is stored there may be perfectly well. */
const PLACE_REMEDY =
  "Check that this user may read and write the folder and that the disk has room, and try again.";

/** The last two errors come from stored forms that do not parse or do not fit. */
function isDamage(error: unknown): boolean {
  if (error instanceof LibsqlError) return DAMAGE.has(error.code);
  if (error instanceof LayoutUnknown) return true;
  return error instanceof IndexDamaged || error instanceof SyntaxError || error instanceof RangeError;
}

function rebuildRemedy(network: string): string {
  const name = /^[\w.-]+$/.test(network) ? network : `'${network.replaceAll("'", "'\\''")}'`;
  return (
    `Check it with "npx readback index check --network ${name}" and build it anew from its documents with ` +
    `"npx readback index rebuild --network ${name}".`
  );
}
