/** The order of hits: by score, by fields with their missing values, and after a given place. */
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { isList, isObject, type Json, type JsonObject, listOf, onlyEntry } from "./json.js";
import type { StoredDocument, StoredIndex } from "./stored-index.js";

export interface Sortable {
  readonly index: StoredIndex;
  readonly document: StoredDocument;
  readonly score: number;
  /** The place in the index, which decides between equals. */
  readonly place: number;
}

export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
  readonly missing: Json;
  /** Whether an index without the field sorts as if it was missing. */
  readonly mayBeUnmapped: boolean;
}

/** The place itself, for paging through a point in time. */
const SHARD_DOC = "_shard_doc";

/** Reads `sort`; without one hits come by score. A point in time adds its tie breaker. */
export function readSort(sort: Json | undefined, hasPointInTime: boolean): SortKey[] {
  const keys = listOf(sort).map(readKey);
  if (hasPointInTime && keys.length > 0 && !keys.some(({ field }) => field === SHARD_DOC))
    keys.push({ field: SHARD_DOC, descending: false, missing: "_last", mayBeUnmapped: false });
  if (!hasPointInTime && keys.some(({ field }) => field === SHARD_DOC))
    throw illegalArgument("[_shard_doc] sort field cannot be used without [point in time]");
  return keys;
}

function readKey(value: Json): SortKey {
  if (typeof value === "string") {
    const [field = "", order] = value.split(":");
    return {
      field,
      descending: order === undefined ? field === "_score" : order === "desc",
      missing: "_last",
      mayBeUnmapped: false,
    };
  }
  if (!isObject(value))
    throw illegalArgument(
      `malformed sort format, within the sort array, an object, or an actual string are allowed`,
    );
  const [field, body] = onlyEntry(value, "sort");
  const settings: JsonObject = isObject(body) ? body : { order: body };
  const { order = field === "_score" ? "desc" : "asc", missing = "_last", unmapped_type, ...rest } = settings;
  const [other] = Object.keys(rest);
  if (other !== undefined) throw new NotSupported(`[${other}] of a sort`);
  if (order !== "asc" && order !== "desc") throw illegalArgument(`Unknown SortOrder [${String(order)}]`);
  return { field, descending: order === "desc", missing, mayBeUnmapped: unmapped_type !== undefined };
}

/** The values that a hit sorts by. */
export function sortValues(keys: readonly SortKey[], hit: Sortable): Json[] {
  return keys.map((key) => {
    if (key.field === "_score") return hit.score;
    if (key.field === SHARD_DOC || key.field === "_doc") return hit.place;
    if (key.field === "_id")
      throw illegalArgument(
        "Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled",
      );
    return fieldValue(key, hit);
  });
}

function fieldValue(key: SortKey, { index, document }: Sortable): Json {
  const field = index.mapping.fields.get(key.field);
  if (field === undefined && key.mayBeUnmapped) return missingValue(key);
  if (field === undefined)
    throw new ElasticsearchError(
      400,
      "query_shard_exception",
      `No mapping found for [${key.field}] in order to sort on`,
    );
  if (field.type === "text")
    throw illegalArgument(
      `Fielddata is disabled on [${key.field}] in [${index.name}]. Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead.`,
    );
  const values = [...(document.values.get(key.field) ?? [])].map((value) =>
    typeof value === "boolean" ? Number(value) : value,
  ) as (string | number)[];
  values.sort((one, other) => compareValues(one, other));
  const value = key.descending ? values.at(-1) : values[0];
  return value ?? missingValue(key);
}

function missingValue(key: SortKey): Json {
  return key.missing === "_last" || key.missing === "_first" ? null : key.missing;
}

/** Orders two lists of sort values. */
export function compareSort(keys: readonly SortKey[], one: readonly Json[], other: readonly Json[]): number {
  for (const [index, key] of keys.entries()) {
    const [a, b] = [one[index]!, other[index]!];
    if (a === b) continue;
    if (a === null || b === null) {
      const nullFirst = key.missing === "_first";
      return (a === null) === nullFirst ? -1 : 1;
    }
    const order = compareValues(a as string | number, b as string | number);
    if (order !== 0) return key.descending ? -order : order;
  }
  return 0;
}

function compareValues(one: string | number, other: string | number): number {
  if (one === other) return 0;
  if (typeof one === "string" || typeof other === "string") {
    return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
  }
  return one < other ? -1 : 1;
}

/** Checks `search_after` against the sort. */
export function readSearchAfter(
  after: Json | undefined,
  keys: readonly SortKey[],
): readonly Json[] | undefined {
  if (after === undefined) return undefined;
  if (!isList(after) || after.length === 0) throw illegalArgument("Values must contains at least one value.");
  const implied = keys.at(-1)?.field === SHARD_DOC && after.length === keys.length - 1;
  if (!implied && after.length !== keys.length)
    throw illegalArgument(`search_after has ${after.length} value(s) but sort has ${keys.length}.`);
  return after;
}
