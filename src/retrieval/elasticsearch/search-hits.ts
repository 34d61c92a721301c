/** One search of chunks or documents, and what comes of it: hits, or `SearchUnavailable` with a reason. */
import { SearchUnavailable } from "../port.js";
import { type ElasticsearchClient, ElasticsearchProblem, type estypes } from "./client.js";
import { decodeChunk, type StoredChunk } from "./stored-chunks.js";

/** A search is tried this often within the caller's time: a refusal for the moment is worth one more try, no more. */
const SEARCH_ATTEMPTS_MAX = 2;

const WHOLE = { track_total_hits: false, allow_partial_search_results: false } as const;

/** One search, whole or not at all. Rejects with `SearchUnavailable`, or with the signal's reason. */
export async function searchHits(
  client: ElasticsearchClient,
  body: estypes.SearchRequest,
  signal: AbortSignal,
): Promise<readonly estypes.SearchHit[]> {
  return availably(async () => {
    const { hits, timed_out, _shards } = await client.call(
      "search",
      (api, options) => api.search({ ...WHOLE, ...body }, options),
      signal,
      { attemptsMax: SEARCH_ATTEMPTS_MAX },
    );
    if (timed_out || _shards.failed > 0) {
      throw new SearchUnavailable("Elasticsearch answered for a part of the index only.");
    }
    return hits.hits;
  });
}

/** What `work` resolves to; its problems as `SearchUnavailable`, everything else as it is. */
export async function availably<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ElasticsearchProblem)) throw error;
    throw new SearchUnavailable(error.message, { cause: error });
  }
}

export interface StoredHit {
  readonly chunk: StoredChunk;
  readonly score: number;
  readonly fragments: readonly string[];
}

/** A hit that can be read, or nothing. */
export function readHit({ _id, _source, _score, highlight }: estypes.SearchHit): readonly StoredHit[] {
  const chunk = decodeChunk(_id ?? "", _source);
  if (chunk === undefined) return [];
  return [{ chunk, score: _score ?? 0, fragments: Object.values(highlight ?? {}).flat() }];
}
