/** The process that checks an index: the structure of the file, and every row that an answer could depend on. */
import { statSync } from "node:fs";
import { setPriority } from "node:os";
import { serveProcessCalls } from "../../lib/call-process-child.js";
import { loadCatalogue } from "./catalogue-loading.js";
import { verifyChunk } from "./chunk-rows.js";
import { damageOf, databasePath, openForReading, readState, type Transaction } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";
import { refuseEmptied } from "./index-record.js";
import { verifySegment } from "./segments.js";
import { verifyVectors } from "./vector-search.js";

export type CheckCalls = {
  check: {
    input: { directory: string; network: string };
    output: { documents: number; chunks: number };
  };
};

const BUSY_TIMEOUT_MS = 5_000;

/** Rows that are in memory at once. */
const ROWS_PER_SELECT = 1_000;

/** Searches go first. */
const LOW_PRIORITY = 10;

setPriority(LOW_PRIORITY);

serveProcessCalls<CheckCalls>({
  check: async ({ directory, network }) => {
    const path = databasePath(directory, network);
    try {
      return await checkIndex(directory, network, path);
    } catch (error) {
      throw damageOf(path, network, error);
    }
  },
});

async function checkIndex(
  directory: string,
  network: string,
  path: string,
): Promise<CheckCalls["check"]["output"]> {
  const empty = { documents: 0, chunks: 0 };
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) {
    refuseEmptied(directory, network, undefined);
    return empty;
  }
  if (!status.isFile()) throw new IndexDamaged("it is no file");
  const client = await openForReading(path, network, BUSY_TIMEOUT_MS);
  try {
    const transaction = await client.transaction("read");
    try {
      return (await checkDatabase(transaction, directory, network)) ?? empty;
    } finally {
      transaction.close();
    }
  } finally {
    client.close();
  }
}

async function checkDatabase(transaction: Transaction, directory: string, network: string) {
  const state = await readState(transaction, network);
  refuseEmptied(directory, network, state);
  const { rows } = await transaction.execute("PRAGMA integrity_check(1)");
  if (rows[0]?.[0] !== "ok") throw new IndexDamaged(String(rows[0]?.[0]));
  if (state === undefined) return undefined;
  const { catalogue, segments } = await loadCatalogue(transaction, network, state, undefined);
  const chunks = await verifyChunks(transaction);
  if (chunks !== state.chunkCount)
    throw new IndexDamaged(`${state.chunkCount} chunks were written and ${chunks} are there`);
  for (const segment of segments) await verifySegment(transaction, segment);
  await verifyVectors(transaction, catalogue);
  return { documents: state.documentCount, chunks };
}

async function verifyChunks(transaction: Transaction): Promise<number> {
  let [count, last] = [0, 0];
  for (;;) {
    const { rows } = await transaction.execute({
      sql: `SELECT * FROM chunks WHERE row > ? ORDER BY row LIMIT ${ROWS_PER_SELECT}`,
      args: [last],
    });
    for (const row of rows) {
      verifyChunk(row);
      last = Number(row.row);
    }
    count += rows.length;
    if (rows.length < ROWS_PER_SELECT) return count;
  }
}
