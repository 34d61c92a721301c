/**
 * Compaction: what removed documents left behind goes, chunks are numbered anew without gaps in the same order, and
 * all segments become one. It runs inside the writer's transaction, so readers see the index before or after it.
 */
import type { Transaction } from "./database.js";
import { Postings } from "./postings.js";
import { SegmentBuilder } from "./segment.js";

/** A query reads each of its terms once per segment. */
export const SEGMENTS_MAX = 8;

/** Terms whose lists are in memory at once. */
const TERMS_PER_STEP = 1_000;

/** Gone chunks are worth a compaction when they outnumber the others, and this. */
const GONE_CHUNKS_MIN = 1_000;

export interface Occupancy {
  readonly segmentCount: number;
  /** Chunk numbers given out. */
  readonly nextChunk: number;
  /** Chunks that exist. */
  readonly chunkCount: number;
}

export function needsCompaction({ segmentCount, nextChunk, chunkCount }: Occupancy): boolean {
  const gone = nextChunk - chunkCount;
  return segmentCount > SEGMENTS_MAX || gone > Math.max(chunkCount, GONE_CHUNKS_MIN);
}

/** Returns the number of chunks, which is the next chunk number from now on. */
export async function compact(transaction: Transaction, nextChunk: number): Promise<number> {
  const { newNumbers, chunkCount } = await renumber(transaction, nextChunk);
  const { rows } = await transaction.execute("SELECT coalesce(max(segment), 0) + 1 AS segment FROM postings");
  const segment = Number(rows[0]?.segment);
  let lastTerm = "";
  for (;;) {
    const terms = await nextTerms(transaction, lastTerm, segment);
    if (terms.length === 0) break;
    await mergeTerms(transaction, terms, segment, newNumbers);
    lastTerm = terms.at(-1)!;
  }
  await transaction.execute({ sql: "DELETE FROM postings WHERE segment < ?", args: [segment] });
  return chunkCount;
}

/** The new number of each chunk, -1 for those that are gone. */
async function renumber(transaction: Transaction, nextChunk: number) {
  const newNumbers = new Int32Array(nextChunk).fill(-1);
  let chunkCount = 0;
  const { rows } = await transaction.execute(
    "SELECT document, first_chunk, length(term_counts) / 4 AS chunks FROM documents ORDER BY first_chunk",
  );
  for (const row of rows) {
    const firstChunk = chunkCount;
    for (let position = 0; position < Number(row.chunks); position++) {
      newNumbers[Number(row.first_chunk) + position] = chunkCount++;
    }
    await transaction.execute({
      sql: "UPDATE documents SET first_chunk = ? WHERE document = ?",
      args: [firstChunk, row.document!],
    });
  }
  return { newNumbers, chunkCount };
}

async function nextTerms(transaction: Transaction, after: string, segment: number): Promise<string[]> {
  const { rows } = await transaction.execute({
    sql: "SELECT DISTINCT term FROM postings WHERE term > ? AND segment < ? ORDER BY term LIMIT ?",
    args: [after, segment, TERMS_PER_STEP],
  });
  return rows.map((row) => row.term as string);
}

async function mergeTerms(
  transaction: Transaction,
  terms: readonly string[],
  segment: number,
  newNumbers: Int32Array,
): Promise<void> {
  const { rows } = await transaction.execute({
    sql:
      "SELECT term, list FROM postings WHERE term BETWEEN ? AND ? AND segment < ? " +
      "ORDER BY term, segment",
    args: [terms[0]!, terms.at(-1)!, segment],
  });
  const merged = new SegmentBuilder();
  const postings = new Postings();
  for (const row of rows) {
    postings.clear();
    postings.append(new Uint8Array(row.list as ArrayBuffer), newNumbers.length);
    for (let i = 0; i < postings.length; i++) {
      const chunk = newNumbers[postings.chunks[i]!]!;
      if (chunk >= 0) merged.addPosting(row.term as string, chunk, postings.frequencies[i]!);
    }
  }
  await merged.write(transaction, segment);
}
