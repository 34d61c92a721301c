/** The leg `lexical`: the terms of a query, their posting lists, and what each adds to a score. */

import { SLIPS_MAX } from "../../lib/edit-distance.js";
import type { TermScore } from "../inspector.js";
import { queryTerms } from "../query-terms.js";
import type { Transaction } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";
import { type NearTerm, nearTerms } from "./near-terms.js";
import { Postings } from "./postings.js";
import { type ChunkHit, type ChunkTable, Ranking, type ReadableChunks } from "./rank.js";
import { isMissing, type Segment, verifiedList } from "./segments.js";

/**
 * What a term counts that is only near to one of the query: enough to find what nothing else finds, and hardly anything
 * beside words that are known. With 1 instead the golden set's context precision falls; ClapNQ is the same with both.
 */
const NEAR_WEIGHT = 0.25;

/** Terms that one unknown term is taken for at the most. */
const NEAREST_MAX = 10;

/** A term of a query with what is stored of it. */
interface QueriedTerm {
  readonly term: string;
  /** How often the query holds it; less for a term that only is near to one of the query's. */
  readonly weight: number;
  /** One for each segment that has it, the oldest first. */
  readonly lists: readonly Uint8Array[];
}

export interface LexicalResult {
  /** Best first. */
  readonly hits: readonly ChunkHit[];
  /** The terms that chunks in the view hold, with their inverse document frequency. */
  readonly idfs: ReadonlyMap<string, number>;
}

/** Ranks by every term of a query. Kept by an index, since it uses its memory again. */
export class LexicalSearch {
  readonly #postings = new Postings();

  constructor(private readonly table: () => ChunkTable) {}

  async rank(
    transaction: Transaction,
    segments: readonly Segment[],
    query: string,
    view: ReadableChunks,
    limit: number,
  ): Promise<LexicalResult> {
    const ranking = new Ranking(this.table(), view);
    const { idfs } = await this.#addTerms(ranking, transaction, segments, query);
    return { hits: ranking.best(limit), idfs };
  }

  /** As `rank`, with what each term added to each hit, by chunk. */
  async explain(
    transaction: Transaction,
    segments: readonly Segment[],
    query: string,
    view: ReadableChunks,
    limit: number,
  ): Promise<{
    readonly hits: readonly ChunkHit[];
    readonly terms: ReadonlyMap<number, readonly TermScore[]>;
  }> {
    const ranking = new Ranking(this.table(), view);
    const { idfs, queried } = await this.#addTerms(ranking, transaction, segments, query);
    const hits = ranking.best(limit);
    const terms = new Map<number, TermScore[]>(hits.map(({ chunk }) => [chunk, []]));
    for (const { term, weight, lists } of queried) {
      const idf = idfs.get(term);
      if (idf === undefined) continue;
      this.#decode(lists);
      for (let i = 0; i < this.#postings.length; i++) {
        const chunk = this.#postings.chunks[i]!;
        const frequency = this.#postings.frequencies[i]!;
        const score = ranking.termScore(chunk, frequency, weight * idf);
        terms.get(chunk)?.push({ term, frequency, idf, score });
      }
    }
    for (const scores of terms.values()) scores.sort((a, b) => b.score - a.score);
    return { hits, terms };
  }

  /**
   * Adds all terms of the query. One that nothing in the view holds counts as the terms there that are nearest to it:
   * what the reader may not read neither is a known word nor stands for one.
   */
  async #addTerms(
    ranking: Ranking,
    transaction: Transaction,
    segments: readonly Segment[],
    query: string,
  ): Promise<{ readonly idfs: ReadonlyMap<string, number>; readonly queried: readonly QueriedTerm[] }> {
    const weights = queryTerms(query);
    const idfs = new Map<string, number>();
    const add = (queried: readonly QueriedTerm[]) => {
      for (const { term, weight, lists } of queried) {
        this.#decode(lists);
        const idf = ranking.add(this.#postings, weight);
        if (idf > 0) idfs.set(term, idf);
      }
    };
    const exact = await readTerms(transaction, segments, weights);
    add(exact);
    const unknown = [...weights.keys()].filter((term) => !idfs.has(term));
    const near = await nearTerms(transaction, segments, unknown);
    const replacing = await this.#nearest(ranking, transaction, segments, near, weights);
    add(replacing);
    return { idfs, queried: [...exact, ...replacing] };
  }

  /** Of the terms near to each unknown one, the nearest that the view has, each for its share of the weight. */
  async #nearest(
    ranking: Ranking,
    transaction: Transaction,
    segments: readonly Segment[],
    near: readonly NearTerm[],
    weights: ReadonlyMap<string, number>,
  ): Promise<readonly QueriedTerm[]> {
    const found = new Map<string, QueriedTerm>();
    const replaced = new Set<string>();
    for (let edits = 1; edits <= SLIPS_MAX; edits++) {
      const likes = near.filter((one) => one.edits === edits && !replaced.has(one.asked));
      const terms = new Map(likes.map(({ term }) => [term, 1]));
      const readable = (await readTerms(transaction, segments, terms)).filter(({ lists }) => {
        this.#decode(lists);
        return ranking.holds(this.#postings);
      });
      const byTerm = new Map(readable.map((one) => [one.term, one]));
      for (const asked of new Set(likes.map((one) => one.asked))) {
        const ofAsked = likes.filter((one) => one.asked === asked && byTerm.has(one.term));
        const share = NEAR_WEIGHT * (weights.get(asked) ?? 1) * (1 - edits / asked.length);
        for (const { term } of ofAsked.slice(0, NEAREST_MAX)) {
          replaced.add(asked);
          found.set(term, { ...byTerm.get(term)!, weight: share + (found.get(term)?.weight ?? 0) });
        }
      }
    }
    return [...found.values()];
  }

  #decode(lists: readonly Uint8Array[]): void {
    this.#postings.clear();
    for (const list of lists) this.#postings.append(list, this.table().documentOfChunk.length);
  }
}

/** Those of these terms that the index has, in alphabetical order, whatever the segments. Throws `IndexDamaged`. */
async function readTerms(
  transaction: Transaction,
  segments: readonly Segment[],
  weights: ReadonlyMap<string, number>,
): Promise<QueriedTerm[]> {
  const asked = [...weights.keys()].sort();
  const { rows } = await transaction.execute({
    sql:
      "SELECT postings.segment, postings.term, list, checksum FROM json_each(?) AS asked " +
      "CROSS JOIN json_each(?) AS present " +
      "CROSS JOIN postings ON postings.segment = present.value AND postings.term = asked.value " +
      "ORDER BY asked.key, present.key",
    args: [JSON.stringify(asked), JSON.stringify(segments.map(({ segment }) => segment))],
  });
  const lists = new Map<string, Map<number, Uint8Array>>();
  for (const row of rows) {
    const [term, segment] = [row.term as string, Number(row.segment)];
    const known = lists.get(term) ?? new Map<number, Uint8Array>();
    lists.set(term, known.set(segment, verifiedList(segment, row)));
  }
  for (const term of asked)
    for (const segment of segments)
      if (!lists.get(term)?.has(segment.segment) && (await isMissing(transaction, segment, term)))
        throw new IndexDamaged(`a posting list of segment ${segment.segment} is missing`);
  return [...lists].map(([term, ofTerm]) => ({
    term,
    weight: weights.get(term)!,
    lists: [...ofTerm.values()],
  }));
}
