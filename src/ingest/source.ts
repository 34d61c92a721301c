/** Where documents come from: a folder or a bucket. It lists and reads; what a document is, is decided elsewhere. */

export interface SourceEntry {
  /** Unique and lasting: an absolute path, or an address such as `s3://bucket/key`. */
  readonly path: string;
  /** The path below the source's root with `/` between folders: for people, for the manifest, for the kind of file. */
  readonly name: string;
}

/** `unreadable`: what lies at or below the path is unknown. `invalid`: there is nothing to be read. */
export interface SourceProblem {
  readonly type: "unreadable" | "invalid";
  readonly path: string;
  readonly name: string;
  readonly message: string;
}

export interface Listing {
  /** In the order of `path`. */
  readonly entries: readonly SourceEntry[];
  /** Files of kinds that are not read. */
  readonly ignoredCount: number;
  readonly problems: readonly SourceProblem[];
}

export interface Source {
  /** What is being ingested, for messages. */
  readonly name: string;
  /** Whether a document stored under `path` is this source's to update and to remove. */
  covers(path: string): boolean;
  /** Rejects with `PathProblem` when the source itself cannot be read. */
  list(signal: AbortSignal): Promise<Listing>;
  /** Rejects with `EntryGone`, `EntryUnreadable`, or `DocumentProblem` when it has more than `bytesMax`. */
  read(entry: SourceEntry, bytesMax: number, signal: AbortSignal): Promise<Uint8Array>;
}

/** It went away after the source was listed. */
export class EntryGone extends Error {
  override readonly name = "EntryGone";
}

/** It is there and cannot be read now; what is stored of it stays. */
export class EntryUnreadable extends Error {
  override readonly name = "EntryUnreadable";
}
