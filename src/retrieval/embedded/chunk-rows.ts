/** Chunks as they are stored, and read back. */
import type { ChunkKind } from "../../domain/passage.js";
import type { KnowledgeChunk } from "../writer.js";
import { checksumOf, verify } from "./checksum.js";
import type { Transaction } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";

/** A chunk as it is stored. */
export interface ChunkRow {
  readonly row: number;
  readonly chunkId: string;
  readonly headings: readonly string[];
  readonly page: number | undefined;
  readonly kind: ChunkKind;
  readonly text: string;
}

/** The chunks of these rows, in this order. */
export async function readChunks(transaction: Transaction, wanted: readonly number[]): Promise<ChunkRow[]> {
  const { rows } = await transaction.execute({
    sql:
      "SELECT row, document, chunk_id, headings, page, kind, text, checksum FROM chunks " +
      "WHERE row IN (SELECT value FROM json_each(?))",
    args: [JSON.stringify(wanted)],
  });
  const byRow = new Map(rows.map((one) => [Number(one.row), one]));
  return wanted.map((row) => {
    const found = byRow.get(row);
    if (found === undefined) throw new IndexDamaged(`row ${row} of the chunks is missing`);
    verifyChunk(found);
    return {
      row,
      chunkId: found.chunk_id as string,
      headings: JSON.parse(found.headings as string) as string[],
      page: found.page === null ? undefined : Number(found.page),
      kind: JSON.parse(found.kind as string) as ChunkKind,
      text: found.text as string,
    };
  });
}

type StoredChunk = Readonly<Record<string, unknown>>;

/** Throws `IndexDamaged` when a row of `chunks` is not as it was written. */
export function verifyChunk(one: StoredChunk): void {
  const { row, document, chunk_id, headings, page, kind, text, checksum } = one;
  const columns = [row, document, chunk_id, headings, page, kind, text] as (string | number | null)[];
  verify(`row ${String(row)} of the chunks`, checksum, checksumOf(columns));
}

/** Chunks that one INSERT brings. */
const CHUNKS_PER_INSERT = 100;

/** A chunk with its row and its document's key. */
export type NumberedChunk = KnowledgeChunk & { readonly row: number; readonly document: number };

export async function writeChunks(transaction: Transaction, chunks: readonly NumberedChunk[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_INSERT) {
    const batch = chunks.slice(from, from + CHUNKS_PER_INSERT);
    await transaction.execute({
      sql:
        "INSERT INTO chunks (row, document, chunk_id, headings, page, kind, text, checksum) VALUES " +
        batch.map(() => "(?, ?, ?, ?, ?, ?, ?, ?)").join(", "),
      args: batch.flatMap(({ row, document, chunkId, headings, page, kind, text }) => {
        const [storedHeadings, storedKind] = [JSON.stringify(headings), JSON.stringify(kind)];
        const columns = [row, document, chunkId, storedHeadings, page ?? null, storedKind, text];
        return [...columns, checksumOf(columns)];
      }),
    });
  }
}
