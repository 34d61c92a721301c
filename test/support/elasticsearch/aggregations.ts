/** Aggregations over the documents that a query matched: `terms`, `value_count`, `cardinality`, `missing`, `filter`. */
import type { FieldValue } from "./document-fields.js";
import { illegalArgument, NotSupported } from "./errors.js";
import { isObject, type Json, type JsonObject, objectOf, onlyEntry, parsing } from "./json.js";
import type { Matcher } from "./matcher.js";
import type { StoredDocument, StoredIndex } from "./stored-index.js";

export interface Aggregated {
  readonly index: StoredIndex;
  readonly document: StoredDocument;
}

/** The aggregations that the stand-in has. */
export const AGGREGATION_KINDS: readonly string[] = [
  "terms",
  "value_count",
  "cardinality",
  "missing",
  "filter",
  "max",
  "min",
];

export type CompileFilter = (index: StoredIndex, query: Json) => Matcher;

export function aggregate(
  request: JsonObject,
  hits: readonly Aggregated[],
  compile: CompileFilter,
): JsonObject {
  return Object.fromEntries(
    Object.entries(request).map(([name, body]) => {
      const { aggs, aggregations, meta: _, ...own } = objectOf(body, name);
      const [kind, settings] = onlyEntry(own, "aggregation");
      const inner = (some: readonly Aggregated[]) =>
        aggregate(objectOf(aggs ?? aggregations ?? {}, "aggs"), some, compile);
      return [name, one(kind, objectOf(settings, kind), hits, inner, compile)];
    }),
  );
}

type Inner = (hits: readonly Aggregated[]) => JsonObject;

function one(
  kind: string,
  settings: JsonObject,
  hits: readonly Aggregated[],
  inner: Inner,
  compile: CompileFilter,
): JsonObject {
  const values = () => hits.flatMap((hit) => [...valuesOf(hit, settings)]);
  switch (kind) {
    case "terms":
      return terms(settings, hits, inner);
    case "value_count":
      return { value: values().length };
    case "cardinality":
      return { value: new Set(values()).size };
    case "missing": {
      const without = hits.filter((hit) => valuesOf(hit, settings).length === 0);
      return { doc_count: without.length, ...inner(without) };
    }
    case "filter": {
      const matching = hits.filter(({ index, document }) => compile(index, settings)(document) !== undefined);
      return { doc_count: matching.length, ...inner(matching) };
    }
    case "max":
    case "min": {
      const numbers = values().map(Number);
      return { value: numbers.length === 0 ? null : Math[kind](...numbers) };
    }
    default:
      throw new NotSupported(`the aggregation [${kind}]`);
  }
}

function valuesOf({ index, document }: Aggregated, settings: JsonObject): readonly FieldValue[] {
  const path = String(settings.field);
  const field = index.mapping.fields.get(path);
  if (field?.type === "text")
    throw illegalArgument(
      `Fielddata is disabled on [${path}] in [${index.name}]. Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead.`,
    );
  return document.values.get(path) ?? [];
}

const TERMS_KEYS = ["field", "size", "min_doc_count", "order", "missing"];
const BUCKETS = 10;

function terms(settings: JsonObject, hits: readonly Aggregated[], inner: Inner): JsonObject {
  for (const key of Object.keys(settings)) {
    if (!TERMS_KEYS.includes(key)) throw new NotSupported(`[${key}] of a terms aggregation`);
  }
  if (settings.field === undefined)
    throw parsing("Required one of fields [field, script], but none were specified. ");
  const { size = BUCKETS, min_doc_count = 1, order = { _count: "desc" }, missing } = settings;
  const buckets = new Map<FieldValue, Aggregated[]>();
  for (const hit of hits) {
    const own = valuesOf(hit, settings);
    for (const value of new Set(own.length === 0 && missing !== undefined ? [String(missing)] : own)) {
      buckets.set(value, [...(buckets.get(value) ?? []), hit]);
    }
  }
  const all = [...buckets]
    .filter(([, members]) => members.length >= Number(min_doc_count))
    .sort(bucketOrder(order));
  const shown = all.slice(0, Number(size));
  const others = all.slice(shown.length).reduce((total, [, members]) => total + members.length, 0);
  return {
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: others,
    buckets: shown.map(([value, members]) => ({
      ...bucketKey(value),
      doc_count: members.length,
      ...inner(members),
    })),
  };
}

function bucketKey(value: FieldValue): JsonObject {
  if (typeof value === "boolean") return { key: Number(value), key_as_string: String(value) };
  return { key: value as Json };
}

type Bucket = readonly [key: FieldValue, members: readonly Aggregated[]];

function bucketOrder(order: Json): (one: Bucket, other: Bucket) => number {
  if (!isObject(order)) throw new NotSupported("several orders of a terms aggregation");
  const [by, direction] = onlyEntry(order, "order");
  if (by !== "_count" && by !== "_key") throw new NotSupported(`the order [${by}]`);
  const sign = direction === "asc" ? 1 : -1;
  const byKey = (one: Bucket, other: Bucket) => {
    if (one[0] === other[0]) return 0;
    return one[0] < other[0] ? -1 : 1;
  };
  return (one, other) =>
    by === "_key" ? sign * byKey(one, other) : sign * (one[1].length - other[1].length) || byKey(one, other);
}
