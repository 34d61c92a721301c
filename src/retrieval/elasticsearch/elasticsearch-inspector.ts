/** What operators may see of the knowledge in Elasticsearch: everything, with reasons. */
import type { Access } from "../../domain/user.js";
import { accessDecision, mayRead } from "../access.js";
import type { LegRequest } from "../engine.js";
import {
  type ChunkDetail,
  type DocumentDetail,
  type DocumentSummary,
  type InspectedChunk,
  type Inspector,
  summaryOf,
} from "../inspector.js";
import { saysTheSame } from "../near-duplicates.js";
import { compareRevisions } from "../revision.js";
import { networkClause, type QueryClause } from "./access-query.js";
import type { ElasticsearchClient } from "./client.js";
import { everyHit } from "./every-hit.js";
import { termScores } from "./explanation.js";
import { legSearch } from "./leg-query.js";
import type { ElasticsearchOptions } from "./options.js";
import { availably, readHit, searchHits } from "./search-hits.js";
import {
  CHUNK_FIELDS,
  decodeChunk,
  decodeMetadata,
  METADATA_FIELDS,
  type StoredChunk,
  type StoredMetadata,
} from "./stored-chunks.js";

/** Chunks that may say the same as one chunk and are compared with it. */
const NEAR_DUPLICATES_MAX = 50;

export class ElasticsearchInspector implements Inspector {
  constructor(
    protected readonly client: ElasticsearchClient,
    protected readonly options: ElasticsearchOptions,
  ) {}

  async documents(network: string, signal: AbortSignal): Promise<readonly DocumentSummary[]> {
    const documents = await this.#documents([networkClause(network)], signal);
    return documents
      .map((document) => summaryOf(document, newest(documents, document, undefined)))
      .sort((a, b) => compareTexts(a.sourceFile, b.sourceFile) || compareTexts(a.documentId, b.documentId));
  }

  async document(
    network: string,
    documentId: string,
    signal: AbortSignal,
  ): Promise<DocumentDetail | undefined> {
    const own = { term: { document_id: documentId } };
    const [document] = await this.#documents([networkClause(network), own], signal);
    if (document === undefined) return undefined;
    const family = await this.#family(network, [document], signal);
    const chunks = await this.#chunks([networkClause(network), own], signal);
    const details: ChunkDetail[] = [];
    for (const chunk of chunks) details.push(await this.#detail(network, chunk, signal));
    return { ...summaryOf(document, newest(family, document, undefined)), chunks: details };
  }

  async explain(request: LegRequest, signal: AbortSignal): Promise<readonly InspectedChunk[]> {
    const body = legSearch(request, this.options, "operator");
    if (body === undefined) return [];
    const hits = await searchHits(this.client, body, signal);
    const found = hits.flatMap((hit) =>
      readHit(hit).map(({ chunk, score }) => ({ chunk, score, terms: termScores(hit._explanation) })),
    );
    const { access } = request;
    const family = await this.#family(
      access.network,
      found.map(({ chunk }) => chunk),
      signal,
    );
    return found.map(({ chunk, score, terms }): InspectedChunk => {
      const newer = newest(family, chunk, access);
      return {
        chunkId: chunk.chunkId,
        documentId: chunk.documentId,
        title: chunk.title,
        ...(chunk.revision === undefined ? {} : { revision: chunk.revision }),
        headings: chunk.headings,
        ...(chunk.page === undefined ? {} : { page: chunk.page }),
        score,
        decision: accessDecision(access, chunk.access),
        ...(newer === undefined ? {} : { supersededBy: newer.documentId }),
        terms,
      };
    });
  }

  /** All documents with the titles of these. */
  async #family(
    network: string,
    members: readonly { readonly titleKey: string; readonly revision?: string }[],
    signal: AbortSignal,
  ): Promise<readonly StoredMetadata[]> {
    const keys = new Set(
      members.filter(({ revision }) => revision !== undefined).map(({ titleKey }) => titleKey),
    );
    if (keys.size === 0) return [];
    return this.#documents([networkClause(network), { terms: { title_key: [...keys] } }], signal);
  }

  #documents(filter: QueryClause[], signal: AbortSignal): Promise<readonly StoredMetadata[]> {
    return availably(async () => {
      const found: StoredMetadata[] = [];
      const request = {
        index: this.options.metadataIndex,
        query: { bool: { filter } },
        fields: METADATA_FIELDS,
      };
      for await (const page of everyHit(this.client, request, signal)) {
        found.push(...page.flatMap(({ _source }) => decodeMetadata(_source) ?? []));
      }
      return found;
    });
  }

  #chunks(filter: QueryClause[], signal: AbortSignal): Promise<readonly StoredChunk[]> {
    return availably(async () => {
      const found: StoredChunk[] = [];
      const request = {
        index: this.options.embeddingsIndex,
        query: { bool: { filter } },
        fields: CHUNK_FIELDS,
        sort: ["position"],
      };
      for await (const page of everyHit(this.client, request, signal)) {
        found.push(...page.flatMap(({ _id, _source }) => decodeChunk(_id ?? "", _source) ?? []));
      }
      return found;
    });
  }

  async #detail(network: string, chunk: StoredChunk, signal: AbortSignal): Promise<ChunkDetail> {
    const { chunkId, headings, page, kind, text } = chunk;
    const hits = await searchHits(
      this.client,
      {
        index: this.options.embeddingsIndex,
        size: NEAR_DUPLICATES_MAX,
        _source: { includes: CHUNK_FIELDS },
        query: { bool: { filter: [networkClause(network), { terms: { bands: [...chunk.bands] } }] } },
      },
      signal,
    );
    const nearDuplicates = hits
      .flatMap(readHit)
      .map((hit) => hit.chunk)
      .filter((other) => other.chunkId !== chunkId && saysTheSame(other.text, text))
      .map((other) => ({ chunkId: other.chunkId, documentId: other.documentId, title: other.title }));
    return { chunkId, headings, ...(page === undefined ? {} : { page }), kind, text, nearDuplicates };
  }
}

/** The newest revision of a title, if it is newer than this one; for a reader, of those that the reader may read. */
function newest(
  documents: readonly StoredMetadata[],
  { titleKey, revision }: { readonly titleKey: string; readonly revision?: string },
  reader: Access | undefined,
): StoredMetadata | undefined {
  if (revision === undefined) return undefined;
  let best: { readonly document: StoredMetadata; readonly revision: string } | undefined;
  for (const document of documents) {
    if (document.titleKey !== titleKey || document.revision === undefined) continue;
    if (reader !== undefined && !mayRead(reader, document.access)) continue;
    if (compareRevisions(document.revision, best?.revision ?? revision) > 0) {
      best = { document, revision: document.revision };
    }
  }
  return best?.document;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
