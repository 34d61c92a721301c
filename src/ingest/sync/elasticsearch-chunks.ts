/**
 * Chunks of synced documents, written in the order of the engine's own writer (change-batch.ts): what is no longer to
 * be read goes first, then come the new chunks, each with its text and permissions in one piece, then other revisions
 * of the title learn of it. Wherever it stops, nothing is readable that the metadata deny, and all of it may be done
 * again. The writer's lease of the network keeps `readback ingest` and rebuilds out meanwhile.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { DocumentAccess } from "../../domain/passage.js";
import {
  type Grants,
  narrowest,
  type QueryClause,
  sameGrants,
} from "../../retrieval/elasticsearch/access-query.js";
import { type BulkAction, writeBulk } from "../../retrieval/elasticsearch/bulk.js";
import type { estypes } from "../../retrieval/elasticsearch/client.js";
import { storedBands } from "../../retrieval/elasticsearch/duplicate-chunks.js";
import { REBUILD_LEASE, WRITER_LEASES } from "../../retrieval/elasticsearch/elasticsearch-writer.js";
import { everyHit } from "../../retrieval/elasticsearch/every-hit.js";
import { acquireLease, heldLeases, type Lease } from "../../retrieval/elasticsearch/lease.js";
import { ElasticsearchFamilies, refresh } from "../../retrieval/elasticsearch/revision-families.js";
import {
  ALONE,
  encodeChunk,
  encodeGrants,
  type Standing,
  storedId,
} from "../../retrieval/elasticsearch/stored-chunks.js";
import { titleKey } from "../../retrieval/revision.js";
import type { KnowledgeDocument } from "../../retrieval/writer.js";
import type { CopiedDocument } from "./batch.js";
import { releaseSoon, type SessionContext } from "./elasticsearch-context.js";
import type { ElasticsearchMetadata } from "./elasticsearch-metadata.js";
import type { ChunkStore, CopyResult, RemoveResult, SweepResult, WantedDocument } from "./port.js";

/** Chunks that one sweep looks at. */
const SWEEP_CHUNKS = 1_000;

/** Pause between two looks at everything that is pending. */
const PENDING_REST_MS = 30_000;

/** Documents that are remembered as narrowed to what their metadata say. */
const NARROWED_MAX = 100_000;

const strings = z
  .preprocess((value) => (typeof value === "string" ? [value] : (value ?? [])), z.array(z.string()))
  .catch([]);
const chunkFields = z.object({
  network: z.string(),
  document_id: z.string(),
  path: z.string().nullish().catch(undefined),
  visibility: z.string().nullish(),
  allowed_users: strings,
  allowed_groups: strings,
});
const CHUNK_FIELDS = Object.keys(chunkFields.shape);

/** A chunk without its text. */
interface ChunkStub {
  readonly id: string;
  readonly documentId: string;
  readonly path: string;
  readonly access: DocumentAccess;
}

type LeaseResult<T> =
  | { readonly type: "done"; readonly value: T }
  | { readonly type: "busy"; readonly reason: string };

export class ElasticsearchChunks implements ChunkStore {
  /** Of the network that is being written. */
  #networkLease: Lease | undefined;
  /** The sequence number of the metadata by which a document was narrowed, by their id; the oldest first. */
  readonly #narrowed = new Map<string, number>();
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly context: SessionContext,
    private readonly metadata: ElasticsearchMetadata,
  ) {}

  async narrow(documents: readonly WantedDocument[]): Promise<void> {
    if (documents.length === 0) return;
    await refresh(this.context, [this.#index], this.context.signal);
    const access = new Map(
      documents.map(({ access, documentId }) => [nameOf(access.network, documentId), access]),
    );
    const actions: BulkAction[] = [];
    const others: ChunkStub[] = [];
    for await (const chunk of this.#chunksOfAll(documents)) {
      const grants = access.get(nameOf(chunk.access.network, chunk.documentId));
      const action = grants === undefined ? undefined : narrowing(chunk, grants);
      if (grants === undefined) others.push(chunk);
      if (action !== undefined) actions.push(action);
    }
    // Metadata that name another network or id than before have left these behind.
    actions.push(...(await this.#orphans(others)).map(deletion));
    await this.#bulk(actions);
    if (actions.length > 0) await refresh(this.context, [this.#index], this.context.signal);
    for (const document of documents) await this.metadata.narrow(document);
  }

  async narrowPending(): Promise<void> {
    const { clock } = this.context;
    if (clock.monotonic() < this.#restUntilMs) return;
    for await (const page of this.metadata.everyPending()) {
      await this.narrow(
        page.filter(({ metadataId, version }) => this.#narrowed.get(metadataId) !== version.seqNo),
      );
      for (const { metadataId, version } of page) this.#remember(metadataId, version.seqNo);
    }
    this.#restUntilMs = clock.monotonic() + PENDING_REST_MS;
  }

  async copy(wanted: WantedDocument, document: KnowledgeDocument): Promise<CopyResult> {
    const result = await this.#withNetwork(wanted.access.network, () => this.#copy(wanted, document));
    return result.type === "busy" ? result : result.value;
  }

  async confirm({ access, documentId }: WantedDocument, copy: CopiedDocument): Promise<boolean> {
    await refresh(this.context, [this.#index], this.context.signal);
    const ids: string[] = [];
    for await (const chunk of this.#chunks(access.network, documentId)) {
      if (!sameGrants(chunk.access, access)) return false;
      ids.push(chunk.id);
    }
    return ids.length === copy.chunkCount && digestOf(ids) === copy.chunksDigest;
  }

  async remove(wanted: WantedDocument): Promise<RemoveResult> {
    const result = await this.#withNetwork(wanted.access.network, () => this.#remove(wanted));
    return result.type === "busy" ? result : { type: "removed" };
  }

  /** Only what a sync of this bucket has written: other chunks are other writers' to remove. */
  async sweep(cursor: string | undefined): Promise<SweepResult> {
    const { client, signal } = this.context;
    const { hits } = await client.call(
      "look for chunks without a document",
      (api, call) =>
        api.search(
          {
            index: this.#index,
            size: SWEEP_CHUNKS,
            query: { bool: { filter: [{ prefix: { path: this.#bucketPath } }] } },
            sort: [{ document_id: "asc" }, { chunk_id: "asc" }, { network: "asc" }],
            _source: CHUNK_FIELDS,
            track_total_hits: false,
            allow_partial_search_results: false,
            ...(cursor === undefined ? {} : { search_after: JSON.parse(cursor) as estypes.SortResults }),
          },
          call,
        ),
      signal,
    );
    const stubs = hits.hits.flatMap(({ _id, _source }) => stubOf(_id!, _source) ?? []);
    const orphans = await this.#orphans(stubs);
    await this.#bulk(orphans.map(deletion));
    const last = hits.hits.length < SWEEP_CHUNKS ? undefined : hits.hits.at(-1)?.sort;
    return { removed: orphans.length, ...(last === undefined ? {} : { cursor: JSON.stringify(last) }) };
  }

  get #index(): string {
    return this.context.options.embeddingsIndex;
  }

  /** What the paths of all documents begin with that a sync of this bucket has written. */
  get #bucketPath(): string {
    return `s3://${this.context.bucket}/`;
  }

  #remember(metadataId: string, seqNo: number): void {
    this.#narrowed.delete(metadataId);
    this.#narrowed.set(metadataId, seqNo);
    for (const oldest of this.#narrowed.keys()) {
      if (this.#narrowed.size <= NARROWED_MAX) return;
      this.#narrowed.delete(oldest);
    }
  }

  async #copy(wanted: WantedDocument, document: KnowledgeDocument): Promise<CopyResult> {
    const { signal } = this.context;
    const { documentId } = wanted;
    const { network } = wanted.access;
    const ids = document.chunks.map(({ chunkId }) => storedId(network, chunkId));
    await this.#clear(wanted, document.access, new Set(ids));
    const families = new ElasticsearchFamilies(this.context, network, signal);
    const titles = new Set(titlesOf(wanted));
    if (document.revision !== undefined) titles.add(titleKey(document.title));
    const found = await families.find(titles, [document], [documentId]);
    await this.#bulk(this.#newChunks(network, document, found.standings.get(documentId) ?? ALONE));
    const version = await this.metadata.describe(wanted, document);
    if (version === undefined) {
      const now = await this.metadata.document(wanted.metadataId);
      if (now !== undefined) await this.narrow([now]);
      return { type: "changed" };
    }
    await families.settle(found);
    const { title, revision, contentHash } = document;
    const copy: CopiedDocument = {
      title,
      ...(revision === undefined ? {} : { revision }),
      contentHash,
      chunkCount: ids.length,
      chunksDigest: digestOf(ids),
    };
    return { type: "copied", copy, version };
  }

  /** Only takes away: chunks that the document has no longer, and permissions that it does not give. */
  async #clear(
    { access, documentId }: WantedDocument,
    grants: Grants,
    kept: ReadonlySet<string>,
  ): Promise<void> {
    await refresh(this.context, [this.#index], this.context.signal);
    const actions: BulkAction[] = [];
    for await (const chunk of this.#chunks(access.network, documentId)) {
      const action = kept.has(chunk.id) ? narrowing(chunk, grants) : deletion(chunk);
      if (action !== undefined) actions.push(action);
    }
    await this.#bulk(actions);
    if (actions.length > 0) await refresh(this.context, [this.#index], this.context.signal);
  }

  *#newChunks(network: string, document: KnowledgeDocument, standing: Standing): Generator<BulkAction> {
    const { semantic } = this.context;
    for (const [position, chunk] of document.chunks.entries()) {
      const bands = storedBands(chunk.text);
      const place = { network, document, position, standing, bands, semantic };
      yield { type: "index", id: storedId(network, chunk.chunkId), document: encodeChunk(chunk, place) };
    }
  }

  async #remove(wanted: WantedDocument): Promise<void> {
    const { signal } = this.context;
    const { access, documentId } = wanted;
    // Uploaded again under other metadata: the chunks are theirs.
    if (await this.#isElsewhere(wanted)) return;
    await this.#clear(wanted, access, new Set());
    const families = new ElasticsearchFamilies(this.context, access.network, signal);
    await families.settle(await families.find(new Set(titlesOf(wanted)), [], [documentId]));
  }

  async #isElsewhere({ access, documentId, metadataId }: WantedDocument): Promise<boolean> {
    const { client, options, signal } = this.context;
    await refresh(this.context, [options.metadataIndex], signal);
    const { hits } = await client.call(
      "look for other metadata of a document",
      (api, call) =>
        api.search(
          {
            index: options.metadataIndex,
            size: 1,
            query: {
              bool: {
                filter: [{ term: { network: access.network } }, { term: { document_id: documentId } }],
                must_not: [{ ids: { values: [metadataId] } }, { term: { status: "deleted" } }],
              },
            },
            _source: false,
            track_total_hits: false,
            allow_partial_search_results: false,
          },
          call,
        ),
      signal,
    );
    return hits.hits.length > 0;
  }

  /** Those of these chunks that a sync of this bucket has written and whose document has no metadata. */
  async #orphans(stubs: readonly ChunkStub[]): Promise<readonly ChunkStub[]> {
    const chunks = stubs.filter(({ path }) => path.startsWith(this.#bucketPath));
    if (chunks.length === 0) return [];
    const { options, signal } = this.context;
    // In this order: a chunk's metadata are written before it is, and deleted after it is.
    await refresh(this.context, [options.metadataIndex], signal);
    const known = await this.#known([...new Set(chunks.map(({ documentId }) => documentId))]);
    return chunks.filter(({ access, documentId }) => !known.has(nameOf(access.network, documentId)));
  }

  /** The documents that have metadata, by network and id; the id of metadata that name none is their own. */
  async #known(documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (documentIds.length === 0) return new Set();
    const known = new Set<string>();
    const request = {
      index: this.context.options.metadataIndex,
      query: {
        bool: {
          should: [{ terms: { document_id: [...documentIds] } }, { ids: { values: [...documentIds] } }],
          minimum_should_match: 1,
        },
      },
      fields: ["network", "document_id"],
    };
    const hits = everyHit<{ network?: string; document_id?: string }>(
      this.context.client,
      request,
      this.context.signal,
    );
    for await (const page of hits) {
      for (const { _id, _source } of page)
        known.add(nameOf(_source?.network ?? "", _source?.document_id ?? _id!));
    }
    return known;
  }

  /** The stored chunks of a document, as of the last refresh. */
  #chunks(network: string, documentId: string): AsyncGenerator<ChunkStub> {
    return this.#stubs([{ term: { network } }, { term: { document_id: documentId } }]);
  }

  /** The stored chunks with these ids or of these objects, in any network, as of the last refresh. */
  #chunksOfAll(documents: readonly WantedDocument[]): AsyncGenerator<ChunkStub> {
    const should: QueryClause[] = [
      { terms: { document_id: documents.map(({ documentId }) => documentId) } },
      { terms: { path: documents.map(({ path }) => path) } },
    ];
    return this.#stubs([{ bool: { should, minimum_should_match: 1 } }]);
  }

  async *#stubs(filter: readonly QueryClause[]): AsyncGenerator<ChunkStub> {
    const request = { index: this.#index, query: { bool: { filter: [...filter] } }, fields: CHUNK_FIELDS };
    for await (const page of everyHit(this.context.client, request, this.context.signal)) {
      for (const { _id, _source } of page) {
        const stub = stubOf(_id!, _source);
        if (stub !== undefined) yield stub;
      }
    }
  }

  async #bulk(actions: Iterable<BulkAction>): Promise<void> {
    const fence = () => {
      this.context.fence();
      this.#networkLease?.throwIfLost();
    };
    fence();
    await writeBulk(this.context, this.#index, fenced(actions, fence), this.context.signal);
  }

  /** Runs `work` while no other writer and no rebuild is at work on the network. */
  async #withNetwork<T>(network: string, work: () => Promise<T>): Promise<LeaseResult<T>> {
    const { fence, options, signal } = this.context;
    fence();
    const request = { index: options.syncIndex, name: `${WRITER_LEASES}${network}` };
    const lease = await acquireLease(request, this.context, signal);
    if (lease.type === "taken") {
      return {
        type: "busy",
        reason: `another process writes the documents of network ${JSON.stringify(network)}`,
      };
    }
    this.#networkLease = lease;
    try {
      if ((await heldLeases(options.syncIndex, REBUILD_LEASE, this.context, signal)).length > 0)
        return { type: "busy", reason: "the indices are being rebuilt" };
      return { type: "done", value: await work() };
    } finally {
      this.#networkLease = undefined;
      await releaseSoon(lease, this.context.clock);
    }
  }
}

/** Looks before each action is taken up: a long write is many requests. */
function* fenced(actions: Iterable<BulkAction>, fence: () => void): Generator<BulkAction> {
  for (const action of actions) {
    fence();
    yield action;
  }
}

function narrowing({ id, access }: ChunkStub, grants: Grants): BulkAction | undefined {
  const narrow = narrowest(access, grants);
  return sameGrants(access, narrow) ? undefined : { type: "update", id, document: encodeGrants(narrow) };
}

function deletion({ id }: ChunkStub): BulkAction {
  return { type: "delete", id };
}

/** The titles whose revisions the stored document has a say in. */
function titlesOf({ stored }: WantedDocument): readonly string[] {
  return stored.titleKey === undefined || stored.revision === undefined ? [] : [stored.titleKey];
}

function stubOf(id: string, source: unknown): ChunkStub | undefined {
  const parsed = chunkFields.safeParse(source);
  if (!parsed.success) return undefined;
  const { network, document_id, path, visibility, allowed_users, allowed_groups } = parsed.data;
  return {
    id,
    documentId: document_id,
    path: path ?? "",
    access: {
      network,
      visibility: visibility === "network" ? "network" : "restricted",
      allowedUsers: allowed_users,
      allowedGroups: allowed_groups,
    },
  };
}

function nameOf(network: string, documentId: string): string {
  return JSON.stringify([network, documentId]);
}

function digestOf(ids: readonly string[]): string {
  return createHash("sha256")
    .update([...ids].sort().join("\n"))
    .digest("base64url");
}
