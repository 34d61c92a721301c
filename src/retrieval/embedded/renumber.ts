/**
 * Numbers all chunks anew without gaps, in the same order, once the gone ones outnumber the others. It costs time in
 * proportion to everything that is stored, and is paid for by as many changes. It runs inside the writer's transaction,
 * so that readers see the index before or after it.
 */
import type { Transaction } from "./database.js";
import { placeChecksum } from "./document-rows.js";
import { readSegments, rewrite } from "./segments.js";

/** Fewer than this that is gone is not worth the work. */
const GONE_MIN = 100;

/** Documents whose numbers one UPDATE changes. */
const DOCUMENTS_PER_STEP = 1_000;

export interface Occupancy {
  /** Chunk numbers given out. */
  readonly nextChunk: number;
  readonly chunkCount: number;
  readonly documentCount: number;
  /** Documents that went since chunks were numbered last. */
  readonly removalCount: number;
}

export function needsRenumbering({ nextChunk, chunkCount, documentCount, removalCount }: Occupancy): boolean {
  const goneChunks = nextChunk - chunkCount;
  return goneChunks > Math.max(chunkCount, GONE_MIN) || removalCount > Math.max(documentCount, GONE_MIN);
}

/** Returns the next chunk number from now on, which is the number of chunks. */
export async function renumber(transaction: Transaction, nextChunk: number): Promise<number> {
  const newNumbers = new Int32Array(nextChunk).fill(-1);
  let chunkCount = 0;
  let changes: [document: number, firstChunk: number, checksum: number][] = [];
  const update = async () => {
    await transaction.execute({
      sql:
        "UPDATE documents SET first_chunk = change.value ->> 1, checksum = change.value ->> 2 FROM json_each(?) AS change " +
        "WHERE document = change.value ->> 0",
      args: [JSON.stringify(changes)],
    });
    changes = [];
  };
  const { rows } = await transaction.execute(
    "SELECT document, first_chunk, first_row, checksum, length(term_counts) / 4 AS chunks FROM documents " +
      "ORDER BY first_chunk, document",
  );
  for (const row of rows) {
    const [oldFirst, firstRow] = [Number(row.first_chunk), Number(row.first_row)];
    const moved = placeChecksum(firstRow, oldFirst) ^ placeChecksum(firstRow, chunkCount);
    changes.push([Number(row.document), chunkCount, (Number(row.checksum) ^ moved) >>> 0]);
    for (let position = 0; position < Number(row.chunks); position++) {
      newNumbers[oldFirst + position] = chunkCount++;
    }
    if (changes.length === DOCUMENTS_PER_STEP) await update();
  }
  await update();
  await rewrite(transaction, await readSegments(transaction), (chunk) => newNumbers[chunk] ?? -1);
  await transaction.execute("DELETE FROM removals");
  return chunkCount;
}
