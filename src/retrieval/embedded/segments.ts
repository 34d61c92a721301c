/**
 * The posting lists on disk. A segment holds the lists of a range of chunk numbers, by term; segments follow each other
 * in the order of their numbers and of the chunks in them. A writer adds one at the end, and merges the newest ones of
 * similar size into one, so that a change costs time in proportion to itself: a posting is written again only when its
 * segment grows by a factor, which is O(log n) times.
 */
import { crc32 } from "node:zlib";
import { checksumOf, checksumWith, verify } from "./checksum.js";
import type { Transaction } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";
import { Postings, PostingsEncoder } from "./postings.js";

/**
 * How many segments of one size are merged into one. More means less work for the writer, and more lists for each term
 * of a query.
 */
const MERGE_FACTOR = 4;

/** A merge brings no more postings together than this, which bounds its time and the writer's memory. */
export const SEGMENT_POSTINGS_MAX = 4_000_000;

/** Rows that one INSERT brings, and that one SELECT of a merge reads. */
const ROWS_PER_INSERT = 100;
const ROWS_PER_SELECT = 1_000;

export interface Segment {
  readonly segment: number;
  readonly firstChunk: number;
  readonly postingCount: number;
  /** CRC-32 of each of its terms, in ascending order: a term that is not found may be looked for here. */
  readonly terms: Uint32Array;
  readonly checksum: number;
}

/** All segments, the oldest first. */
export async function readSegments(transaction: Transaction): Promise<Segment[]> {
  const { rows } = await transaction.execute("SELECT * FROM segments ORDER BY segment");
  return rows.map((row) => {
    const columns = [Number(row.segment), Number(row.first_chunk), Number(row.posting_count)] as const;
    const [segment, firstChunk, postingCount] = columns;
    const bytes = row.terms as ArrayBuffer;
    verify(`the segment ${segment}`, row.checksum, checksumWith(columns, new Uint8Array(bytes)));
    return {
      segment,
      firstChunk,
      postingCount,
      terms: new Uint32Array(bytes),
      checksum: Number(row.checksum),
    };
  });
}

/** Of the list of segments, so that one that is gone is missed; 0 for none. */
export function checksumOfSegments(segments: readonly Segment[]): number {
  return segments.length === 0 ? 0 : checksumOf(segments.map(({ checksum }) => checksum));
}

/** Throws `IndexDamaged` when these are not the segments of which the state of the index tells. */
export function verifySegments(segments: readonly Segment[], checksum: number): void {
  verify("the list of segments", checksum, checksumOfSegments(segments));
}

/** The checksum of a posting list in its place. */
export function listChecksum(segment: number, term: string, list: Uint8Array): number {
  return checksumWith([segment, term], list);
}

/**
 * Whether the segment holds the list of a term that is not there. What the terms say is certain but for terms of one
 * checksum; whether it was one of those, all its terms tell.
 */
export async function isMissing(transaction: Transaction, segment: Segment, term: string): Promise<boolean> {
  if (!has(segment.terms, crc32(term))) return false;
  const { rows } = await transaction.execute({
    sql: "SELECT term FROM postings WHERE segment = ?",
    args: [segment.segment],
  });
  const stored = termChecksums(rows.map((row) => row.term as string));
  return stored.length !== segment.terms.length || stored.some((one, at) => one !== segment.terms[at]);
}

/** Reads the whole segment. Throws `IndexDamaged`. */
export async function verifySegment(transaction: Transaction, { segment, terms }: Segment): Promise<void> {
  const found: string[] = [];
  for await (const { term } of lists(transaction, segment)) found.push(term);
  const stored = termChecksums(found);
  if (stored.length !== terms.length || stored.some((one, at) => one !== terms[at]))
    throw new IndexDamaged(`posting lists of segment ${segment} are missing`);
}

function termChecksums(terms: readonly string[]): Uint32Array {
  return Uint32Array.from(terms, (term) => crc32(term)).sort();
}

/** Whether `value` is one of these ascending numbers. */
function has(values: Uint32Array, value: number): boolean {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return values[from] === value;
}

/**
 * Where merging begins, given the sizes of all segments, the oldest first; `undefined` when nothing is to be merged.
 * It is the oldest segment that does not outweigh all newer ones, each of which counts a share of it. Afterwards every
 * segment does, so that there are O(log n) of them, besides those that are too large to be merged.
 */
export function mergeStart(
  sizes: readonly number[],
  sizeMax: number = SEGMENT_POSTINGS_MAX,
): number | undefined {
  let newer = 0;
  let start: number | undefined;
  for (let i = sizes.length - 1; i >= 0; i--) {
    const size = sizes[i]!;
    if (newer + size > sizeMax) break;
    if (i < sizes.length - 1 && size * (MERGE_FACTOR - 1) <= newer) start = i;
    newer += size;
  }
  return start;
}

/** Merges the newest segments where it is due. Postings of chunks that are gone do not come along. */
export async function mergeNewest(transaction: Transaction): Promise<void> {
  const segments = await readSegments(transaction);
  const start = mergeStart(segments.map(({ postingCount }) => postingCount));
  if (start === undefined) return;
  const merged = segments.slice(start);
  const living = await livingChunks(transaction, merged[0]!.firstChunk);
  await rewrite(transaction, merged, (chunk) => (living.has(chunk) ? chunk : -1));
}

/**
 * Writes the lists of these segments, which follow each other, into new ones. `newNumber` gives the number that a chunk
 * has from now on, in the same order, and -1 for chunks that are gone.
 */
export async function rewrite(
  transaction: Transaction,
  segments: readonly Pick<Segment, "segment">[],
  newNumber: (chunk: number) => number,
): Promise<void> {
  const builder = new SegmentBuilder();
  const postings = new Postings();
  for (const { segment } of segments) {
    for await (const { term, list } of lists(transaction, segment)) {
      postings.clear();
      postings.append(list, CHUNKS_MAX);
      for (let i = 0; i < postings.length; i++) {
        const chunk = newNumber(postings.chunks[i]!);
        if (chunk >= 0) builder.addPosting(term, chunk, postings.frequencies[i]!);
      }
    }
    await transaction.execute({ sql: "DELETE FROM postings WHERE segment = ?", args: [segment] });
    await transaction.execute({ sql: "DELETE FROM segments WHERE segment = ?", args: [segment] });
    if (builder.postingCount >= SEGMENT_POSTINGS_MAX) await builder.write(transaction);
  }
  await builder.write(transaction);
}

/** Of lists that are not checked against the catalogue. */
const CHUNKS_MAX = 2 ** 31;

async function* lists(transaction: Transaction, segment: number) {
  let lastTerm = "";
  for (;;) {
    const { rows } = await transaction.execute({
      sql: `SELECT term, list, checksum FROM postings WHERE segment = ? AND term > ? ORDER BY term LIMIT ${ROWS_PER_SELECT}`,
      args: [segment, lastTerm],
    });
    for (const row of rows) {
      lastTerm = row.term as string;
      yield { term: lastTerm, list: verifiedList(segment, row) };
    }
    if (rows.length < ROWS_PER_SELECT) return;
  }
}

/** The posting list of a row with `term`, `list` and `checksum`. Throws `IndexDamaged`. */
export function verifiedList(segment: number, row: Readonly<Record<string, unknown>>): Uint8Array {
  const list = new Uint8Array(row.list as ArrayBuffer);
  const term = row.term as string;
  verify(`a posting list in segment ${segment}`, row.checksum, listChecksum(segment, term, list));
  return list;
}

/** The chunks that exist, of those numbered `from` and above. */
async function livingChunks(transaction: Transaction, from: number): Promise<ReadonlySet<number>> {
  const { rows } = await transaction.execute({
    sql: "SELECT first_chunk, length(term_counts) / 4 AS chunks FROM documents WHERE first_chunk >= ?",
    args: [from],
  });
  const living = new Set<number>();
  for (const row of rows) {
    const first = Number(row.first_chunk);
    for (let chunk = first; chunk < first + Number(row.chunks); chunk++) living.add(chunk);
  }
  return living;
}

/** The posting lists that a writer adds, gathered in memory and written as one segment. */
export class SegmentBuilder {
  readonly #lists = new Map<string, PostingsEncoder>();
  #firstChunk = Number.POSITIVE_INFINITY;
  #postingCount = 0;

  /** Postings gathered so far. */
  get postingCount(): number {
    return this.#postingCount;
  }

  /** Chunk numbers ascend from call to call. */
  add(chunk: number, frequencies: ReadonlyMap<string, number>): void {
    for (const [term, frequency] of frequencies) this.addPosting(term, chunk, frequency);
  }

  /** Chunk numbers ascend from call to call with the same term. */
  addPosting(term: string, chunk: number, frequency: number): void {
    let list = this.#lists.get(term);
    if (list === undefined) {
      list = new PostingsEncoder();
      this.#lists.set(term, list);
    }
    list.add(chunk, frequency);
    this.#firstChunk = Math.min(this.#firstChunk, chunk);
    this.#postingCount += 1;
  }

  /** Writes the lists as the newest segment and starts over with none; does nothing when there are none. */
  async write(transaction: Transaction): Promise<void> {
    if (this.#postingCount === 0) return;
    const { rows } = await transaction.execute(
      "SELECT coalesce(max(segment), 0) + 1 AS segment FROM segments",
    );
    const segment = Number(rows[0]!.segment);
    const terms = [...this.#lists.keys()].sort();
    const columns = [segment, this.#firstChunk, this.#postingCount];
    const termBytes = new Uint8Array(termChecksums(terms).buffer);
    await transaction.execute({
      sql: "INSERT INTO segments (segment, first_chunk, posting_count, terms, checksum) VALUES (?, ?, ?, ?, ?)",
      args: [...columns, termBytes, checksumWith(columns, termBytes)],
    });
    for (let from = 0; from < terms.length; from += ROWS_PER_INSERT) {
      const batch = terms.slice(from, from + ROWS_PER_INSERT);
      await transaction.execute({
        sql:
          "INSERT INTO postings (segment, term, list, checksum) VALUES " +
          batch.map(() => "(?, ?, ?, ?)").join(", "),
        args: batch.flatMap((term) => {
          const list = this.#lists.get(term)!.bytes();
          return [segment, term, list, listChecksum(segment, term, list)];
        }),
      });
    }
    this.#lists.clear();
    this.#firstChunk = Number.POSITIVE_INFINITY;
    this.#postingCount = 0;
  }
}
