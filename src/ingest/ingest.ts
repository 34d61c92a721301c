/**
 * Brings the knowledge of one network up to date with a source: reads what is there, writes what changed, removes what
 * is gone, all of it visible at once.
 *
 * list → read → embed → write. Each stage works while the next one does, ahead of it by a bounded distance, so that
 * memory does not grow with the source but for the list of its names. What becomes of each file is decided in run.ts.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import { KnowledgeBusy, type KnowledgeDocument, type KnowledgeWriter } from "../retrieval/writer.js";
import type { DeadLetters } from "../store/embedded-dead-letters.js";
import type { Sidecar } from "./access/sidecars.js";
import { type Embedding, type EmbeddingResult, EmbedStage } from "./embed.js";
import { inOrder } from "./in-order.js";
import { loadManifest, type Manifest } from "./manifest.js";
import type { IngestOptions } from "./options.js";
import { DocumentProblem } from "./problem.js";
import type { DocumentReader, ReadJob } from "./reader.js";
import type { IngestProgress, IngestReport } from "./report.js";
import { FETCH_RETRY, mayReadLater, withRetry } from "./retry.js";
import { type EntryResult, IngestRun } from "./run.js";
import { runAhead } from "./run-ahead.js";
import { EntryGone, EntryUnreadable, type Source, type SourceEntry } from "./source.js";

export interface IngestRequest {
  readonly source: Source;
  readonly network: string;
  readonly options: IngestOptions;
  /** Only what lies at or below these paths is looked at and changed. Absent: all that the source covers. */
  readonly only?: readonly string[];
}

export interface IngestDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly reader: DocumentReader;
  /** Rejects with `KnowledgeBusy` or `KnowledgeUnusable`. */
  openWriter(network: string, signal: AbortSignal): Promise<KnowledgeWriter>;
  /** Absent: chunks get no vectors. */
  readonly embedding?: Embedding;
  /** Absent: failures are reported and not kept. */
  readonly deadLetters?: DeadLetters;
}

/** Files that are being fetched besides those that are being read: fetching from far away takes its time. */
export const FETCHES_AHEAD = 8;

/** Characters of documents that may wait to be written. */
export const WRITE_AHEAD_CHARS = 8_000_000;

/** What a document and each of its chunks weigh besides their text: thousands of small ones must not pile up. */
const DOCUMENT_CHARS = 4_000;
const CHUNK_CHARS = 500;

/** Another ingest of this network: waited for up to 8 seconds. */
const WRITER_RETRY = { attemptsMax: 6, delayMs: 250 };

/**
 * Rejects with `PathProblem`, `ManifestProblem`, `ReadersUnusable`, `KnowledgeBusy`, `KnowledgeUnusable`,
 * `StoreUnusable` or the signal's reason, and has changed nothing then. `onProgress` is called after each file.
 */
export async function ingest(
  request: IngestRequest,
  deps: IngestDeps,
  onProgress: (progress: IngestProgress) => void,
  signal: AbortSignal,
): Promise<IngestReport> {
  const { source, network, only } = request;
  const startMs = deps.clock.monotonic();
  signal.throwIfAborted();
  const writer = await openWriterPatiently(deps, network, signal);
  try {
    const listing = await source.list(signal);
    const manifest = await loadManifest(source, listing, deps, signal);
    const run = new IngestRun(
      { source, network, only, listing, manifest, deadLetters: deps.deadLetters },
      writer,
      await writer.documents(),
    );
    const progress = new Progress(deps.clock, run.entries.length, onProgress);
    for await (const outcome of outcomes(run, manifest, request, deps, signal)) {
      signal.throwIfAborted();
      await run.take(outcome);
      progress.step();
    }
    signal.throwIfAborted();
    await run.finish();
    return run.report(deps.clock.monotonic() - startMs);
  } finally {
    await writer.close();
  }
}

function openWriterPatiently(
  deps: IngestDeps,
  network: string,
  signal: AbortSignal,
): Promise<KnowledgeWriter> {
  const isBusy = (error: unknown) => error instanceof KnowledgeBusy;
  return withRetry(deps, WRITER_RETRY, isBusy, () => deps.openWriter(network, signal), signal);
}

/** What became of each entry, in their order. */
function outcomes(
  run: IngestRun,
  manifest: Manifest,
  { source, options }: IngestRequest,
  deps: IngestDeps,
  parent: AbortSignal,
): AsyncGenerator<EntryResult, void, undefined> {
  const { embedding } = deps;
  const fetches = options.readConcurrency + FETCHES_AHEAD;
  const stages = (signal: AbortSignal) => {
    const reading = new ReadStage(run, manifest, source, options, deps, signal);
    const read = inOrder(run.entries, fetches, (entry) => reading.read(entry));
    return embedding === undefined ? read : embedded(read, embedding, deps, run, signal);
  };
  return runAhead(stages, WRITE_AHEAD_CHARS, weightOf, parent);
}

/** The first stage: from an entry to a document without vectors, or to what is wrong with it. */
class ReadStage {
  constructor(
    private readonly run: IngestRun,
    private readonly manifest: Manifest,
    private readonly source: Source,
    private readonly options: IngestOptions,
    private readonly deps: IngestDeps,
    private readonly signal: AbortSignal,
  ) {}

  /** Never rejects: what goes wrong beyond the file is found out by whoever takes the outcome. */
  async read(entry: SourceEntry): Promise<EntryResult> {
    try {
      return await this.#read(entry);
    } catch (error) {
      if (error instanceof EntryGone) return { type: "gone", entry };
      const { message } = error as Error;
      if (error instanceof EntryUnreadable)
        return { type: "unreadable", reason: "unreadable", entry, message };
      if (error instanceof DocumentProblem) return { type: "invalid", reason: "invalid", entry, message };
      return { type: "fault", entry, error };
    }
  }

  async #read(entry: SourceEntry): Promise<EntryResult> {
    const { source, options, deps, signal } = this;
    const fetch = () => source.read(entry, options.fileBytesMax, signal);
    const bytes = await withRetry(deps, FETCH_RETRY, mayReadLater, fetch, signal);
    const { entryFor, sidecars } = this.manifest;
    const beside = await this.#sidecars(sidecars.get(entry.name) ?? []);
    const job: ReadJob = { ...entry, bytes, described: entryFor(entry.name), beside };
    const hash = deps.reader.contentHash(job);
    const contentHash = hashWith(hash, deps.embedding);
    const stored = this.run.storedAt(entry.path)?.contentHash;
    if (stored === contentHash) return { type: "unchanged", entry, doubts: [] };
    const result = await deps.reader.read(job, signal);
    if (result.type === "problem") {
      const { kind: reason, message } = result;
      return { type: reason === "unavailable" ? "unreadable" : "invalid", reason, entry, message };
    }
    const { document, warnings, doubts } = result;
    const inDoubt = hashInDoubt(contentHash);
    if (doubts.length > 0 && stored === inDoubt) return { type: "unchanged", entry, doubts };
    return {
      type: "document",
      entry,
      document: { ...document, contentHash: doubts.length > 0 ? inDoubt : contentHash },
      warnings,
      doubts,
      hashWithoutVectors: hash,
    };
  }

  async #sidecars(entries: readonly SourceEntry[]): Promise<readonly Sidecar[]> {
    const { source, options, deps, signal } = this;
    const found: Sidecar[] = [];
    for (const entry of entries) {
      const fetch = () => source.read(entry, options.fileBytesMax, signal);
      try {
        const bytes = await withRetry(deps, FETCH_RETRY, mayReadLater, fetch, signal);
        found.push({ name: entry.name, bytes });
      } catch (error) {
        // What is too large or gone is told where it is read for itself.
        if (!(error instanceof EntryGone || error instanceof DocumentProblem)) throw error;
      }
    }
    return found;
  }
}

/** A document in doubt is read anew each time, so that each ingest says so. */
function hashInDoubt(hash: string): string {
  return createHash("sha256")
    .update(JSON.stringify([hash, "in doubt"]))
    .digest("hex");
}

/** Vectors of another embedder are other content. */
function hashWith(hash: string, embedding: Embedding | undefined): string {
  if (embedding === undefined) return hash;
  return createHash("sha256")
    .update(JSON.stringify([hash, embedding.embedder.name]))
    .digest("hex");
}

/** The second stage: waits until there is enough for a batch, and gives the documents their vectors. */
async function* embedded(
  outcomes: AsyncIterable<EntryResult>,
  embedding: Embedding,
  deps: IngestDeps,
  run: IngestRun,
  signal: AbortSignal,
): AsyncGenerator<EntryResult, void, undefined> {
  const stage = new EmbedStage(embedding, deps);
  const flush = async (): Promise<EntryResult[]> => {
    const held = waiting.splice(0);
    const results = await stage.embed(
      held.flatMap((outcome) => documentsOf(outcome)),
      signal,
    );
    const next = results[Symbol.iterator]();
    return held.map((outcome) => afterEmbedding(outcome, () => next.next().value!, run));
  };
  const waiting: EntryResult[] = [];
  let chunks = 0;
  for await (const outcome of outcomes) {
    waiting.push(outcome);
    chunks += documentsOf(outcome)[0]?.chunks.length ?? 0;
    const isFull = chunks >= embedding.batchSize || waiting.length >= ENTRIES_PER_BATCH_MAX;
    if (chunks > 0 && !isFull) continue;
    chunks = 0;
    yield* await flush();
  }
  yield* await flush();
}

/** Entries that wait for a batch to fill, those that need no vectors included. */
const ENTRIES_PER_BATCH_MAX = 256;

function documentsOf(outcome: EntryResult): readonly KnowledgeDocument[] {
  return outcome.type === "document" ? [outcome.document] : [];
}

function afterEmbedding(outcome: EntryResult, next: () => EmbeddingResult, run: IngestRun): EntryResult {
  if (outcome.type !== "document") return outcome;
  const result = next();
  if (result.type === "embedded") return { ...outcome, document: result.document };
  const contentHash = outcome.hashWithoutVectors;
  const { entry } = outcome;
  // Stored without vectors before, and no different now.
  if (run.storedAt(entry.path)?.contentHash === contentHash)
    return { type: "unchanged", entry, doubts: outcome.doubts, notEmbedded: result.message };
  return { ...outcome, document: { ...outcome.document, contentHash }, notEmbedded: result.message };
}

function weightOf(outcome: EntryResult): number {
  if (outcome.type !== "document") return 1;
  return outcome.document.chunks.reduce(
    (sum, { text, vector }) => sum + CHUNK_CHARS + text.length + 2 * (vector?.length ?? 0),
    DOCUMENT_CHARS,
  );
}

class Progress {
  readonly #startMs: number;
  #done = 0;

  constructor(
    private readonly clock: Clock,
    private readonly total: number,
    private readonly onProgress: (progress: IngestProgress) => void,
  ) {
    this.#startMs = clock.monotonic();
  }

  step(): void {
    this.#done += 1;
    const { total } = this;
    const elapsedMs = Math.max(1, this.clock.monotonic() - this.#startMs);
    const documentsPerSecond = (this.#done * 1000) / elapsedMs;
    const secondsLeft = (total - this.#done) / documentsPerSecond;
    this.onProgress({ done: this.#done, total, documentsPerSecond, secondsLeft });
  }
}
