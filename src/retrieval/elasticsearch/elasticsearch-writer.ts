/**
 * Writes one network's knowledge into Elasticsearch, which has no transactions: documents change in batches, each step
 * of a batch safe to stop after and safe to repeat. See `change-batch.ts` for the steps and their order. A lease keeps
 * other writers out.
 */
import type { Clock } from "../../lib/clock.js";
import type { Random } from "../../lib/random.js";
import {
  type CommitSummary,
  KnowledgeBusy,
  type KnowledgeDocument,
  KnowledgeUnusable,
  type KnowledgeWriter,
  type StoredDocument,
} from "../writer.js";
import { type Change, ChangeBatch } from "./change-batch.js";
import { type ElasticsearchClient, ElasticsearchProblem } from "./client.js";
import { countNearDuplicates } from "./duplicate-chunks.js";
import { everyHit } from "./every-hit.js";
import { acquireLease, heldLeases, type Lease, LeaseLost } from "./lease.js";
import type { ElasticsearchOptions } from "./options.js";
import { refresh } from "./revision-families.js";
import { decodeMetadata, METADATA_FIELDS } from "./stored-chunks.js";

/** The lease of a writer is `writer:<network>`; that of a rebuild, which needs all of them free, `rebuild`. */
export const WRITER_LEASES = "writer:";
export const REBUILD_LEASE = "rebuild";

/** Changes that are gathered before they are written, in documents and in characters of their chunks. */
const BATCH_DOCUMENTS_MAX = 500;
const BATCH_CHARS_MAX = 8_000_000;

export interface ElasticsearchWriterDeps {
  /** Stays open when the writer is closed. */
  readonly client: ElasticsearchClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ElasticsearchOptions;
  /** Whether chunks are given to the cluster's own model: whether the leg `semantic` is configured. */
  readonly semantic: boolean;
}

/**
 * Takes the network's lease. Rejects with `KnowledgeBusy` while another writer or a rebuild is at work, with
 * `KnowledgeUnusable` when the indices are missing or cannot be written, or with the signal's reason; the signal ends
 * what is under way later on, too.
 */
export async function openElasticsearchWriter(
  deps: ElasticsearchWriterDeps,
  network: string,
  signal: AbortSignal,
): Promise<KnowledgeWriter> {
  return usably(signal, async () => {
    const { options } = deps;
    const request = { index: options.syncIndex, name: `${WRITER_LEASES}${network}` };
    const lease = await acquireLease(request, deps, signal);
    if (lease.type === "taken") throw busy(network, lease.expiresAtMs - deps.clock.now());
    try {
      if ((await heldLeases(options.syncIndex, REBUILD_LEASE, deps, signal)).length > 0) {
        throw new KnowledgeBusy("The indices are being rebuilt. Try again when that is done.");
      }
      // What an earlier writer wrote last can be found from here on.
      await refresh(deps, [options.embeddingsIndex, options.metadataIndex], signal);
      return new ElasticsearchWriter(deps, network, lease, signal);
    } catch (error) {
      await lease.release(signal);
      throw error;
    }
  });
}

class ElasticsearchWriter implements KnowledgeWriter {
  readonly #signal: AbortSignal;
  readonly #pending = new Map<string, Change>();
  #pendingChars = 0;

  constructor(
    private readonly deps: ElasticsearchWriterDeps,
    private readonly network: string,
    private readonly lease: Lease,
    outer: AbortSignal,
  ) {
    this.#signal = AbortSignal.any([outer, lease.signal]);
  }

  /** Documents that were begun and not finished come with an empty hash, so that they are written again. */
  documents(): Promise<readonly StoredDocument[]> {
    return this.#guard(async () => {
      const found: StoredDocument[] = [];
      const request = {
        index: this.deps.options.metadataIndex,
        query: { bool: { filter: [{ term: { network: this.network } }] } },
        fields: METADATA_FIELDS,
      };
      for await (const page of everyHit(this.deps.client, request, this.#signal)) {
        for (const document of page.flatMap(({ _source }) => decodeMetadata(_source) ?? [])) {
          const { documentId, path, usesDefaultVisibility, unfinished } = document;
          const contentHash = unfinished === undefined ? document.contentHash : "";
          found.push({ documentId, path, contentHash, usesDefaultVisibility });
        }
      }
      return found;
    });
  }

  put(document: KnowledgeDocument): Promise<void> {
    return this.#guard(() => this.#change({ type: "put", document }));
  }

  remove(documentId: string): Promise<void> {
    return this.#guard(() => this.#change({ type: "remove", documentId }));
  }

  commit(): Promise<CommitSummary> {
    return this.#guard(async () => {
      await this.#flush();
      const { client, options } = this.deps;
      // What is looked up from here on is what was written last.
      await this.#refresh();
      if (await this.#finishRemovals()) await this.#refresh();
      return {
        documents: await this.#count(options.metadataIndex),
        chunks: await this.#count(options.embeddingsIndex),
        nearDuplicateChunks: await countNearDuplicates(
          client,
          options.embeddingsIndex,
          this.network,
          this.#signal,
        ),
      };
    });
  }

  /** What was put and not committed may be written or not; the next ingest looks. */
  async close(): Promise<void> {
    this.#pending.clear();
    // The lease is let go even when the work was called off.
    const { signal } = new AbortController();
    await usably(signal, () => this.lease.release(signal));
  }

  async #change(change: Change): Promise<void> {
    const id = change.type === "put" ? change.document.documentId : change.documentId;
    if (this.#pending.has(id)) await this.#flush();
    this.#pending.set(id, change);
    this.#pendingChars += change.type === "put" ? chars(change.document) : 0;
    if (this.#pending.size >= BATCH_DOCUMENTS_MAX || this.#pendingChars >= BATCH_CHARS_MAX)
      await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const changes = [...this.#pending.values()];
    this.#pending.clear();
    this.#pendingChars = 0;
    await new ChangeBatch(this.deps, this.network, changes, this.#signal).write();
  }

  #refresh(): Promise<void> {
    const { embeddingsIndex, metadataIndex } = this.deps.options;
    return refresh(this.deps, [embeddingsIndex, metadataIndex], this.#signal);
  }

  /** Does the removals that an earlier writer began; whether there were any. */
  async #finishRemovals(): Promise<boolean> {
    let any = false;
    const request = {
      index: this.deps.options.metadataIndex,
      query: { bool: { filter: [{ term: { network: this.network } }, { term: { unfinished: "remove" } }] } },
      fields: METADATA_FIELDS,
      pageSize: BATCH_DOCUMENTS_MAX,
    };
    for await (const page of everyHit(this.deps.client, request, this.#signal)) {
      const found = page.flatMap(({ _source }) => decodeMetadata(_source) ?? []);
      const changes = found.map(({ documentId }): Change => ({ type: "remove", documentId }));
      await new ChangeBatch(this.deps, this.network, changes, this.#signal).write();
      any = true;
    }
    return any;
  }

  async #count(index: string): Promise<number> {
    const query = { bool: { filter: [{ term: { network: this.network } }] } };
    const { count } = await this.deps.client.call(
      "count documents",
      (api, options) => api.count({ index, query }, options),
      this.#signal,
    );
    return count;
  }

  #guard<T>(work: () => Promise<T>): Promise<T> {
    return usably(this.#signal, async () => {
      this.lease.throwIfLost();
      return work();
    });
  }
}

/** What `work` resolves to; its problems as `KnowledgeUnusable`, and a lost lease as `KnowledgeBusy`. */
async function usably<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (reason instanceof LeaseLost) {
      const message = `${reason.message} What was written so far is sound. Run the ingest again.`;
      throw new KnowledgeUnusable(message, { cause: reason });
    }
    if (reason instanceof ElasticsearchProblem)
      throw new KnowledgeUnusable(reason.message, { cause: reason });
    throw reason;
  }
}

function busy(network: string, freeInMs: number): KnowledgeBusy {
  const seconds = Math.ceil(freeInMs / 1000);
  const message =
    `Another process is writing the documents of network ${JSON.stringify(network)}. Wait until it is done, or stop ` +
    `it, and try again; if it died, its claim ends in ${seconds} seconds.`;
  return new KnowledgeBusy(message);
}

function chars({ chunks }: KnowledgeDocument): number {
  return chunks.reduce(
    (sum, { text, vector }) => sum + text.length + (vector?.length ?? 0) * CHARS_PER_DIMENSION,
    0,
  );
}

/** Of a vector's element in JSON, about. */
const CHARS_PER_DIMENSION = 12;
