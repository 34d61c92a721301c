/**
 * Finds chunks that say the same as others, for many chunks at a time. What it has read it keeps within bounds, since
 * texts from one template have the same candidates again and again.
 */
import { type ComparedText, comparedText, sameText } from "../near-duplicates.js";
import type { Transaction } from "./database.js";

/** Of the chunks that share a band with a chunk, this many are looked at: the newest of each band. */
export const CANDIDATES_PER_BAND_MAX = 64;

/** Chunks that one chunk is compared with at the most. */
export const COMPARISONS_MAX = 64;

/** Chunks that one `find` takes. */
export const CHUNKS_PER_FIND_MAX = 500;

/** Characters of texts that are kept, ready to be compared: some twenty bytes each. */
const KEPT_CHARS_MAX = 1_000_000;

/** A chunk by its row, with its bands. */
export type BandedChunk = readonly [row: number, bands: Uint32Array];

/** For a while in which chunks neither come nor go. */
export class TwinFinder {
  /** The twins of those that take part in one `find`; undefined: it has none. */
  readonly #twins = new Map<number, number | undefined>();
  /** In order of use, the least recent first. */
  readonly #texts = new Map<number, { readonly text: ComparedText; readonly chars: number }>();
  #keptChars = 0;

  constructor(private readonly transaction: Transaction) {}

  /** Writes the twins of these chunks, and of those that get one by it. */
  async find(chunks: readonly BandedChunk[]): Promise<void> {
    const newest = await newestByBand(
      this.transaction,
      chunks.flatMap(([, bands]) => [...bands]),
    );
    const asked = chunks
      .map(([row, bands]) => ({ row, candidates: candidatesOf(row, bands, newest) }))
      .filter(({ candidates }) => candidates.length > 0);
    await this.#readTwins(new Set(asked.flatMap(({ row, candidates }) => [row, ...candidates])));
    for (const { row, candidates } of asked) await this.#findTwin(row, candidates);
  }

  /** Those without a twin come first: each that says the same gets one. Of the others one is enough. */
  async #findTwin(row: number, candidates: readonly number[]): Promise<void> {
    let isLone = this.#twins.get(row) === undefined;
    const lone = candidates.filter((one) => this.#twins.get(one) === undefined);
    const taken = isLone ? candidates.filter((one) => this.#twins.get(one) !== undefined) : [];
    const looked = [...lone, ...taken].slice(0, COMPARISONS_MAX);
    if (looked.length === 0) return;
    const [own, ...texts] = await this.#textsOf([row, ...looked]);
    for (const [i, candidate] of looked.entries()) {
      const hasTwin = this.#twins.get(candidate) !== undefined;
      if (!isLone && hasTwin) return;
      if (!sameText(own!, texts[i]!)) continue;
      if (!hasTwin) await this.#setTwin(candidate, row);
      if (isLone) await this.#setTwin(row, candidate);
      isLone = false;
    }
  }

  async #setTwin(row: number, twin: number): Promise<void> {
    await this.transaction.execute({ sql: "UPDATE chunks SET twin = ? WHERE row = ?", args: [twin, row] });
    this.#twins.set(row, twin);
  }

  async #readTwins(chunks: ReadonlySet<number>): Promise<void> {
    this.#twins.clear();
    const { rows } = await this.transaction.execute({
      sql: "SELECT row, twin FROM chunks WHERE row IN (SELECT value FROM json_each(?)) AND twin IS NOT NULL",
      args: [JSON.stringify([...chunks])],
    });
    for (const { row, twin } of rows) this.#twins.set(Number(row), Number(twin));
  }

  async #textsOf(chunks: readonly number[]): Promise<readonly ComparedText[]> {
    const missing = chunks.filter((row) => !this.#texts.has(row));
    const read = missing.length === 0 ? [] : await readTexts(this.transaction, missing);
    for (const [row, text] of read) {
      this.#texts.set(row, { text: comparedText(text), chars: text.length });
      this.#keptChars += text.length;
    }
    const texts = chunks.map((row) => {
      const known = this.#texts.get(row)!;
      this.#texts.delete(row);
      this.#texts.set(row, known);
      return known.text;
    });
    for (const [row, { chars }] of this.#texts) {
      if (this.#keptChars <= KEPT_CHARS_MAX) break;
      this.#texts.delete(row);
      this.#keptChars -= chars;
    }
    return texts;
  }
}

/** The chunks that share each of these bands, the newest first and within bounds; bands of one chunk are left out. */
export async function newestByBand(
  transaction: Transaction,
  bands: Iterable<number>,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { rows } = await transaction.execute({
    sql:
      "SELECT value AS band, (SELECT json_group_array(row) FROM (SELECT row FROM bands WHERE band = value " +
      `ORDER BY row DESC LIMIT ${CANDIDATES_PER_BAND_MAX + 1})) AS newest FROM json_each(?) ` +
      "WHERE (SELECT count(*) FROM (SELECT 1 FROM bands WHERE band = value LIMIT 2)) = 2",
    args: [JSON.stringify([...new Set(bands)])],
  });
  return new Map(rows.map(({ band, newest }) => [Number(band), JSON.parse(newest as string) as number[]]));
}

/** The other chunks that share a band with this one, the newest first. */
export function candidatesOf(
  row: number,
  bands: Uint32Array,
  newest: ReadonlyMap<number, readonly number[]>,
): number[] {
  const candidates = new Set<number>();
  for (const band of bands) for (const one of newest.get(band) ?? []) candidates.add(one);
  candidates.delete(row);
  return [...candidates].sort((a, b) => b - a);
}

export async function readTexts(
  transaction: Transaction,
  chunks: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await transaction.execute({
    sql: "SELECT row, text FROM chunks WHERE row IN (SELECT value FROM json_each(?))",
    args: [JSON.stringify(chunks)],
  });
  return new Map(rows.map(({ row, text }) => [Number(row), text as string]));
}
