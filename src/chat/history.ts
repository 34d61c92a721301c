/** What a chat remembers: the newest lines, in memory only. */
import type { HistoryEntry } from "../domain/turn.js";

/** Lines that a chat remembers; the oldest make room. */
export const HISTORY_ENTRIES_MAX = 20;

export class History {
  #entries: readonly HistoryEntry[] = [];

  get entries(): readonly HistoryEntry[] {
    return this.#entries;
  }

  add(entries: readonly HistoryEntry[]): void {
    this.#entries = [...this.#entries, ...entries].slice(-HISTORY_ENTRIES_MAX);
  }
}
