/**
 * What the sync asks of Elasticsearch: a connector that copies objects of a bucket into a staging index, the metadata
 * that say which documents are wanted and who may read them, the chunks that are searched, and the progress that
 * outlives this process. Everything happens inside a session, of which there is one at a time.
 *
 * All methods reject with `ElasticsearchProblem`, `SessionLost` or the signal's reason.
 */
import type { DocumentAccess } from "../../domain/passage.js";
import type { LeaseTaken } from "../../retrieval/elasticsearch/lease.js";
import type { Version } from "../../retrieval/elasticsearch/versions.js";
import type { KnowledgeDocument } from "../../retrieval/writer.js";
import type { CopiedDocument } from "./batch.js";
import type { FilterRule, Job, RulesDraft } from "./connector.js";
import type { SyncProgress } from "./state.js";

export interface SyncDoor {
  /** Takes the lease of this sync; `taken`: another instance has it. */
  enter(signal: AbortSignal): Promise<SyncSession | LeaseTaken>;
}

/** Another instance took over: nothing may be written any more. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
}

export interface SyncSession {
  readonly type: "entered";
  readonly connector: ConnectorStore;
  readonly metadata: MetadataStore;
  readonly chunks: ChunkStore;
  readonly progress: ProgressStore;
  /** Aborts when the session is lost or called off: for what is done besides. */
  readonly signal: AbortSignal;
  /** Lets the next instance in. */
  close(): Promise<void>;
}

export interface ProgressStore {
  /** What was saved last; `undefined` where nothing was, or nothing that is understood. */
  load(): Promise<SyncProgress | undefined>;
  /** Rejects with `SessionLost` when somebody else has saved since. */
  save(progress: SyncProgress): Promise<void>;
}

export interface ConnectorStore {
  /** Why the connector must not be run as it is set up, in words that say what to do; `undefined`: it may. */
  obstacle(): Promise<string | undefined>;
  writeDraft(rules: readonly FilterRule[]): Promise<void>;
  draft(): Promise<RulesDraft>;
  /** False: the draft is not valid any more. */
  activateDraft(): Promise<boolean>;
  /** Its full jobs: all that are not over, and the latest that are. */
  jobs(): Promise<readonly Job[]>;
  job(id: string): Promise<Job | undefined>;
  /** Starts a full job; returns its id. It is not repeated when its answer is lost. */
  startJob(): Promise<string>;
  /** A job that is over is no error. */
  cancelJob(id: string): Promise<void>;
  /** What the connector has copied of this object. */
  staged(key: string): Promise<StagedObject | undefined>;
}

export interface StagedObject {
  readonly key: string;
  readonly bytes: number;
  /** Absent where the connector has left the content out. */
  readonly text?: string;
  /** What the cluster noted when it could not get at the text. */
  readonly problem?: string;
}

/** Metadata as somebody else has written them; their `metadataId` is anything. */
export interface WantedDocument {
  readonly metadataId: string;
  readonly version: Version;
  readonly documentId: string;
  /** Its address: `s3://<bucket>/<key>`. */
  readonly path: string;
  readonly key: string;
  /** Why it cannot be synced as its metadata are. */
  readonly flaw?: string;
  /** The flaw is that what they say of who may read it is not understood; `access` is nobody's then. */
  readonly inDoubt?: boolean;
  /** As whoever wrote the metadata calls it; absent: as the content does. */
  readonly title?: string;
  readonly revision?: string;
  readonly access: DocumentAccess;
  /** Somebody wrote the visibility down; otherwise it follows from the lists, or is the default. */
  readonly visibilityIsGiven: boolean;
  /** What looks in the document like a word on who may read it counts for nothing. */
  readonly ignoreMarks?: boolean;
  readonly usesDefaultVisibility: boolean;
  readonly status: string;
  /** Since when it is in this state, milliseconds since the epoch; absent where the metadata do not say. */
  readonly sinceMs?: number;
  /** As they stand in the metadata, whoever wrote them there. */
  readonly stored: {
    readonly title?: string;
    /** Among the revisions of this title its chunks count now. */
    readonly titleKey?: string;
    readonly revision?: string;
    readonly visibility?: string;
  };
}

/** The documents in one state. */
export interface WantedPage {
  /** Oldest first. */
  readonly documents: readonly WantedDocument[];
  /** How many there are, those included that are not on this page. */
  readonly total: number;
}

/** What is written into a document's metadata at the end. */
export type SyncVerdict =
  | { readonly type: "synced"; readonly copy: CopiedDocument }
  | { readonly type: "failed"; readonly reason: string; readonly withdrawn: boolean };

export interface MetadataStore {
  /** Metadata with this status as of now; those that another writer is at work on are left out. */
  wanted(status: "pending" | "deleted", limit: number): Promise<WantedPage>;
  /** As it is at this moment. */
  document(metadataId: string): Promise<WantedDocument | undefined>;
  /** False: it has changed since or is gone, and nothing was written. */
  mark(document: WantedDocument, verdict: SyncVerdict): Promise<boolean>;
  /** Deletes the metadata; false as for `mark`. */
  forget(document: WantedDocument): Promise<boolean>;
}

export type CopyResult =
  /** With the version that the metadata have now that they tell of the title. */
  | { readonly type: "copied"; readonly copy: CopiedDocument; readonly version: Version }
  /** The metadata have changed since. */
  | { readonly type: "changed" }
  /** Another writer has the document's network. */
  | { readonly type: "busy"; readonly reason: string };

export type RemoveResult = { readonly type: "removed" } | { readonly type: "busy"; readonly reason: string };

export interface SweepResult {
  /** Chunks whose document is gone. */
  readonly removed: number;
  /** Where to go on; absent: at the beginning. */
  readonly cursor?: string;
}

export interface ChunkStore {
  /**
   * Takes from the chunks of these documents every permission that their metadata do not give. Chunks that they have
   * left behind, in another network or under another id, go.
   */
  narrow(documents: readonly WantedDocument[]): Promise<void>;
  /** As `narrow`, for everything that is pending and has changed since; does nothing shortly after it has done so. */
  narrowPending(): Promise<void>;
  /** Replaces the document's chunks, with the access that `document` has. */
  copy(wanted: WantedDocument, document: KnowledgeDocument): Promise<CopyResult>;
  /** Whether a search finds exactly these chunks, with exactly the access of `wanted`. */
  confirm(wanted: WantedDocument, copy: CopiedDocument): Promise<boolean>;
  /** Removes the document's chunks. */
  remove(wanted: WantedDocument): Promise<RemoveResult>;
  /** Looks at a bounded portion of all chunks and removes those without metadata. */
  sweep(cursor: string | undefined): Promise<SweepResult>;
}
