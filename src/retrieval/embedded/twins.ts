/**
 * Which chunks of a network say the same as another one. Every chunk has its bands in the table `bands` (see
 * near-duplicates.ts); chunks that share one are compared. A chunk that has a twin remembers one of them in
 * `chunks.twin`, so that the number of such chunks is known after every commit without looking at all of them, and a
 * chunk that goes concerns only those that remember it. Chunks are named by their row.
 */
import { bandsOf, saysTheSame } from "../near-duplicates.js";
import type { Transaction } from "./database.js";
import {
  type BandedChunk,
  CHUNKS_PER_FIND_MAX,
  COMPARISONS_MAX,
  candidatesOf,
  newestByBand,
  readTexts,
  TwinFinder,
} from "./twin-finder.js";

/** Chunks whose bands are held in memory before they are written. */
const FRESH_CHUNKS_MAX = 10_000;

/** Rows that one INSERT brings. */
const BANDS_PER_INSERT = 2_000;

/** Keeps `bands` and `chunks.twin` true while a writer changes chunks. */
export class TwinKeeper {
  /** Chunks that came and have not been compared, with their bands. */
  readonly #fresh = new Map<number, Uint32Array>();
  /** Chunks whose twin is gone. */
  readonly #widowed = new Set<number>();

  constructor(private readonly transaction: Transaction) {}

  /** To be called when the chunk has been written. */
  async add(row: number, text: string): Promise<void> {
    this.#fresh.set(row, bandsOf(text));
    if (this.#fresh.size >= FRESH_CHUNKS_MAX) await this.#compareFresh();
  }

  /** To be called before a document's chunks are deleted. */
  async remove(firstRow: number, chunkCount: number): Promise<void> {
    const range = [firstRow, firstRow + chunkCount - 1];
    const { rows: widows } = await this.transaction.execute({
      sql: "UPDATE chunks SET twin = NULL WHERE twin BETWEEN ? AND ? RETURNING row",
      args: range,
    });
    for (const { row } of widows) this.#widowed.add(Number(row));
    const { rows } = await this.transaction.execute({
      sql: "SELECT row, text FROM chunks WHERE row BETWEEN ? AND ?",
      args: range,
    });
    const bands = rows.flatMap(({ row, text }) => {
      this.#widowed.delete(Number(row));
      return this.#fresh.delete(Number(row)) ? [] : [...bandsOf(text as string)];
    });
    await this.transaction.execute({
      sql: "DELETE FROM bands WHERE band IN (SELECT value FROM json_each(?)) AND row BETWEEN ? AND ?",
      args: [JSON.stringify(bands), ...range],
    });
  }

  /** Makes everything true; returns the number of chunks that have a twin. */
  async settle(): Promise<number> {
    await this.#compareFresh();
    const finder = new TwinFinder(this.transaction);
    for (const rows of batches([...this.#widowed])) {
      const texts = await readTexts(this.transaction, rows);
      await finder.find([...texts].map(([row, text]) => [row, bandsOf(text)]));
    }
    this.#widowed.clear();
    const { rows } = await this.transaction.execute(
      "SELECT count(*) AS n FROM chunks WHERE twin IS NOT NULL",
    );
    return Number(rows[0]!.n);
  }

  async #compareFresh(): Promise<void> {
    await this.#writeBands();
    const finder = new TwinFinder(this.transaction);
    for (const chunks of batches<BandedChunk>([...this.#fresh])) await finder.find(chunks);
    this.#fresh.clear();
  }

  /** In the order of the table, which is many times faster than in that of the chunks. */
  async #writeBands(): Promise<void> {
    const entries = [...this.#fresh].flatMap(([row, bands]) => Array.from(bands, (band) => ({ band, row })));
    entries.sort((a, b) => a.band - b.band || a.row - b.row);
    for (let from = 0; from < entries.length; from += BANDS_PER_INSERT) {
      const values = entries.slice(from, from + BANDS_PER_INSERT).map(({ band, row }) => `(${band}, ${row})`);
      await this.transaction.execute(`INSERT OR IGNORE INTO bands (band, row) VALUES ${values.join(", ")}`);
    }
  }
}

/** The rows of chunks that say the same as this one, the newest first; within the bounds of twin-finder.ts. */
export async function twinsOf(transaction: Transaction, row: number, text: string): Promise<number[]> {
  const bands = bandsOf(text);
  const candidates = candidatesOf(row, bands, await newestByBand(transaction, bands)).slice(
    0,
    COMPARISONS_MAX,
  );
  const texts = await readTexts(transaction, candidates);
  return candidates.filter((candidate) => saysTheSame(text, texts.get(candidate)!));
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += CHUNKS_PER_FIND_MAX)
    yield items.slice(from, from + CHUNKS_PER_FIND_MAX);
}
