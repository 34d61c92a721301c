/**
 * Keeps one network's knowledge up to date with a folder that is watched, or with a bucket that is looked at from time
 * to time: for sites that need nothing of Elastic's.
 */
import type { Telemetry } from "../../telemetry/events.js";
import { FolderSource } from "../folder-source.js";
import type { FollowEvents } from "../follow.js";
import { type IngestDeps, ingest } from "../ingest.js";
import type { IngestOptions } from "../options.js";
import { pollSource } from "../poll.js";
import type { FileNote, IngestProgress, IngestReport } from "../report.js";
import type { Source } from "../source.js";
import { watchFolder } from "../watch.js";
import type { SyncSummary, SyncWorker } from "./worker.js";

export interface SourceSyncDeps extends IngestDeps {
  readonly telemetry: Telemetry;
}

export interface SourceSyncRequest {
  /** Rejects with `PathProblem`; called anew whenever the work begins anew. */
  openSource(): Promise<Source>;
  readonly network: string;
  readonly options: IngestOptions;
  /** Pause between two looks at a bucket. */
  readonly pollMs: number;
}

/** How many documents may be done until it is told again how many are left. */
const TOLD_EVERY = 1_000;

export class SourceSync implements SyncWorker {
  /** What was said of each file that failed or was in doubt last time, so that it is said once. */
  #told = new Map<string, string>();
  readonly #telemetry: Telemetry;

  constructor(
    private readonly request: SourceSyncRequest,
    private readonly deps: SourceSyncDeps,
  ) {
    this.#telemetry = deps.telemetry;
  }

  async run(onIdle: () => void, signal: AbortSignal): Promise<void> {
    // The first failure as a whole ends the run, so that the service counts it and waits longer each time.
    const failed = new AbortController();
    const events: FollowEvents = {
      onReport: (report) => {
        this.#report(report);
        onIdle();
      },
      onError: (error) => failed.abort(error),
      onProgress: (progress) => this.#progress(progress),
    };
    this.#telemetry.emit({ type: "sync_role_changed", role: "active" });
    await this.#follow(events, AbortSignal.any([signal, failed.signal]));
    if (!signal.aborted) failed.signal.throwIfAborted();
  }

  async once(signal: AbortSignal): Promise<SyncSummary> {
    const { network, options } = this.request;
    const source = await this.request.openSource();
    const onProgress = (progress: IngestProgress) => this.#progress(progress);
    const report = await ingest({ source, network, options }, this.deps, onProgress, signal);
    this.#report(report);
    return summaryOf(report);
  }

  async #follow(events: FollowEvents, signal: AbortSignal): Promise<void> {
    const { network, options, pollMs } = this.request;
    const source = await this.request.openSource();
    if (source instanceof FolderSource)
      await watchFolder({ source, network, options }, this.deps, events, signal);
    else await pollSource({ source, network, options }, pollMs, this.deps, events, signal);
  }

  #progress({ done, total }: IngestProgress): void {
    if (done !== 1 && done % TOLD_EVERY !== 0) return;
    this.#telemetry.emit({ type: "sync_looked", pending: total - done, oldestMs: 0 });
  }

  #report(report: IngestReport): void {
    const { elapsedMs: ms, failed, doubtful, added, updated, removed } = report;
    const { network } = this.request;
    const isNew = ({ path, message }: FileNote) => this.#told.get(path) !== message;
    for (const { file: documentId, message: error } of failed.filter(isNew))
      this.#telemetry.emit({ type: "sync_document_failed", network, documentId, error });
    for (const { file: documentId, message: doubt } of doubtful.filter(isNew))
      this.#telemetry.emit({ type: "document_access_doubtful", network, documentId, doubt });
    this.#told = new Map([...doubtful, ...failed].map(({ path, message }) => [path, message]));
    this.#telemetry.emit({ type: "sync_looked", pending: 0, oldestMs: 0 });
    this.#telemetry.emit({ type: "sync_phase_finished", phase: "reindex", ms });
    const batch = this.deps.random.id();
    const synced = added + updated;
    this.#telemetry.emit({
      type: "sync_batch_finished",
      batch,
      synced,
      failed: failed.length,
      removed,
      postponed: 0,
      ms,
    });
  }
}

function summaryOf({ added, updated, removed, failed, doubtful }: IngestReport): SyncSummary {
  return { synced: added + updated, failed: failed.length, removed, doubtful: doubtful.length };
}
