/** What the sync service runs: whoever keeps the knowledge up to date, from wherever it comes. */

/** What a worker tells of while it works. */
export type WorkerNote =
  | { readonly type: "working" }
  /** Everything is up to date, as far as is known. */
  | { readonly type: "idle" }
  /** Another instance does the work. */
  | { readonly type: "waiting" };

/** What one run from beginning to end did. */
export interface SyncSummary {
  readonly synced: number;
  readonly failed: number;
  readonly removed: number;
  /** Documents that say something of who may read them which is not understood; nobody may read them. */
  readonly doubtful: number;
}

export interface SyncWorker {
  /** Works until the signal aborts, and resolves then. Rejects when it cannot go on; it may be run again. */
  run(note: (note: WorkerNote) => void, signal: AbortSignal): Promise<void>;
  /** Brings everything up to date once. Rejects with a readable error. */
  once(signal: AbortSignal): Promise<SyncSummary>;
}
