/** The leg `lexical`: the terms of a query, their posting lists, and what each adds to a score. */
import type { TermScore } from "../inspector.js";
import { queryTerms } from "../query-terms.js";
import type { Transaction } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";
import { Postings } from "./postings.js";
import { type ChunkTable, type Hit, Ranking, type View } from "./rank.js";
import { isMissing, type Segment, verifiedList } from "./segments.js";

/** A term of a query with what is stored of it. */
interface QueriedTerm {
  readonly term: string;
  /** How often the query holds it. */
  readonly weight: number;
  /** One for each segment that has it, the oldest first. */
  readonly lists: readonly Uint8Array[];
}

export interface LexicalResult {
  /** Best first. */
  readonly hits: readonly Hit[];
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
    view: View,
    limit: number,
  ): Promise<LexicalResult> {
    const ranking = new Ranking(this.table(), view);
    const idfs = this.#addTerms(ranking, await readTerms(transaction, segments, query));
    return { hits: ranking.best(limit), idfs };
  }

  /** As `rank`, with what each term added to each hit, by chunk. */
  async explain(
    transaction: Transaction,
    segments: readonly Segment[],
    query: string,
    view: View,
    limit: number,
  ): Promise<{ readonly hits: readonly Hit[]; readonly terms: ReadonlyMap<number, readonly TermScore[]> }> {
    const ranking = new Ranking(this.table(), view);
    const queried = await readTerms(transaction, segments, query);
    const idfs = this.#addTerms(ranking, queried);
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

  #addTerms(ranking: Ranking, queried: readonly QueriedTerm[]): Map<string, number> {
    const idfs = new Map<string, number>();
    for (const { term, weight, lists } of queried) {
      this.#decode(lists);
      const idf = ranking.add(this.#postings, weight);
      if (idf > 0) idfs.set(term, idf);
    }
    return idfs;
  }

  #decode(lists: readonly Uint8Array[]): void {
    this.#postings.clear();
    for (const list of lists) this.#postings.append(list, this.table().documentOfChunk.length);
  }
}

/** The terms of the query that the index has, in alphabetical order, whatever the segments. Throws `IndexDamaged`. */
async function readTerms(
  transaction: Transaction,
  segments: readonly Segment[],
  query: string,
): Promise<QueriedTerm[]> {
  const weights = queryTerms(query);
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
