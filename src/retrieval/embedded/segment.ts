/** The posting lists that a writer adds, gathered in memory and written as one segment. */
import type { Transaction } from "./database.js";
import { PostingsEncoder } from "./postings.js";

/** Rows that one INSERT brings. */
const ROWS_PER_INSERT = 100;

export class SegmentBuilder {
  readonly #lists = new Map<string, PostingsEncoder>();
  #postingCount = 0;

  /** Postings gathered so far. */
  get postingCount(): number {
    return this.#postingCount;
  }

  /** Chunk numbers ascend from call to call. */
  add(chunk: number, frequencies: ReadonlyMap<string, number>): void {
    for (const [term, frequency] of frequencies) this.addPosting(term, chunk, frequency);
  }

  addPosting(term: string, chunk: number, frequency: number): void {
    let list = this.#lists.get(term);
    if (list === undefined) {
      list = new PostingsEncoder();
      this.#lists.set(term, list);
    }
    list.add(chunk, frequency);
    this.#postingCount += 1;
  }

  /** Writes the lists as segment `segment` and starts over with none. */
  async write(transaction: Transaction, segment: number): Promise<void> {
    const terms = [...this.#lists.keys()].sort();
    for (let from = 0; from < terms.length; from += ROWS_PER_INSERT) {
      const batch = terms.slice(from, from + ROWS_PER_INSERT);
      await transaction.execute({
        sql: `INSERT INTO postings (term, segment, list) VALUES ${batch.map(() => "(?, ?, ?)").join(", ")}`,
        args: batch.flatMap((term) => [term, segment, this.#lists.get(term)!.bytes()]),
      });
    }
    this.#lists.clear();
    this.#postingCount = 0;
  }
}
