/**
 * The query language: a query of a request becomes a function from a document to its score, its explanation and the
 * names of the clauses that matched. Unknown queries and options are refused as the server refuses them; known ones
 * that are not built here are `NotSupported`.
 */
import { node } from "./bm25.js";
import { parseDate } from "./document-fields.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  onlyEntry,
  parsing,
  stringOf,
} from "./json.js";
import { knnQuery } from "./knn.js";
import type { Field } from "./mapping.js";
import { type Compiled, constant, type Match, type QueryContext } from "./matcher.js";
import { semanticQuery } from "./semantic.js";
import { shouldNeeded } from "./should-needed.js";
import type { Snapshot, StoredDocument } from "./stored-index.js";
import { matchQuery, multiMatchQuery, termMatcher } from "./text-queries.js";

export function compileQuery(snapshot: Snapshot, query: Json): Compiled {
  const context: QueryContext = { snapshot, compile: (inner) => compileQuery(snapshot, inner) };
  const [kind, body] = onlyEntry(objectOf(query, "query"), "query");
  const build = Object.hasOwn(QUERIES, kind) ? QUERIES[kind] : undefined;
  if (build === undefined) {
    if (OTHER_QUERIES.includes(kind)) throw new NotSupported(`the query [${kind}]`);
    throw new ElasticsearchError(400, "parsing_exception", `unknown query [${kind}]`, {
      caused_by: {
        type: "named_object_not_found_exception",
        reason: `[1:1] unknown field [${kind}]`,
      },
    });
  }
  const compiled = build(context, objectOf(body, kind));
  return withName(withBoost(compiled, kind, body as JsonObject), nameOf(body as JsonObject));
}

type Build = (context: QueryContext, body: JsonObject) => Compiled;

const QUERIES: Readonly<Record<string, Build>> = {
  bool: boolQuery,
  constant_score: (context, body) => {
    const { match } = context.compile(body.filter ?? {});
    return constant((document) => match(document) !== undefined, "ConstantScore");
  },
  exists: existsQuery,
  ids: idsQuery,
  knn: knnQuery,
  match: matchQuery,
  match_all: () => constant(() => true, "*:*"),
  match_none: () => constant(() => false, "MatchNoDocsQuery"),
  multi_match: multiMatchQuery,
  prefix: prefixQuery,
  range: rangeQuery,
  semantic: semanticQuery,
  term: termQuery,
  terms: termsQuery,
};

/** The queries that the stand-in has. */
export const QUERY_KINDS: readonly string[] = Object.keys(QUERIES);

const OTHER_QUERIES: readonly string[] = [
  "boosting",
  "combined_fields",
  "dis_max",
  "fuzzy",
  "function_score",
  "intervals",
  "match_bool_prefix",
  "match_phrase",
  "match_phrase_prefix",
  "more_like_this",
  "nested",
  "percolate",
  "pinned",
  "query_string",
  "rank_feature",
  "regexp",
  "rule",
  "script",
  "script_score",
  "simple_query_string",
  "sparse_vector",
  "text_expansion",
  "wildcard",
  "wrapper",
];

/** Queries whose `boost` and `_name` stand inside the field's object. */
const BY_FIELD: readonly string[] = ["match", "prefix", "range", "term"];

function inner(kind: string, body: JsonObject): JsonObject {
  if (!BY_FIELD.includes(kind)) return body;
  const [value] = Object.values(body);
  return isObject(value) ? value : {};
}

/** Queries whose own matcher applies the boost, so that the explanation shows it in its place. */
const BOOSTED_WITHIN: readonly string[] = ["match", "multi_match", "term"];

function withBoost(compiled: Compiled, kind: string, body: JsonObject): Compiled {
  const { boost } = inner(kind, body);
  if (boost === undefined || BOOSTED_WITHIN.includes(kind)) return compiled;
  if (typeof boost !== "number" || boost < 0)
    throw illegalArgument(
      `negative [boost] are not allowed in [${JSON.stringify(body)}], use a value between 0 and 1 to deboost`,
    );
  return {
    marks: compiled.marks,
    match(document) {
      const match = compiled.match(document);
      if (match === undefined) return undefined;
      const score = Math.fround(match.score * boost);
      return {
        ...match,
        score,
        explain: () => ({
          ...match.explain(),
          value: score,
          details: [node(boost, "boost"), match.explain()],
        }),
      };
    },
  };
}

function nameOf(body: JsonObject): string | undefined {
  const [first] = Object.values(body);
  const name = body._name ?? (isObject(first) && Object.keys(body).length === 1 ? first._name : undefined);
  return typeof name === "string" ? name : undefined;
}

function withName(compiled: Compiled, name: string | undefined): Compiled {
  if (name === undefined) return compiled;
  return {
    marks: compiled.marks,
    match(document) {
      const match = compiled.match(document);
      return match && { ...match, names: new Map([...match.names, [name, match.score]]) };
    },
  };
}

const BOOL_KEYS = [
  "must",
  "filter",
  "should",
  "must_not",
  "minimum_should_match",
  "boost",
  "_name",
  "adjust_pure_negative",
];

function boolQuery(context: QueryContext, body: JsonObject): Compiled {
  const unknown = Object.keys(body).find((key) => !BOOL_KEYS.includes(key));
  if (unknown !== undefined)
    throw new ElasticsearchError(400, "x_content_parse_exception", `[1:1] [bool] unknown field [${unknown}]`);
  const clauses = (key: string) => listOf(body[key]).map((clause) => context.compile(clause));
  const [must, filter, should, mustNot] = [
    clauses("must"),
    clauses("filter"),
    clauses("should"),
    clauses("must_not"),
  ];
  const needed = shouldNeeded(body.minimum_should_match, should.length, must.length + filter.length);
  return {
    marks: [...must, ...filter, ...should].flatMap(({ marks }) => marks),
    match(document) {
      if (mustNot.some(({ match }) => match(document) !== undefined)) return undefined;
      const scored: Match[] = [];
      for (const { match } of must) {
        const found = match(document);
        if (found === undefined) return undefined;
        scored.push(found);
      }
      const filtered: Match[] = [];
      for (const { match } of filter) {
        const found = match(document);
        if (found === undefined) return undefined;
        filtered.push(found);
      }
      const wished = should.map(({ match }) => match(document)).filter((found) => found !== undefined);
      if (wished.length < needed) return undefined;
      return sum([...scored, ...wished], filtered);
    },
  };
}

function sum(scored: readonly Match[], filtered: readonly Match[]): Match {
  const score = Math.fround(scored.reduce((total, match) => total + match.score, 0));
  return {
    score,
    names: new Map([...scored, ...filtered].flatMap(({ names }) => [...names])),
    explain: () => {
      const [only] = scored;
      if (scored.length === 1 && filtered.length === 0) return only!.explain();
      return node(score, "sum of:", [
        ...scored.map((match) => match.explain()),
        ...filtered.map((match) =>
          node(0, "match on required clause, product of:", [node(0, "# clause"), match.explain()]),
        ),
      ]);
    },
  };
}

export function fieldOf(snapshot: Snapshot, path: string): Field | undefined {
  return snapshot.index.mapping.fields.get(path);
}

/** The field and the settings of a query such as `{"term": {"network": {"value": "acme"}}}`. */
function fieldQuery(
  body: JsonObject,
  kind: string,
  valueKey: string,
  known: readonly string[],
): [string, JsonObject] {
  const entries = Object.entries(body);
  if (entries.length === 0) throw illegalArgument(`[${kind}] query malformed, no field name`);
  if (entries.length > 1)
    throw parsing(
      `[${kind}] query doesn't support multiple fields, found [${entries[0]![0]}] and [${entries[1]![0]}]`,
    );
  const [path, value] = entries[0]!;
  if (isList(value)) throw parsing(`[${kind}] query does not support array of values`);
  const settings = isObject(value) ? value : { [valueKey]: value };
  for (const key of Object.keys(settings)) {
    if (![...known, valueKey, "boost", "_name"].includes(key))
      throw parsing(`[${kind}] query does not support [${key}]`);
  }
  return [path, settings];
}

function termQuery(context: QueryContext, body: JsonObject): Compiled {
  const [path, { value, boost, case_insensitive }] = fieldQuery(body, "term", "value", ["case_insensitive"]);
  if (value === undefined || value === null) throw illegalArgument("value cannot be null");
  if (case_insensitive === true) throw new NotSupported("[case_insensitive] of a term query");
  const field = fieldOf(context.snapshot, path);
  if (field === undefined) return constant(() => false, `MatchNoDocsQuery("${path}")`);
  refuseSpecial(field, "term");
  if (isNumeric(field)) {
    const wanted = numericValue(field, value);
    return boosted(
      constant(({ values }) => (values.get(path) ?? []).includes(wanted), `${path}:[${wanted} TO ${wanted}]`),
      boost,
    );
  }
  const term = field.type === "boolean" ? String(booleanValue(value)) : String(value);
  return termMatcher(context.snapshot, field, term, Number(boost ?? 1));
}

function boosted(compiled: Compiled, boost: Json | undefined): Compiled {
  return boost === undefined ? compiled : withBoost(compiled, "", { boost });
}

/** Most values of a terms query, as `index.max_terms_count`. */
const TERMS_MAX = 65_536;

function termsQuery(context: QueryContext, body: JsonObject): Compiled {
  const { boost: _boost, _name, ...fields } = body;
  const entries = Object.entries(fields);
  if (entries.length !== 1) throw parsing("[terms] query requires a field name, followed by array of terms");
  const [path, wanted] = entries[0]!;
  if (isObject(wanted)) throw new NotSupported("terms lookup");
  if (!isList(wanted)) throw parsing(`[terms] query does not support [${path}]`);
  if (wanted.includes(null)) throw illegalArgument("No value specified for terms query");
  if (wanted.length > TERMS_MAX)
    throw illegalArgument(
      `The number of terms [${wanted.length}] used in the Terms Query request has exceeded the allowed maximum of [${TERMS_MAX}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
    );
  const field = fieldOf(context.snapshot, path);
  if (field === undefined) return constant(() => false, `MatchNoDocsQuery("${path}")`);
  refuseSpecial(field, "terms");
  const accepts = hasOneOf(context, field, wanted);
  return constant(accepts, `${path}:(${wanted.map(String).join(" ")})`);
}

function hasOneOf(
  context: QueryContext,
  field: Field,
  wanted: readonly Json[],
): (document: StoredDocument) => boolean {
  if (field.type === "text") {
    const each = wanted.map((term) => termMatcher(context.snapshot, field, String(term), 1).match);
    return (document) => each.some((match) => match(document) !== undefined);
  }
  const values = new Set<unknown>(
    wanted.map((value) => {
      if (isNumeric(field)) return numericValue(field, value);
      return field.type === "boolean" ? booleanValue(value) : String(value);
    }),
  );
  return (document) => (document.values.get(field.path) ?? []).some((value) => values.has(value));
}

/** Vectors and `semantic_text` know no terms. */
function refuseSpecial(field: Field, kind: string): void {
  if (field.type === "dense_vector")
    throw illegalArgument(`Field [${field.path}] of type [dense_vector] doesn't support ${kind} queries`);
  if (field.type === "semantic_text")
    throw illegalArgument(`Field [${field.path}] of type [semantic_text] does not support ${kind} queries`);
}

const NUMERIC = ["byte", "short", "integer", "long", "half_float", "float", "double", "date"];

function isNumeric(field: Field): boolean {
  return NUMERIC.includes(field.type);
}

function numericValue(field: Field, value: Json): number {
  if (field.type === "date") return dateBound(value, false);
  const number = Number(value);
  if (typeof value === "object" || Number.isNaN(number))
    throw shardFailure("number_format_exception", `For input string: "${String(value)}"`);
  return number;
}

function booleanValue(value: Json): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false" || value === "") return false;
  throw shardFailure(
    "illegal_argument_exception",
    `Can't parse boolean value [${String(value)}], expected [true] or [false]`,
  );
}

function shardFailure(type: string, reason: string): ElasticsearchError {
  return new ElasticsearchError(400, "query_shard_exception", `failed to create query: ${reason}`, {
    caused_by: { type, reason },
  });
}

/** False for a document without a value: `null` and an empty list are none. */
function existsQuery(context: QueryContext, body: JsonObject): Compiled {
  const path = stringOf(body.field, "field");
  const within = `${path}.`;
  const paths = [...context.snapshot.index.mapping.fields.keys()].filter(
    (name) => name === path || name.startsWith(within),
  );
  return constant(
    ({ values }) => paths.some((name) => values.has(name)),
    `ConstantScore(FieldExistsQuery [field=${path}])`,
  );
}

function idsQuery(_context: QueryContext, body: JsonObject): Compiled {
  if (body.values === undefined) throw illegalArgument("[ids] requires providing ids");
  const ids = new Set(listOf(body.values).map(String));
  return constant(({ id }) => ids.has(id), `ConstantScore(_id:(${[...ids].join(" ")}))`);
}

function prefixQuery(context: QueryContext, body: JsonObject): Compiled {
  const [path, { value, case_insensitive }] = fieldQuery(body, "prefix", "value", [
    "case_insensitive",
    "rewrite",
  ]);
  const prefix = case_insensitive === true ? String(value).toLowerCase() : String(value);
  const field = fieldOf(context.snapshot, path);
  if (field === undefined) return constant(() => false, `MatchNoDocsQuery("${path}")`);
  if (field.type !== "keyword") throw new NotSupported(`a prefix query on a field of type [${field.type}]`);
  return constant(
    ({ values }) =>
      (values.get(path) ?? []).some((one) =>
        (case_insensitive === true ? String(one).toLowerCase() : String(one)).startsWith(prefix),
      ),
    `${path}:${prefix}*`,
  );
}

const BOUNDS: Readonly<Record<string, (value: number | string, bound: number | string) => boolean>> = {
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
};

function rangeQuery(context: QueryContext, body: JsonObject): Compiled {
  const [path, settings] = fieldQuery(body, "range", "", [
    ...Object.keys(BOUNDS),
    "format",
    "time_zone",
    "relation",
  ]);
  if (settings.format !== undefined || settings.time_zone !== undefined)
    throw new NotSupported("[format] and [time_zone] of a range");
  const field = fieldOf(context.snapshot, path);
  if (field === undefined) return constant(() => false, `MatchNoDocsQuery("${path}")`);
  if (field.type === "keyword") return keywordRange(path, settings);
  if (!isNumeric(field))
    throw illegalArgument(`Field [${path}] of type [${field.type}] does not support range queries`);
  const tests = Object.entries(BOUNDS).flatMap(([name, holds]) => {
    const bound = settings[name];
    if (bound === undefined || bound === null) return [];
    const limit =
      field.type === "date" ? dateBound(bound, name === "lte" || name === "gt") : numericValue(field, bound);
    return [(value: number) => holds(value, limit)];
  });
  return constant(
    ({ values }) => (values.get(path) ?? []).some((value) => tests.every((test) => test(value as number))),
    `${path}:[${JSON.stringify(settings)}]`,
  );
}

function keywordRange(path: string, settings: JsonObject): Compiled {
  const tests = Object.entries(BOUNDS).flatMap(([name, holds]) => {
    const bound = settings[name];
    return bound === undefined || bound === null ? [] : [(value: string) => holds(value, String(bound))];
  });
  return constant(
    ({ values }) => (values.get(path) ?? []).some((value) => tests.every((test) => test(String(value)))),
    `${path}:[${JSON.stringify(settings)}]`,
  );
}

const DAY_MS = 86_400_000;

/** A date written as a day stands for its whole day where the bound includes it (`lte`), or begins after it (`gt`). */
function dateBound(value: Json, atEnd: boolean): number {
  if (typeof value === "number") return value;
  const text = String(value);
  if (text.startsWith("now") || text.includes("||")) throw new NotSupported("date arithmetic");
  const time = parseDate(text);
  if (time === undefined)
    throw new ElasticsearchError(
      400,
      "parse_exception",
      `failed to parse date field [${text}] with format [strict_date_optional_time||epoch_millis]`,
    );
  return atEnd && /^\d{4}-\d{2}-\d{2}$/.test(text) ? time + DAY_MS - 1 : time;
}
