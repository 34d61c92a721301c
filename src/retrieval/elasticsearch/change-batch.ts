/**
 * Puts and removals of some documents, in steps. A writer that dies after any of them leaves nothing readable that the
 * document's old and new permissions do not both allow, and leaves a mark by which the next writer finds what was
 * begun:
 *
 * 1. mark: each document's metadata says that it is unfinished, which titles it touches, and grants only what both its
 *    old and new permissions grant;
 * 2. narrow: its chunks are narrowed the same way, and those that it has no longer are deleted; from here on a
 *    permission that was taken away is without effect;
 * 3. fill: its new chunks are written, each with its text and permissions in one piece;
 * 4. settle: other revisions of the titles learn whom they are superseded for now;
 * 5. finish: the metadata gets the document's content hash and loses the mark, or is deleted.
 */
import type { Clock } from "../../lib/clock.js";
import { titleKey } from "../revision.js";
import type { KnowledgeDocument } from "../writer.js";
import { type Grants, NOBODY, narrowest, sameGrants } from "./access-query.js";
import { type BulkAction, writeBulk } from "./bulk.js";
import type { ElasticsearchClient } from "./client.js";
import { storedBands } from "./duplicate-chunks.js";
import type { ElasticsearchOptions } from "./options.js";
import { chunksOf, ElasticsearchFamilies, refresh } from "./revision-families.js";
import {
  ALONE,
  decodeMetadata,
  encodeChunk,
  encodeGrants,
  encodeMetadata,
  type Standing,
  type StoredMetadata,
  storedId,
} from "./stored-chunks.js";

export type Change =
  | { readonly type: "put"; readonly document: KnowledgeDocument }
  | { readonly type: "remove"; readonly documentId: string };

export interface ChangeBatchDeps {
  readonly client: ElasticsearchClient;
  readonly clock: Clock;
  readonly options: ElasticsearchOptions;
  readonly semantic: boolean;
}

export class ChangeBatch {
  readonly #puts: readonly KnowledgeDocument[];
  readonly #ids: readonly string[];

  /** Each document once. */
  constructor(
    private readonly deps: ChangeBatchDeps,
    private readonly network: string,
    private readonly changes: readonly Change[],
    private readonly signal: AbortSignal,
  ) {
    this.#puts = changes.flatMap((change) => (change.type === "put" ? [change.document] : []));
    this.#ids = changes.map(idOf);
  }

  /** Rejects with `ElasticsearchProblem`, or with the signal's reason. */
  async write(): Promise<void> {
    const before = await this.#stored();
    const begun = this.changes.filter((change) => change.type === "put" || before.has(change.documentId));
    if (begun.length === 0) return;
    await this.#mark(begun, before);
    await this.#narrow(before);
    const families = new ElasticsearchFamilies(this.deps, this.network, this.signal);
    const found = await families.find(this.#titlesTouched(before), this.#puts, this.#ids);
    await this.#fill(found.standings);
    await families.settle(found);
    await this.#finish(begun, before, found.standings);
  }

  /** What is stored of these documents, by id. */
  async #stored(): Promise<ReadonlyMap<string, StoredMetadata>> {
    const { client, options } = this.deps;
    const ids = this.#ids.map((id) => storedId(this.network, id));
    const { docs } = await client.call(
      "read documents",
      (api, call) => api.mget({ index: options.metadataIndex, ids }, call),
      this.signal,
    );
    const stored = docs
      .flatMap((doc) => ("_source" in doc ? [decodeMetadata(doc._source)] : []))
      .filter((document) => document !== undefined);
    return new Map(stored.map((document) => [document.documentId, document]));
  }

  async #mark(begun: readonly Change[], before: ReadonlyMap<string, StoredMetadata>): Promise<void> {
    const actions = begun.map((change): BulkAction => {
      const id = idOf(change);
      const old = before.get(id);
      const mark = {
        unfinished: change.type,
        unsettled_title_keys: [...titlesOf(old), ...(change.type === "put" ? titlesOf(change.document) : [])],
        ...encodeGrants(interimGrants(change, old)),
        updated_at: this.#now(),
      };
      const key = storedId(this.network, id);
      if (old !== undefined) return { type: "update", id: key, document: mark };
      const { path } = (change as Change & { type: "put" }).document;
      const document = {
        network: this.network,
        document_id: id,
        path,
        status: "pending",
        content_hash: "",
        ...mark,
      };
      return { type: "index", id: key, document: { ...document, created_at: this.#now() } };
    });
    await this.#bulk(this.deps.options.metadataIndex, actions);
  }

  /** Only takes away: permissions that are not both old and new, and chunks that the document has no longer. */
  async #narrow(before: ReadonlyMap<string, StoredMetadata>): Promise<void> {
    if (before.size === 0) return;
    const puts = new Map(this.#puts.map((document) => [document.documentId, document]));
    const kept = new Map(
      this.#puts.map(({ documentId, chunks }) => [
        documentId,
        new Set(chunks.map(({ chunkId }) => storedId(this.network, chunkId))),
      ]),
    );
    const { embeddingsIndex, metadataIndex } = this.deps.options;
    const actions: BulkAction[] = [];
    await this.#refresh(embeddingsIndex);
    for await (const { id, documentId } of chunksOf(
      this.deps,
      this.network,
      [...before.keys()],
      this.signal,
    )) {
      const [old, put] = [before.get(documentId), puts.get(documentId)];
      if (put === undefined || old === undefined || kept.get(documentId)?.has(id) !== true) {
        actions.push({ type: "delete", id });
        continue;
      }
      const narrow = narrowest(old.access, put.access);
      // A writer that died may have marked the document and not come to its chunks.
      if (old.unfinished !== undefined || !sameGrants(old.access, narrow))
        actions.push({ type: "update", id, document: encodeGrants(narrow) });
    }
    await this.#bulk(embeddingsIndex, actions);
    if (actions.length > 0) await this.#refresh(embeddingsIndex, metadataIndex);
  }

  async #fill(standings: ReadonlyMap<string, Standing>): Promise<void> {
    await this.#bulk(this.deps.options.embeddingsIndex, this.#newChunks(standings));
  }

  *#newChunks(standings: ReadonlyMap<string, Standing>): Generator<BulkAction> {
    for (const document of this.#puts) {
      const standing = standings.get(document.documentId) ?? ALONE;
      for (const [position, chunk] of document.chunks.entries()) {
        const place = { network: this.network, document, position, standing, semantic: this.deps.semantic };
        const bands = storedBands(chunk.text);
        const id = storedId(this.network, chunk.chunkId);
        yield { type: "index", id, document: encodeChunk(chunk, { ...place, bands }) };
      }
    }
  }

  #titlesTouched(before: ReadonlyMap<string, StoredMetadata>): ReadonlySet<string> {
    const touched = [...[...before.values()].flatMap(titlesOf), ...this.#puts.flatMap(titlesOf)];
    return new Set(touched);
  }

  async #finish(
    begun: readonly Change[],
    before: ReadonlyMap<string, StoredMetadata>,
    standings: ReadonlyMap<string, Standing>,
  ): Promise<void> {
    const actions = begun.map((change): BulkAction => {
      const documentId = idOf(change);
      const id = storedId(this.network, documentId);
      if (change.type === "remove") return { type: "delete", id };
      const now = this.#now();
      const document = {
        ...encodeMetadata(this.network, change.document, standings.get(documentId) ?? ALONE),
        status: "synced",
        created_at: before.get(documentId)?.createdAt ?? now,
        updated_at: now,
        synced_at: now,
      };
      return { type: "index", id, document };
    });
    await this.#bulk(this.deps.options.metadataIndex, actions);
  }

  #bulk(index: string, actions: Iterable<BulkAction>): Promise<void> {
    return writeBulk(this.deps, index, actions, this.signal);
  }

  #refresh(...indices: string[]): Promise<void> {
    return refresh(this.deps, indices, this.signal);
  }

  #now(): string {
    return new Date(this.deps.clock.now()).toISOString();
  }
}

function idOf(change: Change): string {
  return change.type === "put" ? change.document.documentId : change.documentId;
}

/** The titles whose revisions a document has a say in. */
function titlesOf(document: StoredMetadata | KnowledgeDocument | undefined): readonly string[] {
  if (document === undefined) return [];
  const unsettled = "unsettledTitleKeys" in document ? document.unsettledTitleKeys : [];
  return document.revision === undefined ? unsettled : [titleKey(document.title), ...unsettled];
}

/** What may be read of a document while it changes. */
function interimGrants(change: Change, old: StoredMetadata | undefined): Grants {
  return change.type === "remove" || old === undefined
    ? NOBODY
    : narrowest(old.access, change.document.access);
}
