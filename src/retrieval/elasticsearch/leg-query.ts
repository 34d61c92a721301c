/** A leg's request as a search of Elasticsearch. Pure. */
import { pattern } from "../../lib/pattern.js";
import { wellFormed } from "../../lib/well-formed.js";
import type { LegRequest } from "../engine.js";
import { tellingWords } from "../query-terms.js";
import { networkClause, type QueryClause, readableClauses, supersededClause } from "./access-query.js";
import type { estypes } from "./client.js";
import { HIGHLIGHTS_MAX, MARK_AFTER, MARK_BEFORE } from "./highlights.js";
import type { ElasticsearchOptions } from "./options.js";
import { CHUNK_FIELDS } from "./stored-chunks.js";

export type LegOptions = Pick<
  ElasticsearchOptions,
  "embeddingsIndex" | "semanticQuery" | "lexicalFields" | "lexicalFuzziness"
>;

/** Words of a query that are looked up; servers refuse queries with too many clauses, 1,024 on the smallest. */
export const QUERY_WORDS_MAX = 200;

/** Characters of a query that are looked at. */
const QUERY_CHARS_MAX = 16_384;

/** Neighbours that each shard looks at for one of the wanted, and at the least and most. */
const CANDIDATES_PER_RESULT = 4;
const CANDIDATES_MIN = 100;
const CANDIDATES_MAX = 10_000;

/** `reader`: what the reader may read. `operator`: all of the network, with scores explained. */
export type SearchScope = "reader" | "operator";

/** The search for a leg; `undefined` when the query has no word, so that nothing can be found. */
export function legSearch(
  request: LegRequest,
  options: LegOptions,
  view: SearchScope,
): estypes.SearchRequest | undefined {
  const usable = usableQuery(request.query);
  // What only makes it a question would be scored like any other word, and says nothing.
  const query = request.leg === "lexical" ? tellingWords(usable) : usable;
  if (query === "" && request.vector === undefined) return undefined;
  const shared: estypes.SearchRequest = {
    index: options.embeddingsIndex,
    size: request.limit,
    track_total_hits: false,
    allow_partial_search_results: false,
    _source: { includes: CHUNK_FIELDS },
  };
  const scope = scopeOf(request, view);
  if (request.vector !== undefined) {
    return { ...shared, knn: nearest(request.vector, request.limit, scope) };
  }
  const isSemantic = request.leg === "semantic";
  const highlight = isSemantic ? semanticHighlight(options) : lexicalHighlight();
  return {
    ...shared,
    query: { bool: { must: [isSemantic ? semantic(query, options) : lexical(query, options)], ...scope } },
    ...(highlight === undefined ? {} : { highlight }),
    ...(view === "operator" && !isSemantic ? { explain: true } : {}),
  };
}

/**
 * The query without what JSON or an analyzer may stumble over: control characters, halves of characters, and the words
 * beyond the first `QUERY_WORDS_MAX`. Empty when no letter, digit or symbol is in it.
 */
export function usableQuery(query: string): string {
  const clean = wellFormed(query, QUERY_CHARS_MAX).replace(/\p{Cc}/gu, " ");
  const words = [...clean.matchAll(WORD)];
  const beyond = words[QUERY_WORDS_MAX];
  if (words.length === 0) return "";
  return (beyond === undefined ? clean : clean.slice(0, beyond.index)).trim();
}

/** What becomes a term: a run of letters and digits, or one character of a script that writes no spaces, or a symbol. */
const WORD = pattern("gu")`
  [\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}
  \p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]
  |[\p{L}\p{N}][\p{L}\p{M}\p{N}_'’]*
`;

/** Filters of a `bool` query: who may read, and which revisions are left out. */
type Scope = { readonly filter: QueryClause[]; readonly must_not?: QueryClause[] };

function scopeOf({ access }: LegRequest, view: SearchScope): Scope {
  if (view === "operator") return { filter: [networkClause(access.network)] };
  return { filter: readableClauses(access), must_not: [supersededClause(access)] };
}

/**
 * What a word that is spelt otherwise counts beside the word itself. Instead of the exact words, fuzzy ones take nDCG@10
 * on ClapNQ from .946 to .908; beside them, at half their worth, they leave it (.950), and bring it with a typing error
 * in each question from .855 to .897. See docs/decisions.
 */
const FUZZY_BOOST = 0.5;

/** Letters at the beginning that have to be right: few get these wrong. */
const FUZZY_PREFIX_LENGTH = 1;

/** Words that one may stand for. */
const FUZZY_WORDS_MAX = 10;

function lexical(query: string, { lexicalFields, lexicalFuzziness }: LegOptions): QueryClause {
  const exact: estypes.QueryDslMultiMatchQuery = { query, fields: [...lexicalFields], type: "best_fields" };
  if (lexicalFuzziness === "0") return { multi_match: exact };
  const fuzzy = {
    fuzziness: lexicalFuzziness,
    prefix_length: FUZZY_PREFIX_LENGTH,
    max_expansions: FUZZY_WORDS_MAX,
    boost: FUZZY_BOOST,
  };
  return { bool: { should: [{ multi_match: exact }, { multi_match: { ...exact, ...fuzzy } }] } };
}

function semantic(query: string, { semanticQuery }: LegOptions): QueryClause {
  return semanticQuery === "match"
    ? { match: { semantic_text: { query } } }
    : { semantic: { field: "semantic_text", query } };
}

function nearest(vector: Float32Array, limit: number, scope: Scope): estypes.KnnSearch {
  const candidates = Math.max(CANDIDATES_MIN, limit * CANDIDATES_PER_RESULT);
  return {
    field: "embedding",
    query_vector: [...vector],
    k: limit,
    num_candidates: Math.min(CANDIDATES_MAX, candidates),
    filter: { bool: scope },
  };
}

function lexicalHighlight(): estypes.SearchHighlight {
  const sentences = {
    type: "unified",
    number_of_fragments: HIGHLIGHTS_MAX,
    // Whole sentences, however long.
    fragment_size: 0,
    boundary_scanner: "sentence",
    order: "score",
    require_field_match: false,
  } as const;
  return { pre_tags: [MARK_BEFORE], post_tags: [MARK_AFTER], fields: { text: sentences } };
}

/** Servers that want the older form of the query do not know this kind of highlighting. */
function semanticHighlight({ semanticQuery }: LegOptions): estypes.SearchHighlight | undefined {
  if (semanticQuery === "semantic") return undefined;
  return { fields: { semantic_text: { type: "semantic", number_of_fragments: 2, order: "score" } } };
}
