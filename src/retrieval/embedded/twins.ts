/**
 * Which chunks of a network say the same as another one. Every chunk has its bands in the table `bands` (see
 * near-duplicates.ts); chunks that share one are compared. A chunk that has a twin remembers one of them in
 * `chunks.twin`, so that the number of such chunks is known after every commit without looking at all of them, and a
 * chunk that goes concerns only those that remember it. Chunks are named by their row.
 */
import { bandsOf, saysTheSame } from "../near-duplicates.js";
import type { Transaction } from "./database.js";

/** Of the chunks that share a band with a chunk, this many are looked at: the newest of each band. */
export const CANDIDATES_PER_BAND_MAX = 64;

/** Chunks that one chunk is compared with at the most. */
export const COMPARISONS_MAX = 64;

/** Bands that are held in memory before they are written. */
const FRESH_CHUNKS_MAX = 10_000;

/** Rows that one INSERT brings, and chunks that one SELECT asks about. */
const BANDS_PER_INSERT = 2_000;
const CHUNKS_PER_SELECT = 500;

export interface Twin {
  readonly row: number;
  readonly text: string;
  /** The one that it remembers. */
  readonly twin: number | undefined;
}

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
    for (const row of this.#widowed) {
      const text = await this.#textOf(row);
      await this.#findTwin(row, text, bandsOf(text));
    }
    this.#widowed.clear();
    const { rows } = await this.transaction.execute(
      "SELECT count(*) AS n FROM chunks WHERE twin IS NOT NULL",
    );
    return Number(rows[0]!.n);
  }

  async #compareFresh(): Promise<void> {
    await this.#writeBands();
    const fresh = [...this.#fresh];
    for (let from = 0; from < fresh.length; from += CHUNKS_PER_SELECT) {
      const batch = fresh.slice(from, from + CHUNKS_PER_SELECT);
      const shared = await this.#sharedBands(batch.flatMap(([, bands]) => [...bands]));
      for (const [row, bands] of batch) {
        if (bands.some((band) => shared.has(band))) await this.#findTwin(row, await this.#textOf(row), bands);
      }
    }
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

  async #sharedBands(bands: readonly number[]): Promise<ReadonlySet<number>> {
    const { rows } = await this.transaction.execute({
      sql:
        "SELECT band FROM bands WHERE band IN (SELECT value FROM json_each(?)) " +
        "GROUP BY band HAVING min(row) < max(row)",
      args: [JSON.stringify(bands)],
    });
    return new Set(rows.map(({ band }) => Number(band)));
  }

  /** Those without a twin come first: each that says the same gets one. Of the others one is enough. */
  async #findTwin(row: number, text: string, bands: Uint32Array): Promise<void> {
    const candidates = await candidateTwins(this.transaction, row, bands);
    let isLone = (await this.#twinOf(row)) === undefined;
    candidates.sort((a, b) => Number(a.twin !== undefined) - Number(b.twin !== undefined));
    for (const candidate of candidates.slice(0, COMPARISONS_MAX)) {
      if (!isLone && candidate.twin !== undefined) return;
      if (!saysTheSame(text, candidate.text)) continue;
      if (candidate.twin === undefined) await this.#setTwin(candidate.row, row);
      if (isLone) await this.#setTwin(row, candidate.row);
      isLone = false;
    }
  }

  async #setTwin(row: number, twin: number): Promise<void> {
    await this.transaction.execute({ sql: "UPDATE chunks SET twin = ? WHERE row = ?", args: [twin, row] });
  }

  async #twinOf(row: number): Promise<number | undefined> {
    const { rows } = await this.transaction.execute({
      sql: "SELECT twin FROM chunks WHERE row = ?",
      args: [row],
    });
    return twinIn(rows[0]!.twin);
  }

  async #textOf(row: number): Promise<string> {
    const { rows } = await this.transaction.execute({
      sql: "SELECT text FROM chunks WHERE row = ?",
      args: [row],
    });
    return rows[0]!.text as string;
  }
}

/** The rows of chunks that say the same as this one, the newest first; within the bounds above. */
export async function twinsOf(transaction: Transaction, row: number, text: string): Promise<number[]> {
  const candidates = await candidateTwins(transaction, row, bandsOf(text));
  return candidates
    .slice(0, COMPARISONS_MAX)
    .filter((candidate) => saysTheSame(text, candidate.text))
    .map((twin) => twin.row);
}

/** The newest first. */
async function candidateTwins(transaction: Transaction, row: number, bands: Uint32Array): Promise<Twin[]> {
  const newest = `SELECT row FROM bands WHERE band = ? ORDER BY row DESC LIMIT ${CANDIDATES_PER_BAND_MAX + 1}`;
  const { rows } = await transaction.execute({
    sql:
      `SELECT row, text, twin FROM chunks WHERE row <> ? AND row IN (${[...bands].map(() => `SELECT row FROM (${newest})`).join(" UNION ")}) ` +
      "ORDER BY row DESC",
    args: [row, ...bands],
  });
  return rows.map((one) => ({ row: Number(one.row), text: one.text as string, twin: twinIn(one.twin) }));
}

function twinIn(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
