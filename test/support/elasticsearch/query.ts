/**
 * Queries as functions from a document to a score. Filters are exact: who may read what is decided by them. Ranking is
 * only such as every sane ranking would be, by the rarer of the common words: what BM25, quantized vectors, fuzziness
 * and highlighting do is tried on a real node (`npm run test:elasticsearch:local`).
 */
import { analyze } from "../../../src/lib/english-analyzer.js";
import { illegalArgument, NotSupported } from "./errors.js";
import { isObject, type Json, type JsonObject, listOf, objectOf, onlyEntry } from "./json.js";
import type { Snapshot, StoredDocument } from "./stored-index.js";

/** `undefined`: no match. */
export type Score = (document: StoredDocument) => number | undefined;

export function compileQuery(snapshot: Snapshot, query: Json): Score {
  const [kind, body] = onlyEntry(objectOf(query, "query"), "query");
  const build = QUERIES[kind];
  if (build === undefined) throw new NotSupported(`the query [${kind}]`);
  return build(snapshot, objectOf(body, kind));
}

const QUERIES: Readonly<Record<string, (snapshot: Snapshot, body: JsonObject) => Score>> = {
  bool,
  exists: (snapshot, { field }) => when((one) => snapshot.valuesOf(one, String(field)).length > 0),
  ids: (_snapshot, { values }) => when(({ id }) => listOf(values).includes(id)),
  match_all: () => when(() => true),
  match: (snapshot, body) => {
    const [field, setting] = onlyEntry(body, "match");
    return words(snapshot, [field], isObject(setting) ? setting.query : setting);
  },
  multi_match: (snapshot, { query, fields }) => words(snapshot, listOf(fields).map(String), query),
  prefix: (snapshot, body) => {
    const [field, prefix] = fieldValue(body, "prefix");
    return when((one) =>
      snapshot.valuesOf(one, field).some((value) => String(value).startsWith(String(prefix))),
    );
  },
  range,
  semantic: (snapshot, { field, query }) => words(snapshot, [String(field)], query),
  term: (snapshot, body) => {
    const [field, wanted] = fieldValue(body, "term");
    return when((one) => snapshot.valuesOf(one, field).includes(wanted));
  },
  terms: (snapshot, body) => {
    const [field, wanted] = onlyEntry(body, "terms");
    const set = new Set(listOf(wanted));
    return when((one) => snapshot.valuesOf(one, field).some((value) => set.has(value)));
  },
};

function when(matches: (document: StoredDocument) => boolean): Score {
  return (document) => (matches(document) ? 1 : undefined);
}

function bool(snapshot: Snapshot, body: JsonObject): Score {
  const { must, filter, should, must_not, minimum_should_match, ...rest } = body;
  if (Object.keys(rest).length > 0) throw new NotSupported(`[${Object.keys(rest)[0]}] of a bool query`);
  const compiled = (clauses: Json | undefined) =>
    listOf(clauses).map((clause) => compileQuery(snapshot, clause));
  const [scored, filters, wished, forbidden] = [must, filter, should, must_not].map(compiled) as Score[][];
  const needed =
    minimum_should_match ?? (scored!.length + filters!.length === 0 && wished!.length > 0 ? 1 : 0);
  return (document) => {
    if (forbidden!.some((score) => score(document) !== undefined)) return undefined;
    if (filters!.some((score) => score(document) === undefined)) return undefined;
    const musts = scored!.map((score) => score(document));
    const wishes = wished!.map((score) => score(document)).filter((score) => score !== undefined);
    if (musts.includes(undefined) || wishes.length < Number(needed)) return undefined;
    return [...musts, ...wishes].reduce<number>((sum, score) => sum + score!, 0);
  };
}

function range(snapshot: Snapshot, body: JsonObject): Score {
  const [field, bounds] = onlyEntry(body, "range");
  const within = Object.entries(objectOf(bounds, field)).map(([name, bound]) => {
    const compare = BOUNDS[name];
    if (compare === undefined) throw new NotSupported(`[${name}] of a range`);
    return (value: Json) => compare(comparable(value), comparable(bound));
  });
  return when((one) => snapshot.valuesOf(one, field).some((value) => within.every((holds) => holds(value))));
}

const BOUNDS: Readonly<Record<string, (value: number | string, bound: number | string) => boolean>> = {
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
};

/** Numbers as they are; dates as milliseconds; other text bytewise, as UTF-8 orders it. */
export function comparable(value: Json): number | string {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  const text = String(value);
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Buffer.from(text).toString("hex");
}

function fieldValue(body: JsonObject, kind: string): [string, Json] {
  const [field, setting] = onlyEntry(body, kind);
  return [field, isObject(setting) ? (setting.value ?? null) : setting];
}

/** Text by its words, in the field that says most of them; a field's boost counts. */
function words(snapshot: Snapshot, fields: readonly string[], query: Json | undefined): Score {
  if (typeof query !== "string") throw illegalArgument("a query by words needs [query]");
  const wanted = [...new Set(analyze(query))];
  const each = fields.map((field) => {
    const [path = "", boost = "1"] = field.split("^");
    const rarity = new Map(wanted.map((term) => [term, snapshot.rarityOf(path, term)]));
    return (document: StoredDocument) => {
      const { terms, length } = snapshot.termsOf(document, path);
      const sum = wanted.reduce((total, term) => total + (terms.has(term) ? rarity.get(term)! : 0), 0);
      return (Number(boost) * sum) / Math.sqrt(length + 1);
    };
  });
  return (document) => Math.max(0, ...each.map((score) => score(document))) || undefined;
}

/** The `k` nearest by cosine among those that the filter admits. */
export function nearest(snapshot: Snapshot, body: JsonObject): Score {
  const { field, query_vector, k, filter } = body;
  const vector = listOf(query_vector).map(Number);
  const admits = filter === undefined ? when(() => true) : compileQuery(snapshot, filter);
  const scored = snapshot.documents.flatMap((document) => {
    const own = listOf(document.source[String(field)]).map(Number);
    if (own.length === 0 || admits(document) === undefined) return [];
    if (own.length !== vector.length)
      throw illegalArgument(
        `the query vector has a different dimension [${vector.length}] than the index vectors [${own.length}]`,
      );
    const product = own.reduce((sum, value, i) => sum + value * vector[i]!, 0);
    const score = (1 + product / (Math.hypot(...own) * Math.hypot(...vector))) / 2;
    return [{ id: document.id, score }];
  });
  const best = new Map(
    scored
      .sort((a, b) => b.score - a.score)
      .slice(0, Number(k))
      .map(({ id, score }) => [id, score]),
  );
  return ({ id }) => best.get(id);
}
