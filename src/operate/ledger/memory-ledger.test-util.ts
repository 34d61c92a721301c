/** A ledger in memory that keeps rows over a restart of what uses it, and can be told to fail or to hang. */
import { type Ledger, type LedgerEntry, type LedgerRow, LedgerUnusable } from "./port.js";

export class MemoryLedger implements Ledger {
  /** A ledger that goes on from these rows. */
  constructor(readonly written: LedgerRow[] = []) {}

  /** What an append does; a test replaces it. `hang`: it is never on disk. */
  fate: (entry: LedgerEntry) => "write" | "fail" | "hang" = () => "write";

  append(entry: LedgerEntry): Promise<LedgerRow> {
    const fate = this.fate(entry);
    if (fate === "hang") return new Promise(() => {});
    if (fate === "fail") return Promise.reject(new LedgerUnusable("the disk is full"));
    const seq = this.written.length + 1;
    // Copied, as a disk would: nobody changes a row afterwards.
    const row = { seq, atMs: seq, entry: structuredClone(entry), previous: "", hash: "", signature: "" };
    this.written.push(row);
    return Promise.resolve(row);
  }

  async *rows(): AsyncIterable<LedgerRow> {
    yield* [...this.written];
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The types of all rows in their order, those of calls with their number: `executing 0`. */
  told(): string[] {
    return this.written.map(({ entry }) => ("call" in entry ? `${entry.type} ${entry.call}` : entry.type));
  }
}
