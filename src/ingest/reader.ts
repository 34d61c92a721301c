/** What the pipeline asks of whoever makes documents of files. */
import type { KnowledgeDocument } from "../retrieval/writer.js";
import type { AccessDoubt } from "./access/doubts.js";
import type { ManifestEntry } from "./manifest-entry.js";

export interface ReadJob {
  /** Unique and lasting: an absolute path, or an address such as `s3://bucket/key`. */
  readonly path: string;
  /** The path below the source's root with `/` between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What the manifest says of it. */
  readonly described: ManifestEntry | undefined;
  /** Files that lie beside it and bear its name, as some keep what there is to say of a document; see sidecars.ts. */
  readonly beside?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/**
 * Why a file did not become a document. `invalid`: it is no document, or says of itself what cannot be understood.
 * `time`, `memory`: it needs more than is allowed. `crashed`: reading it ended its reader. `unavailable`: readers cannot
 * be started, or too many files wait for one; the file itself may be fine.
 */
export type ReadProblemKind = "invalid" | "time" | "memory" | "crashed" | "unavailable";

export type ReadResult =
  | {
      readonly type: "document";
      readonly document: KnowledgeDocument;
      readonly warnings: readonly string[];
      /** Why nobody may read it, where it says something of that which is not understood. */
      readonly doubts: readonly AccessDoubt[];
    }
  | { readonly type: "problem"; readonly kind: ReadProblemKind; readonly message: string };

/** No file can be read, whichever it is; the message says why, and what to do. */
export class ReadersUnusable extends Error {
  override readonly name = "ReadersUnusable";
}

export interface DocumentReader {
  /** Says the same only where `read` would give the same document. Cheap: it looks at the bytes, not into them. */
  contentHash(job: ReadJob): string;
  /**
   * Rejects with the signal's reason or `ReadersUnusable`: a file that cannot be read is a problem, whatever it does to
   * its reader, as long as others can be read.
   */
  read(job: ReadJob, signal: AbortSignal): Promise<ReadResult>;
}
