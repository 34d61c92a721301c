/**
 * What becomes of each file in an ingest, and what is said of it at the end.
 *
 * An ingest speaks for everything that its source covers, and for nothing else: another folder's documents stay, a
 * subfolder or a single file can be brought up to date on its own. A file that is there but is no valid document any
 * more is removed too, since its earlier version may grant what the new one was to deny; a file that could not be read
 * at all keeps what it has.
 */
import type {
  CommitSummary,
  KnowledgeDocument,
  KnowledgeWriter,
  StoredDocument,
} from "../retrieval/writer.js";
import type { DeadLetters } from "../store/embedded-dead-letters.js";
import { type AccessDoubt, remedyFor } from "./access/doubts.js";
import type { Manifest } from "./manifest.js";
import { PathSet } from "./path-set.js";
import type { FailureReason, FileFailure, FileNote, IngestReport } from "./report.js";
import type { Listing, Source, SourceEntry } from "./source.js";

export type EntryResult = { readonly entry: SourceEntry } & (
  | {
      readonly type: "document";
      readonly document: KnowledgeDocument;
      readonly warnings: readonly string[];
      readonly doubts: readonly AccessDoubt[];
      /** What `contentHash` is when the chunks have no vectors, so that the next ingest embeds them. */
      readonly hashWithoutVectors: string;
      /** Why an embedder that should have given the chunks vectors has not. */
      readonly notEmbedded?: string;
    }
  | { readonly type: "unchanged"; readonly doubts: readonly AccessDoubt[]; readonly notEmbedded?: string }
  /** It is there and could not be read now. */
  | { readonly type: "unreadable"; readonly reason: FailureReason; readonly message: string }
  /** It is no document. */
  | { readonly type: "invalid"; readonly reason: FailureReason; readonly message: string }
  /** It went away after it was listed. */
  | { readonly type: "gone" }
  /** Something beyond this file is wrong, and ends the ingest. */
  | { readonly type: "fault"; readonly error: unknown }
);

export interface IngestScope {
  readonly source: Source;
  readonly network: string;
  readonly only: readonly string[] | undefined;
  readonly listing: Listing;
  readonly manifest: Manifest;
  readonly deadLetters: DeadLetters | undefined;
}

export class IngestRun {
  /** What there is to do, by path. */
  readonly entries: readonly SourceEntry[];
  readonly #stored: ReadonlyMap<string, StoredDocument>;
  readonly #only: PathSet | undefined;
  /** Nothing is known of what lies at or below these. */
  readonly #unreadable: PathSet;
  /** Paths whose documents stay as they are. */
  readonly #kept = new Set<string>();
  readonly #failed: FileFailure[] = [];
  readonly #warnings: FileNote[];
  readonly #doubtful: FileNote[] = [];
  #added = 0;
  #updated = 0;
  #unchanged = 0;
  #removed = 0;
  #withDefaultVisibility = 0;
  #withoutVectors = 0;
  #committed: CommitSummary | undefined;

  constructor(
    private readonly scope: IngestScope,
    private readonly writer: KnowledgeWriter,
    stored: readonly StoredDocument[],
  ) {
    const { only, listing, manifest } = scope;
    this.#only = only === undefined ? undefined : new PathSet(only);
    this.#stored = new Map(stored.map((document) => [document.path, document]));
    this.entries = manifest.entries.filter(({ path, name }) =>
      [{ path }, ...(manifest.sidecars.get(name) ?? [])].some((one) => this.#isInScope(one.path)),
    );
    this.#warnings = [...manifest.warnings];
    const problems = listing.problems.filter(({ path }) => this.#isInScope(path));
    this.#unreadable = new PathSet(
      listing.problems.filter(({ type }) => type === "unreadable").map(({ path }) => path),
    );
    for (const problem of problems) this.#fail(problem.type, problem, problem.message);
  }

  storedAt(path: string): StoredDocument | undefined {
    return this.#stored.get(path);
  }

  /** Writes what has to be written. Rejects as the writer does, or with what a fault brings. */
  async take(outcome: EntryResult): Promise<void> {
    const { entry } = outcome;
    switch (outcome.type) {
      case "fault":
        throw outcome.error;
      case "gone":
        return;
      case "unreadable":
        this.#kept.add(entry.path);
        this.#fail(outcome.reason, entry, outcome.message);
        return;
      case "invalid":
        this.#fail(outcome.reason, entry, outcome.message);
        return;
      case "unchanged":
        this.#unchanged += 1;
        this.#keep(outcome, this.#stored.get(entry.path)!);
        return;
      case "document":
        await this.writer.put(outcome.document);
        if (this.#stored.has(entry.path)) this.#updated += 1;
        else this.#added += 1;
        this.#keep(outcome, outcome.document);
        for (const message of outcome.warnings)
          this.#warnings.push({ path: entry.path, file: entry.name, message });
    }
  }

  /**
   * Removes what is gone and makes everything visible. Letters are written before that and cleared after it: wherever
   * it stops, the next ingest finds each failure again, and no letter is missing for what is stored without vectors.
   */
  async finish(): Promise<void> {
    const { deadLetters, network, source } = this.scope;
    for (const { path, documentId } of this.#stored.values()) {
      if (this.#kept.has(path) || !this.#speaksFor(path)) continue;
      await this.writer.remove(documentId);
      this.#removed += 1;
    }
    const letters = this.#failed.map(({ path, reason, message }) => ({
      path,
      source: source.name,
      reason,
      message,
    }));
    await deadLetters?.record(network, letters);
    if (this.#added + this.#updated + this.#removed > 0)
      this.#committed = await this.writer.commit(source.name);
    await this.#clearLetters();
  }

  report(elapsedMs: number): IngestReport {
    return {
      added: this.#added,
      updated: this.#updated,
      unchanged: this.#unchanged,
      removed: this.#removed,
      failed: this.#failed.sort((a, b) => (a.path < b.path ? -1 : 1)),
      warnings: this.#warnings,
      doubtful: this.#doubtful.sort((a, b) => (a.path < b.path ? -1 : 1)),
      ignored: this.scope.listing.ignoredCount,
      withDefaultVisibility: this.#withDefaultVisibility,
      withoutVectors: this.#withoutVectors,
      ...(this.#committed === undefined ? {} : { stored: this.#committed }),
      elapsedMs,
    };
  }

  async #clearLetters(): Promise<void> {
    const { deadLetters, network } = this.scope;
    if (deadLetters === undefined) return;
    const failed = new Set(this.#failed.map(({ path }) => path));
    const letters = await deadLetters.list(network);
    const settled = letters.filter(({ path }) => !failed.has(path) && this.#speaksFor(path));
    await deadLetters.clear(
      network,
      settled.map(({ path }) => path),
    );
  }

  #keep(
    { entry, doubts, notEmbedded }: Extract<EntryResult, { type: "document" | "unchanged" }>,
    { usesDefaultVisibility }: StoredDocument,
  ): void {
    const { path, name } = entry;
    this.#kept.add(path);
    if (usesDefaultVisibility) this.#withDefaultVisibility += 1;
    if (doubts.length > 0)
      this.#doubtful.push({ path, file: name, message: `${doubts.join("; ")}. ${remedyFor(name)}` });
    if (notEmbedded === undefined) return;
    this.#withoutVectors += 1;
    this.#fail("not_embedded", entry, notEmbedded);
  }

  #isInScope(path: string): boolean {
    return this.#only === undefined || this.#only.covers(path);
  }

  /** Whether this ingest knows that what it has not found is gone. */
  #speaksFor(path: string): boolean {
    return this.scope.source.covers(path) && this.#isInScope(path) && !this.#unreadable.covers(path);
  }

  #fail(reason: FailureReason, { path, name }: SourceEntry, message: string): void {
    this.#failed.push({ path, file: name, reason, message });
  }
}
