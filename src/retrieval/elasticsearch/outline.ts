/** What a reader's documents are called, what stands in one of them, and which state of the index that is. */
import type { Access } from "../../domain/user.js";
import { mayRead } from "../access.js";
import { innermostHeadings } from "../headings.js";
import { type DocumentOutline, type OutlineLimits, SearchUnavailable } from "../port.js";
import { networkClause, type QueryClause, readableClauses, supersededClause } from "./access-query.js";
import type { ElasticsearchClient, estypes } from "./client.js";
import type { ElasticsearchOptions } from "./options.js";
import { availably, readHit, searchHits } from "./search-hits.js";
import { CHUNK_FIELDS, decodeMetadata, METADATA_FIELDS, type StoredChunk } from "./stored-chunks.js";

/** Hits of one search at the most, as servers are set by default. */
const HITS_MAX = 10_000;

/** Chunks whose headings are looked at, for each document and for all of them together. */
const CHUNKS_PER_DOCUMENT_MAX = 64;
const CHUNKS_MAX = 5_000;

/** Documents named in one search. */
const IDS_MAX = 1_000;

export class ElasticsearchOutline {
  constructor(
    private readonly client: ElasticsearchClient,
    private readonly options: ElasticsearchOptions,
  ) {}

  /** Those stored last first. */
  async documents(
    access: Access,
    { documentsMax, headingsMax }: OutlineLimits,
    signal: AbortSignal,
  ): Promise<readonly DocumentOutline[]> {
    const hits = await searchHits(
      this.client,
      {
        ...this.#search(this.options.metadataIndex, METADATA_FIELDS, documentsMax),
        query: { bool: { filter: readableClauses(access), must_not: [supersededClause(access)] } },
        sort: [
          { updated_at: { order: "desc", missing: "_last", unmapped_type: "date" } },
          { document_id: "asc" },
        ],
      },
      signal,
    );
    const documents = hits
      .flatMap(({ _source }) => decodeMetadata(_source) ?? [])
      .filter((one) => mayRead(access, one.access))
      .filter(
        ({ access: { network }, standing }) => !mayRead(access, { network, ...standing.supersededFor }),
      );
    const headings = await this.#headings(documents, access, headingsMax, signal);
    return documents.map(({ documentId, title, revision, access: granted }) => ({
      documentId,
      title,
      ...(revision === undefined ? {} : { revision }),
      headings: innermostHeadings(headings.get(documentId) ?? [], headingsMax),
      access: granted,
    }));
  }

  /** A document's chunks that `access` may read, from its beginning. */
  async chunks(
    documentId: string,
    access: Access,
    chunksMax: number,
    signal: AbortSignal,
  ): Promise<readonly StoredChunk[]> {
    const own: QueryClause = { term: { document_id: documentId } };
    const hits = await searchHits(
      this.client,
      {
        ...this.#search(this.options.embeddingsIndex, CHUNK_FIELDS, chunksMax),
        query: { bool: { filter: [...readableClauses(access), own] } },
        sort: [BY_POSITION],
      },
      signal,
    );
    return hits
      .flatMap(readHit)
      .map(({ chunk }) => chunk)
      .filter((chunk) => mayRead(access, chunk.access));
  }

  /**
   * How many documents there are, and when the last of them was written or copied: every writer stamps what it writes. A
   * writer whose clock is behind another's may replace a document without a trace here.
   */
  async revision(network: string, signal: AbortSignal): Promise<string> {
    return availably(async () => {
      const { aggregations, timed_out, _shards } = await this.client.call(
        "revision of the index",
        (api, options) =>
          api.search<unknown, Record<string, estypes.AggregationsMaxAggregate>>(
            {
              ...this.#search(this.options.metadataIndex, [], 0),
              query: { bool: { filter: [networkClause(network)] } },
              aggs: {
                documents: { value_count: { field: "document_id" } },
                updated: { max: { field: "updated_at" } },
                synced: { max: { field: "synced_at" } },
              },
            },
            options,
          ),
        signal,
      );
      if (timed_out || _shards.failed > 0 || aggregations === undefined)
        throw new SearchUnavailable("Elasticsearch answered for a part of the index only.");
      const { documents, updated, synced } = aggregations;
      return [documents, updated, synced].map((one) => one?.value ?? 0).join(":");
    });
  }

  /** The headings of these documents' chunks in order, as far as `access` may read the chunks. */
  async #headings(
    documents: readonly { readonly documentId: string }[],
    access: Access,
    headingsMax: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly (readonly string[])[]>> {
    const found = new Map<string, (readonly string[])[]>();
    if (headingsMax === 0) return found;
    for (let start = 0; start < documents.length; start += IDS_MAX) {
      const ids = documents.slice(start, start + IDS_MAX).map(({ documentId }) => documentId);
      const hits = await searchHits(
        this.client,
        {
          ...this.#search(this.options.embeddingsIndex, CHUNK_FIELDS, CHUNKS_MAX),
          query: {
            bool: {
              filter: [
                ...readableClauses(access),
                { terms: { document_id: ids } },
                { range: { position: { lt: CHUNKS_PER_DOCUMENT_MAX } } },
              ],
            },
          },
          // The beginnings of all documents before the rest of any.
          sort: [BY_POSITION],
        },
        signal,
      );
      for (const { chunk } of hits.flatMap(readHit)) {
        if (!mayRead(access, chunk.access)) continue;
        found.set(chunk.documentId, [...(found.get(chunk.documentId) ?? []), chunk.headings]);
      }
    }
    return found;
  }

  #search(index: string, fields: string[], size: number): estypes.SearchRequest {
    return {
      index,
      size: Math.min(size, HITS_MAX),
      track_total_hits: false,
      allow_partial_search_results: false,
      _source: fields.length === 0 ? false : { includes: fields },
    };
  }
}

const BY_POSITION = { position: { order: "asc", missing: "_last", unmapped_type: "integer" } } as const;
