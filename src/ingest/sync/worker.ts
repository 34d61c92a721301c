/** What the sync service runs: whoever keeps the knowledge up to date, from wherever it comes. */

/** What one run from beginning to end did. */
export interface SyncSummary {
  readonly synced: number;
  readonly failed: number;
  readonly removed: number;
  /** Documents that say something of who may read them which is not understood; nobody may read them. */
  readonly doubtful: number;
}

export interface SyncWorker {
  /**
   * Works until the signal aborts, and resolves then. Rejects when it cannot go on; it may be run again. `onIdle` is
   * called whenever everything is up to date, as far as is known.
   */
  run(onIdle: () => void, signal: AbortSignal): Promise<void>;
  /** Brings everything up to date once. Rejects with a readable error. */
  once(signal: AbortSignal): Promise<SyncSummary>;
}
