/** What an ingest tells while it works and when it is done. */
import type { CommitSummary } from "../retrieval/writer.js";
import type { ReadProblemKind } from "./reader.js";

export interface IngestProgress {
  readonly done: number;
  readonly total: number;
  readonly documentsPerSecond: number;
  /** At this rate. */
  readonly secondsLeft: number;
}

/** Something about one file. */
export interface FileNote {
  readonly path: string;
  /** Its path below the folder or bucket that was ingested. */
  readonly file: string;
  readonly message: string;
}

/**
 * `unreadable`, `unavailable`: it is there and could not be read now; what is stored of it stays. `not_embedded`: it is
 * stored and can be found by its words, but has no vectors. The others: it is no document, and what was stored of it is
 * gone; see `ReadProblemKind`.
 */
export type FailureReason = ReadProblemKind | "unreadable" | "not_embedded";

export interface FileFailure extends FileNote {
  readonly reason: FailureReason;
}

export interface IngestReport {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Documents that are no longer there, or no longer valid. */
  readonly removed: number;
  /** By path; those of `not_embedded` are counted among the documents too. */
  readonly failed: readonly FileFailure[];
  readonly warnings: readonly FileNote[];
  /**
   * Documents that say something of who may read them which is not understood, by path; nobody may read them. The
   * message says where it stands, and what to do.
   */
  readonly doubtful: readonly FileNote[];
  /** Files of kinds that are not read. */
  readonly ignored: number;
  /** Documents that say nothing about who may read them, and got the default. */
  readonly withDefaultVisibility: number;
  /** Documents that an embedder should have seen, and has not. */
  readonly withoutVectors: number;
  /** What the network holds now; absent when there was nothing to change. */
  readonly stored?: CommitSummary;
  readonly elapsedMs: number;
}
