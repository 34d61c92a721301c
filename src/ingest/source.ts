/** Where documents come from: a folder or a bucket. It lists and reads; what a document is, is decided elsewhere. */
import { DocumentProblem } from "./problem.js";

export interface SourceEntry {
  /** Unique and lasting: an absolute path, or an address such as `s3://bucket/key`. */
  readonly path: string;
  /** The path below the source's root with `/` between folders: for people, for the manifest, for the kind of file. */
  readonly name: string;
  /** What the listing tells of its content, such as an ETag: as long as it stays the same, so does the content. */
  readonly version?: string;
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
  /** As `read`, of the file with this name in the root, of whatever kind: for the manifest. */
  readNamed(name: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array>;
  /** Where a folder above the root holds a file with one of these names; undefined where nothing is above it. */
  above(names: readonly string[], signal: AbortSignal): Promise<string | undefined>;
}

/** Files in the root of a source that say of its documents what they do not say themselves; see manifest.ts. */
export const MANIFEST_NAMES: readonly string[] = ["readback.yaml", "readback.yml", "readback.json"];

/** Whether a path or a name ends with the name of a manifest. Listings hold manifests, whatever kinds are read. */
export function isManifestName(path: string): boolean {
  return MANIFEST_NAMES.includes(path.slice(path.lastIndexOf("/") + 1));
}

/** A source that cannot be ingested at all; the message names it and says why. */
export class PathProblem extends Error {
  override readonly name = "PathProblem";
}

/** It went away after the source was listed. */
export class EntryGone extends Error {
  override readonly name = "EntryGone";
}

/** It is there and cannot be read now; what is stored of it stays. */
export class EntryUnreadable extends Error {
  override readonly name = "EntryUnreadable";
  constructor(
    message: string,
    /** Whether another try in a moment may do better. */
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What a reader is told of a file that is too large; it is not read. */
export function tooLarge(bytes: number, bytesMax: number): DocumentProblem {
  return new DocumentProblem(`the file has ${bytes} bytes, more than the ${bytesMax} that are allowed`);
}
