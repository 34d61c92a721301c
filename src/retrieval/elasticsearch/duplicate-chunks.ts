/** Chunks that say the same, in the index: found by the bands they have in common, decided by their texts. */
import { bandsOf, saysTheSame } from "../near-duplicates.js";
import { networkClause } from "./access-query.js";
import type { ElasticsearchClient } from "./client.js";
import { everyHit } from "./every-hit.js";

/** Bands that several chunks share which are looked at, and different texts of one band that are compared. */
const SHARED_BANDS_MAX = 10_000;
const TEXTS_PER_BAND_MAX = 16;

/** The bands of a text as they are stored. */
export function storedBands(text: string): string[] {
  return [...bandsOf(text)].map(String);
}

interface BandedChunk {
  readonly text: string;
  readonly bands: readonly string[];
}

/**
 * How many chunks of the network say the same as another one, as of the last refresh. In a network with more than
 * 10,000 shared bands some are not counted. Rejects with `ElasticsearchProblem`.
 */
export async function countNearDuplicates(
  client: ElasticsearchClient,
  index: string,
  network: string,
  signal: AbortSignal,
): Promise<number> {
  const shared = await sharedBands(client, index, network, signal);
  if (shared.length === 0) return 0;
  const request = {
    index,
    query: { bool: { filter: [networkClause(network), { terms: { bands: [...shared] } }] } },
    fields: ["text", "bands"],
  };
  const counter = new DuplicateCounter(new Set(shared));
  for await (const page of everyHit<BandedChunk>(client, request, signal)) {
    for (const { _source } of page) if (_source !== undefined) counter.add(_source);
  }
  return counter.count;
}

async function sharedBands(
  client: ElasticsearchClient,
  index: string,
  network: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { aggregations } = await client.call(
    "find near-duplicates",
    (api, options) =>
      api.search<unknown, { bands: { buckets: { key: string }[] } }>(
        {
          index,
          size: 0,
          track_total_hits: false,
          allow_partial_search_results: false,
          query: { bool: { filter: [networkClause(network)] } },
          aggs: { bands: { terms: { field: "bands", min_doc_count: 2, size: SHARED_BANDS_MAX } } },
        },
        options,
      ),
    signal,
  );
  return aggregations?.bands.buckets.map(({ key }) => key) ?? [];
}

/** A text that stands for itself and those that say the same. */
interface Representative {
  readonly text: string;
  counted: boolean;
}

/** Counts the texts that say the same as another one, each once. */
class DuplicateCounter {
  #count = 0;
  readonly #byBand = new Map<string, Representative[]>();

  constructor(private readonly shared: ReadonlySet<string>) {}

  get count(): number {
    return this.#count;
  }

  add({ text, bands }: BandedChunk): void {
    const lists = bands.filter((band) => this.shared.has(band)).map((band) => this.#listOf(band));
    const same = lists.flat().find((one) => saysTheSame(one.text, text));
    if (same === undefined) {
      const own: Representative = { text, counted: false };
      for (const list of lists) if (list.length < TEXTS_PER_BAND_MAX) list.push(own);
      return;
    }
    this.#count += same.counted ? 1 : 2;
    same.counted = true;
  }

  #listOf(band: string): Representative[] {
    const list = this.#byBand.get(band) ?? [];
    this.#byBand.set(band, list);
    return list;
  }
}
