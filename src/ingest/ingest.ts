/**
 * Brings the knowledge of one network up to date with a folder or a file: reads what is there, writes what changed,
 * removes what is gone, all of it visible at once.
 *
 * A document is the file at its absolute path, and an ingest speaks for everything at or below the path that it was
 * given, and for nothing else: another folder's documents stay, a subfolder or a single file can be brought up to
 * date on its own. A file that is there but is no valid document any more is removed too, since its earlier version
 * may grant what the new one was to deny; a file that could not be read at all keeps what it has.
 */
import { open } from "node:fs/promises";
import { basename, relative } from "node:path";
import type { Clock } from "../lib/clock.js";
import type { KnowledgeWriter, StoredDocument } from "../retrieval/writer.js";
import { type ReadDocument, readDocument } from "./document.js";
import { inOrder } from "./in-order.js";
import type { IngestOptions } from "./options.js";
import { DocumentProblem } from "./problem.js";
import { type FoundFile, isBelow, reasonOf, resolveRoot, type Scan, scan, systemCode } from "./scan.js";

export interface IngestRequest {
  /** A folder, or one document. */
  readonly path: string;
  readonly network: string;
  readonly options: IngestOptions;
}

export interface IngestDeps {
  readonly clock: Clock;
  /** Rejects with `KnowledgeBusy` or `KnowledgeUnusable`. */
  openWriter(network: string): Promise<KnowledgeWriter>;
}

export interface IngestProgress {
  readonly done: number;
  readonly total: number;
  readonly documentsPerSecond: number;
}

/** Something about one file, by its path below the one that was ingested. */
export interface FileNote {
  readonly file: string;
  readonly message: string;
}

export interface IngestReport {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Documents that are no longer there, or no longer valid. */
  readonly removed: number;
  readonly failed: readonly FileNote[];
  readonly warnings: readonly FileNote[];
  /** Files of kinds that are not read. */
  readonly ignored: number;
  /** Documents that say nothing about who may read them, and got the default. */
  readonly withDefaultVisibility: number;
  readonly elapsedMs: number;
}

/**
 * Rejects with `PathProblem`, `KnowledgeBusy`, `KnowledgeUnusable` or the signal's reason, and has changed nothing
 * then. `onProgress` is called after each file.
 */
export async function ingest(
  { path, network, options }: IngestRequest,
  { clock, openWriter }: IngestDeps,
  onProgress: (progress: IngestProgress) => void,
  signal: AbortSignal,
): Promise<IngestReport> {
  const startMs = clock.monotonic();
  signal.throwIfAborted();
  const root = await resolveRoot(path);
  const writer = await openWriter(network);
  try {
    const found = await scan(root, signal);
    const run = new IngestRun(root, found, writer, await writer.documents());
    let done = 0;
    for await (const file of inOrder(found.files, options.readConcurrency, (file) =>
      readFile(file, options),
    )) {
      signal.throwIfAborted();
      await run.take(file);
      done += 1;
      const documentsPerSecond = (done * 1000) / Math.max(1, clock.monotonic() - startMs);
      onProgress({ done, total: found.files.length, documentsPerSecond });
    }
    signal.throwIfAborted();
    await run.finish();
    return run.report(clock.monotonic() - startMs);
  } finally {
    await writer.close();
  }
}

type ReadFile = { readonly path: string } & (
  | { readonly type: "document"; readonly read: ReadDocument }
  | { readonly type: "invalid" | "unreadable"; readonly message: string }
  /** It went away after the folder was looked at. */
  | { readonly type: "gone" }
);

class IngestRun {
  readonly #stored: ReadonlyMap<string, StoredDocument>;
  /** Paths whose documents stay as they are. */
  readonly #kept = new Set<string>();
  readonly #failed: FileNote[] = [];
  readonly #warnings: FileNote[] = [];
  #added = 0;
  #updated = 0;
  #unchanged = 0;
  #removed = 0;
  #withDefaultVisibility = 0;

  constructor(
    private readonly root: string,
    private readonly found: Scan,
    private readonly writer: KnowledgeWriter,
    stored: readonly StoredDocument[],
  ) {
    this.#stored = new Map(stored.map((document) => [document.path, document]));
    for (const { path, message } of found.problems) this.#fail(path, message);
  }

  async take(file: ReadFile): Promise<void> {
    switch (file.type) {
      case "gone":
        return;
      case "unreadable":
        this.#kept.add(file.path);
        this.#fail(file.path, file.message);
        return;
      case "invalid":
        this.#fail(file.path, file.message);
        return;
      case "document":
        await this.#put(file.path, file.read);
    }
  }

  /** Removes what is gone and makes everything visible. */
  async finish(): Promise<void> {
    for (const { path, documentId } of this.#stored.values()) {
      if (this.#kept.has(path) || !this.#speaksFor(path)) continue;
      await this.writer.remove(documentId);
      this.#removed += 1;
    }
    if (this.#added + this.#updated + this.#removed > 0) await this.writer.commit();
  }

  report(elapsedMs: number): IngestReport {
    return {
      added: this.#added,
      updated: this.#updated,
      unchanged: this.#unchanged,
      removed: this.#removed,
      failed: this.#failed,
      warnings: this.#warnings,
      ignored: this.found.ignoredCount,
      withDefaultVisibility: this.#withDefaultVisibility,
      elapsedMs,
    };
  }

  async #put(path: string, read: ReadDocument): Promise<void> {
    const stored = this.#stored.get(path);
    if (stored?.contentHash === read.document.contentHash) {
      this.#unchanged += 1;
    } else {
      await this.writer.put({ ...read.document, chunks: read.chunks() });
      if (stored === undefined) this.#added += 1;
      else this.#updated += 1;
    }
    this.#kept.add(path);
    for (const message of read.warnings) this.#warnings.push({ file: this.#name(path), message });
    if (read.usesDefaultVisibility) this.#withDefaultVisibility += 1;
  }

  /** Whether the scan knows that a document it has not found is gone. */
  #speaksFor(path: string): boolean {
    if (path !== this.root && !isBelow(path, this.root)) return false;
    return !this.found.problems.some(
      ({ type, path: at }) => type === "unreadable" && (path === at || isBelow(path, at)),
    );
  }

  #fail(path: string, message: string): void {
    this.#failed.push({ file: this.#name(path), message });
  }

  #name(path: string): string {
    return relative(this.root, path) || basename(path);
  }
}

async function readFile({ path, markup }: FoundFile, options: IngestOptions): Promise<ReadFile> {
  let bytes: Uint8Array;
  try {
    const handle = await open(path);
    try {
      const { size } = await handle.stat();
      if (size > options.fileBytesMax) {
        const message = `the file has ${size} bytes, more than the ${options.fileBytesMax} that are allowed`;
        return { path, type: "invalid", message };
      }
      bytes = await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { path, type: "gone" };
    return { path, type: "unreadable", message: `the file cannot be read: ${reasonOf(error)}` };
  }
  try {
    return { path, type: "document", read: readDocument(path, bytes, markup, options) };
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error;
    return { path, type: "invalid", message: error.message };
  }
}
