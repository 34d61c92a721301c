/** All documents that match, in pages of bounded size, as of one moment: a point in time and `search_after`. */
import { type ElasticsearchClient, ElasticsearchProblem, type estypes } from "./client.js";

export interface HitsRequest {
  /** An index, or an alias. */
  readonly index: string;
  readonly query: estypes.QueryDslQueryContainer;
  /** The fields of `_source` that are wanted; none: only ids. */
  readonly fields: readonly string[];
  /** Fields whose values come in `fields` as well, which `_source` may lack. */
  readonly values?: readonly string[];
  /** Fields in whose order they come; the order is any without. */
  readonly sort?: readonly string[];
  /** Whether each comes with its sequence number and primary term. */
  readonly versions?: boolean;
  readonly pageSize?: number;
}

/** Documents in one answer. */
const PAGE_SIZE = 1_000;
const KEEP_ALIVE = "2m";

const PARTS_MISSING =
  "Elasticsearch has parts of the index offline, so that not all documents could be listed.";

/** Yields page after page, none of them empty. Rejects with `ElasticsearchProblem`, or with the signal's reason. */
export async function* everyHit<Source>(
  client: ElasticsearchClient,
  { index, query, fields, values = [], sort = [], versions = false, pageSize = PAGE_SIZE }: HitsRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly estypes.SearchHit<Source>[], void, undefined> {
  const opened = await client.call(
    "open a search",
    (api, options) => api.openPointInTime({ index, keep_alive: KEEP_ALIVE }, options),
    signal,
  );
  let pit = opened.id;
  let after: estypes.SortResults | undefined;
  try {
    for (;;) {
      const { hits, pit_id, _shards } = await client.call(
        "list documents",
        (api, options) =>
          api.search<Source>(
            {
              pit: { id: pit, keep_alive: KEEP_ALIVE },
              size: pageSize,
              query,
              _source: fields.length === 0 ? false : [...fields],
              sort: [...sort.map((field) => ({ [field]: "asc" as const })), { _shard_doc: "asc" as const }],
              track_total_hits: false,
              ...(values.length === 0 ? {} : { fields: [...values] }),
              ...(versions ? { seq_no_primary_term: true } : {}),
              ...(after === undefined ? {} : { search_after: after }),
            },
            options,
          ),
        signal,
      );
      pit = pit_id ?? pit;
      if (_shards.failed > 0) throw new ElasticsearchProblem("busy", PARTS_MISSING);
      if (hits.hits.length > 0) yield hits.hits;
      after = hits.hits.at(-1)?.sort;
      if (hits.hits.length < pageSize || after === undefined) return;
    }
  } finally {
    if (!signal.aborted) await closePit(client, pit, signal);
  }
}

/** It ends by itself soon; a failure to end it early is no reason to lose what was read. */
async function closePit(client: ElasticsearchClient, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    const closing = await client.call(
      "close a search",
      (api, options) => api.closePointInTime({ id }, options),
      signal,
      { attemptsMax: 1 },
    );
    return closing.succeeded;
  } catch {
    return false;
  }
}
