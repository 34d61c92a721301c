/** Queries on words: `match`, `multi_match`, and the term query that they are made of. */
import { searchAnalyzer } from "./analysis.js";
import { bm25, type Explanation, explainBm25, node, type TermStatistics } from "./bm25.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { distance, EXPANSIONS_MAX, editsAllowed } from "./fuzzy.js";
import { isObject, type Json, type JsonObject, listOf, parsing } from "./json.js";
import type { Field } from "./mapping.js";
import { type Compiled, type Mark, type Match, NO_NAMES, type QueryContext } from "./matcher.js";
import { semanticMatch } from "./semantic.js";
import { shouldNeeded } from "./should-needed.js";
import { type Snapshot, type StoredDocument, termsOf } from "./stored-index.js";

/** Documents with exactly this term, scored by BM25; a keyword's length counts as one term. */
export function termMatcher(snapshot: Snapshot, field: Field, term: string, boost: number): Compiled {
  const { documentFrequency, documentCount } = snapshot.statistics(field.path);
  const frequency = documentFrequency.get(term) ?? 0;
  return weighted(snapshot, field, [{ term, boost, frequency }], documentCount, (one) => one === term);
}

interface Weighted {
  readonly term: string;
  readonly boost: number;
  /** The document frequency to score with. */
  readonly frequency: number;
}

/** The sum over some terms of a field; `accepts` tells a highlighter which. */
function weighted(
  snapshot: Snapshot,
  field: Field,
  terms: readonly Weighted[],
  documentCount: number,
  accepts: (term: string) => boolean,
): Compiled {
  const hasNorms = field.type === "text" && field.definition.norms !== false;
  const { totalLength } = snapshot.statistics(field.path);
  const statistics = (one: Weighted): TermStatistics => ({
    field: field.path,
    term: one.term,
    boost: one.boost,
    documentFrequency: one.frequency,
    documentCount,
    totalLength: hasNorms ? totalLength : documentCount,
  });
  return {
    marks: [{ kind: "terms", field: field.path, accepts }],
    match(document) {
      const { frequencies, length } = termsOf(snapshot.index, document, field.path);
      const found = terms.flatMap((one) => {
        const count = frequencies.get(one.term);
        if (count === undefined) return [];
        const occurrence = { frequency: field.type === "text" ? count : 1, length: hasNorms ? length : 1 };
        return [{ statistics: statistics(one), occurrence }];
      });
      if (found.length === 0) return undefined;
      return combined(
        found.map((one) => ({
          score: bm25(one.statistics, one.occurrence),
          explain: () => explainBm25(one.statistics, one.occurrence, snapshot.placeOf(document)),
        })),
        "sum of:",
        (scores) => scores.reduce((total, score) => total + score, 0),
      );
    },
  };
}

type Scored = Pick<Match, "score" | "explain">;

function combined(
  scored: readonly Scored[],
  description: string,
  combine: (scores: number[]) => number,
): Match {
  const score = Math.fround(combine(scored.map((one) => one.score)));
  const explain = (): Explanation =>
    scored.length === 1
      ? scored[0]!.explain()
      : node(
          score,
          description,
          scored.map((one) => one.explain()),
        );
  return { score, explain, names: NO_NAMES };
}

const MATCH_KEYS = ["query", "operator", "minimum_should_match", "fuzziness", "boost", "_name"];

/** Options that the server knows and that are not built here. */
const OTHER_MATCH_KEYS = [
  "analyzer",
  "auto_generate_synonyms_phrase_query",
  "fuzzy_rewrite",
  "fuzzy_transpositions",
  "lenient",
  "max_expansions",
  "prefix_length",
  "zero_terms_query",
  "slop",
];

function checkKeys(settings: JsonObject, known: readonly string[], kind: string): void {
  for (const key of Object.keys(settings)) {
    if (known.includes(key)) continue;
    if (OTHER_MATCH_KEYS.includes(key)) throw new NotSupported(`[${key}] of a ${kind} query`);
    throw parsing(`[${kind}] query does not support [${key}]`);
  }
}

export function matchQuery({ snapshot }: QueryContext, body: JsonObject): Compiled {
  const entries = Object.entries(body);
  if (entries.length > 1)
    throw parsing(
      `[match] query doesn't support multiple fields, found [${entries[0]![0]}] and [${entries[1]![0]}]`,
    );
  const [path, value] = entries[0] ?? [];
  if (path === undefined) throw illegalArgument("[match] requires fieldName");
  const settings: JsonObject = isObject(value) ? value : { query: value ?? null };
  checkKeys(settings, MATCH_KEYS, "match");
  if (settings.query === undefined || settings.query === null)
    throw illegalArgument("[match] requires query value");
  const field = snapshot.index.mapping.fields.get(path);
  if (field === undefined) return { match: () => undefined, marks: [] };
  if (field.type === "semantic_text")
    return semanticMatch(field, String(settings.query), Number(settings.boost ?? 1));
  return matchField(snapshot, field, settings, Number(settings.boost ?? 1));
}

/** The words of the query in one field: any of them, all of them, or as many as `minimum_should_match` says. */
function matchField(snapshot: Snapshot, field: Field, settings: JsonObject, boost: number): Compiled {
  if (field.type !== "text" && field.type !== "keyword")
    throw new NotSupported(`a match query on a field of type [${field.type}]`);
  const analyzer = searchAnalyzer(snapshot.index.analyzers, field);
  const terms = analyzer(String(settings.query)).map(({ term }) => term);
  const clauses = terms.map((term) => fuzzyClause(snapshot, field, term, settings.fuzziness, boost));
  const needed = wordsNeeded(settings, clauses.length);
  return {
    marks: clauses.flatMap(({ marks }) => marks),
    match(document) {
      const found = clauses.map(({ match }) => match(document)).filter((one) => one !== undefined);
      if (found.length === 0 || found.length < needed) return undefined;
      return combined(found, "sum of:", (scores) => scores.reduce((total, score) => total + score, 0));
    },
  };
}

function wordsNeeded({ operator = "or", minimum_should_match }: JsonObject, words: number): number {
  const written = String(operator).toLowerCase();
  if (written === "and") return words;
  if (written !== "or") throw parsing(`operator needs to be either [AND] or [OR], but not [${written}]`);
  return shouldNeeded(minimum_should_match, words, 0);
}

/** A term, or with fuzziness every term of the field that is near enough, nearer ones weighing more. */
function fuzzyClause(
  snapshot: Snapshot,
  field: Field,
  term: string,
  fuzziness: Json | undefined,
  boost: number,
): Compiled {
  const edits = editsAllowed(fuzziness, term);
  if (edits === 0) return termMatcher(snapshot, field, term, boost);
  const { documentFrequency, documentCount } = snapshot.statistics(field.path);
  const near = [...documentFrequency].flatMap(([other, frequency]) => {
    const away = distance(term, other, edits);
    if (away === undefined) return [];
    const shorter = Math.min([...term].length, [...other].length);
    return [{ term: other, frequency, weight: 1 - away / shorter }];
  });
  const best = near
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || (one.term < other.term ? -1 : 1))
    .slice(0, EXPANSIONS_MAX);
  // All variants score with the commonest one's frequency, so that a rare misspelling is not worth more.
  const frequency = Math.max(0, ...best.map((one) => one.frequency));
  const accepted = new Set(best.map((one) => one.term));
  return weighted(
    snapshot,
    field,
    best.map((one) => ({ term: one.term, frequency, boost: boost * one.weight })),
    documentCount,
    (one) => accepted.has(one),
  );
}

const MULTI_MATCH_KEYS = [...MATCH_KEYS, "fields", "type", "tie_breaker"];

export function multiMatchQuery({ snapshot }: QueryContext, body: JsonObject): Compiled {
  checkKeys(body, MULTI_MATCH_KEYS, "multi_match");
  if (body.query === undefined) throw parsing("No text specified for multi_match query");
  const { type = "best_fields", boost = 1 } = body;
  if (type !== "best_fields" && type !== "most_fields")
    throw new NotSupported(`multi_match of type [${String(type)}]`);
  const tie = Number(body.tie_breaker ?? (type === "most_fields" ? 1 : 0));
  const clauses = fieldsOf(snapshot, body.fields).map(({ field, weight }) =>
    matchField(snapshot, field, body, weight * Number(boost)),
  );
  return {
    marks: clauses.flatMap(({ marks }): readonly Mark[] => marks),
    match(document: StoredDocument) {
      const found = clauses.map(({ match }) => match(document)).filter((one) => one !== undefined);
      if (found.length === 0) return undefined;
      const description = tie === 0 ? "max of:" : `max plus ${tie} times others of:`;
      return combined(found, tie === 1 ? "sum of:" : description, (scores) => {
        const best = Math.max(...scores);
        return best + tie * (scores.reduce((total, score) => total + score, 0) - best);
      });
    },
  };
}

function fieldsOf(snapshot: Snapshot, fields: Json | undefined): { field: Field; weight: number }[] {
  const { mapping } = snapshot.index;
  const written = listOf(fields).map(String);
  if (written.length === 0) throw new NotSupported("multi_match without fields");
  return written.flatMap((one) => {
    const [path = "", weight = "1"] = one.split("^");
    if (path.includes("*")) throw new NotSupported("patterns among the fields of multi_match");
    if (!(Number(weight) >= 0))
      throw new ElasticsearchError(400, "number_format_exception", `For input string: "${weight}"`);
    const field = mapping.fields.get(path);
    return field === undefined ? [] : [{ field, weight: Number(weight) }];
  });
}
