/**
 * The knowledge engine for where one machine is not enough: one request to Elasticsearch per leg, with the permissions
 * and the superseded revisions left out inside the query, and every hit checked once more on the way out.
 */
import type { Passage } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import type { Telemetry } from "../../telemetry/events.js";
import { mayRead } from "../access.js";
import type { Engine, LegName, LegRequest } from "../engine.js";
import type { DocumentOutline, OutlineLimits } from "../port.js";
import { compareRevisions } from "../revision.js";
import { readableClauses } from "./access-query.js";
import type { ElasticsearchClient, estypes } from "./client.js";
import { ElasticsearchInspector } from "./elasticsearch-inspector.js";
import { sentencesOf } from "./highlights.js";
import { legSearch, usableQuery } from "./leg-query.js";
import type { ElasticsearchOptions } from "./options.js";
import { ElasticsearchOutline } from "./outline.js";
import { readHit, type StoredHit, searchHits } from "./search-hits.js";
import { decodeMetadata, METADATA_FIELDS, type StoredChunk } from "./stored-chunks.js";

/** Ids in one request. */
const IDS_MAX = 1_000;

/** Revisions of the titles of one result that are looked at. */
const REVISIONS_MAX = 1_000;

export interface ElasticsearchEngineDeps {
  /** Closed by the engine. */
  readonly client: ElasticsearchClient;
  readonly options: ElasticsearchOptions;
  /** The legs that the indices were made for. */
  readonly legs: readonly LegName[];
  readonly telemetry: Telemetry;
}

export class ElasticsearchEngine extends ElasticsearchInspector implements Engine {
  readonly legs: readonly LegName[];
  readonly #outline: ElasticsearchOutline;
  readonly #telemetry: Telemetry;

  constructor({ client, options, legs, telemetry }: ElasticsearchEngineDeps) {
    super(client, options);
    this.#telemetry = telemetry;
    this.legs = legs;
    this.#outline = new ElasticsearchOutline(client, options);
  }

  async search(request: LegRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    const { access } = request;
    const body = legSearch(request, this.options, "reader");
    if (body === undefined) {
      await this.ready(signal);
      return [];
    }
    const hits = await this.#search(body, signal);
    const read = hits.flatMap(readHit);
    this.#tellUnread(access.network, hits.length - read.length);
    const found = read.filter(({ chunk }) => isFor(access, chunk));
    const older = await this.#olderRevisions(
      found.map(({ chunk }) => chunk),
      access,
      signal,
    );
    const query = usableQuery(request.query);
    return found.map((hit) => passageOf(hit, query, older(hit.chunk)));
  }

  async readable(
    documentIds: readonly string[],
    access: Access,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const ids = [...new Set(documentIds)];
    const readable = new Set<string>();
    if (ids.length === 0) await this.ready(signal);
    for (let start = 0; start < ids.length; start += IDS_MAX) {
      const some = ids.slice(start, start + IDS_MAX);
      const clauses = [...readableClauses(access), { terms: { document_id: some } }];
      for (const document of await this.#documents(clauses, IDS_MAX, signal)) {
        if (mayRead(access, document.access)) readable.add(document.documentId);
      }
    }
    return readable;
  }

  outline(access: Access, limits: OutlineLimits, signal: AbortSignal): Promise<readonly DocumentOutline[]> {
    return this.#outline.documents(access, limits, signal);
  }

  async contents(
    documentId: string,
    access: Access,
    passagesMax: number,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> {
    const chunks = await this.#outline.chunks(documentId, access, passagesMax, signal);
    const older = await this.#olderRevisions(chunks, access, signal);
    return chunks.map((chunk) => passageOf({ chunk, score: 0, fragments: [] }, "", older(chunk)));
  }

  revision(network: string, signal: AbortSignal): Promise<string> {
    return this.#outline.revision(network, signal);
  }

  async ready(signal: AbortSignal): Promise<void> {
    const { embeddingsIndex, metadataIndex } = this.options;
    await this.#search(
      {
        index: [embeddingsIndex, metadataIndex],
        size: 0,
        terminate_after: 1,
      },
      signal,
    );
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** For each of these chunks, the older revisions of its document that `access` may read, newest first. */
  async #olderRevisions(
    chunks: readonly StoredChunk[],
    access: Access,
    signal: AbortSignal,
  ): Promise<(chunk: StoredChunk) => readonly string[]> {
    const keys = new Set(
      chunks.filter(({ standing }) => standing.hasOlderRevisions).map(({ titleKey }) => titleKey),
    );
    if (keys.size === 0) return () => [];
    const clauses = [
      ...readableClauses(access),
      { terms: { title_key: [...keys] } },
      { exists: { field: "revision" } },
    ];
    const family = (await this.#documents(clauses, REVISIONS_MAX, signal)).filter((one) =>
      mayRead(access, one.access),
    );
    return ({ titleKey, revision }) => {
      if (revision === undefined) return [];
      const older = family
        .filter((one) => one.titleKey === titleKey)
        .flatMap((one) => (one.revision === undefined ? [] : [one.revision]))
        .filter((other) => compareRevisions(other, revision) < 0);
      return [...new Set(older)].sort((a, b) => compareRevisions(b, a));
    };
  }

  async #documents(filter: estypes.QueryDslQueryContainer[], size: number, signal: AbortSignal) {
    const hits = await this.#search(
      {
        index: this.options.metadataIndex,
        size,
        _source: { includes: METADATA_FIELDS },
        query: { bool: { filter } },
      },
      signal,
    );
    return hits.flatMap(({ _source }) => decodeMetadata(_source) ?? []);
  }

  /** As documents of the reference are, before they are migrated. */
  #tellUnread(network: string, count: number): void {
    if (count === 0) return;
    const reason = "they have no text or name no document; run `readback index migrate`";
    this.#telemetry.emit({ type: "hits_unreadable", network, count, reason });
  }

  #search(body: estypes.SearchRequest, signal: AbortSignal): Promise<readonly estypes.SearchHit[]> {
    return searchHits(this.client, body, signal);
  }
}

/** Whether the reader may read it, and no newer revision of it. */
function isFor(access: Access, { access: who, standing }: StoredChunk): boolean {
  return mayRead(access, who) && !mayRead(access, { network: who.network, ...standing.supersededFor });
}

function passageOf(
  { chunk, score, fragments }: StoredHit,
  query: string,
  supersedes: readonly string[],
): Passage {
  return {
    chunkId: chunk.chunkId,
    documentId: chunk.documentId,
    title: chunk.title,
    ...(chunk.revision === undefined ? {} : { revision: chunk.revision }),
    supersedes,
    sourceFile: chunk.sourceFile,
    headings: chunk.headings,
    ...(chunk.page === undefined ? {} : { page: chunk.page }),
    position: chunk.position,
    kind: chunk.kind,
    text: chunk.text,
    highlights: sentencesOf(chunk.text, fragments, query),
    score,
    access: chunk.access,
    alsoIn: [],
  };
}
