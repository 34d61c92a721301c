/** Endpoints that search: search, count, points in time. */
import type { Cluster } from "./cluster.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { resolved, shards } from "./index-api.js";
import {
  isObject,
  type Json,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  onlyEntry,
  onlyKeys,
  stringOf,
} from "./json.js";
import { comparable, compileQuery, nearest, type Score } from "./query.js";
import { type ApiRequest, endpoint, ok, type Reply, type Route } from "./router.js";
import { durationMs, PRIMARY_TERM, type Snapshot, type StoredDocument } from "./stored-index.js";

export const SEARCH_ROUTES: readonly Route[] = [
  ...endpoint(
    "search",
    ["POST /{index}/_search", "GET /{index}/_search", "POST /_search"],
    (request, cluster) => ok(search(request, request.body(), cluster)),
  ),
  ...endpoint("count", ["POST /{index}/_count", "GET /{index}/_count"], count),
  ...endpoint("open_point_in_time", ["POST /{index}/_pit"], openPointInTime),
  ...endpoint("close_point_in_time", ["DELETE /_pit"], closePointInTime),
];

/** What a search of ours says. Highlights are left to the real node. */
const KEYS = [
  ...["query", "knn", "size", "sort", "search_after", "pit", "track_total_hits", "_source", "fields"],
  ...["highlight", "explain", "aggs", "seq_no_primary_term", "terminate_after"],
];

const SIZE = 10;

interface Hit {
  readonly index: string;
  readonly document: StoredDocument;
  readonly score: number;
  readonly sort: readonly Json[];
}

function search(request: ApiRequest, body: JsonObject, cluster: Cluster): JsonObject {
  onlyKeys(body, KEYS, "search");
  const snapshots = snapshotsFor(request, body, cluster);
  const keys = listOf(body.sort).map(readKey);
  const after = body.search_after === undefined ? undefined : listOf(body.search_after);
  const found = findHits(snapshots, body, keys);
  const rest = after === undefined ? found : found.filter(({ sort }) => compareSort(keys, sort, after) > 0);
  const shown = rest.slice(0, numberOf(body.size, SIZE, "size"));
  return {
    ...(body.pit === undefined ? {} : { pit_id: objectOf(body.pit, "pit").id! }),
    took: 0,
    timed_out: false,
    _shards: { ...shards(snapshots.length), skipped: 0 },
    hits: {
      ...(body.track_total_hits === false ? {} : { total: { value: found.length, relation: "eq" } }),
      max_score: null,
      hits: shown.map((hit) => renderHit(hit, body, keys.length > 0)),
    },
    ...(body.aggs === undefined ? {} : { aggregations: aggregate(objectOf(body.aggs, "aggs"), found) }),
  };
}

function snapshotsFor(request: ApiRequest, body: JsonObject, cluster: Cluster): readonly Snapshot[] {
  return body.pit === undefined
    ? resolved(request, cluster).map((index) => index.visible)
    : snapshotsOfPoint(objectOf(body.pit, "pit"), cluster);
}

function findHits(snapshots: readonly Snapshot[], body: JsonObject, keys: readonly SortKey[]): Hit[] {
  let place = 0;
  const hits = snapshots.flatMap((snapshot) => {
    const score = scoreOf(snapshot, body);
    return snapshot.documents.flatMap((document): Hit[] => {
      place += 1;
      const value = score(document);
      if (value === undefined) return [];
      const sort = keys.map(({ field }) =>
        field === SHARD_DOC ? place : sortValue(snapshot, document, field),
      );
      return [{ index: snapshot.index.name, document, score: value, sort }];
    });
  });
  return hits.sort((one, other) =>
    keys.length === 0 ? other.score - one.score : compareSort(keys, one.sort, other.sort),
  );
}

function scoreOf(snapshot: Snapshot, { query, knn }: JsonObject): Score {
  return knn === undefined
    ? compileQuery(snapshot, query ?? { match_all: {} })
    : nearest(snapshot, objectOf(knn, "knn"));
}

/** The place of a document in a point in time. */
const SHARD_DOC = "_shard_doc";

interface SortKey {
  readonly field: string;
  readonly descending: boolean;
  readonly missingFirst: boolean;
}

function readKey(value: Json): SortKey {
  if (!isObject(value)) throw new NotSupported("a sort that is no object");
  const [field, setting] = onlyEntry(value, "sort");
  const { order, missing } = isObject(setting) ? setting : { order: setting };
  return { field, descending: order === "desc", missingFirst: missing === "_first" };
}

function sortValue(snapshot: Snapshot, document: StoredDocument, field: string): Json {
  const [value] = snapshot.valuesOf(document, field).map(comparable);
  return value ?? null;
}

function compareSort(keys: readonly SortKey[], one: readonly Json[], other: readonly Json[]): number {
  for (const [i, { descending, missingFirst }] of keys.entries()) {
    const [a, b] = [one[i]!, other[i]!];
    if (a === b) continue;
    if (a === null || b === null) return (a === null) === missingFirst ? -1 : 1;
    return a < b === descending ? 1 : -1;
  }
  return 0;
}

function renderHit({ document, index, score, sort }: Hit, body: JsonObject, sorted: boolean): JsonObject {
  const source = filterSource(document.source, body._source);
  const fields = filterSource(document.source, body.fields ?? false);
  return {
    _index: index,
    _id: document.id,
    _score: sorted ? null : score,
    ...(source === undefined ? {} : { _source: source }),
    ...(fields === undefined ? {} : { fields }),
    ...(body.seq_no_primary_term === true ? { _seq_no: document.seqNo, _primary_term: PRIMARY_TERM } : {}),
    ...(sorted ? { sort } : {}),
  };
}

/** The fields of a document that `setting` names; `undefined` when it asks for none. */
export function filterSource(source: JsonObject, setting: Json | undefined): JsonObject | undefined {
  if (setting === undefined || setting === true) return source;
  if (setting === false) return undefined;
  const wanted = listOf(isObject(setting) ? setting.includes : setting);
  if (wanted.includes("*")) return source;
  return Object.fromEntries(Object.entries(source).filter(([field]) => wanted.includes(field)));
}

function aggregate(aggs: JsonObject, hits: readonly Hit[]): JsonObject {
  const results = Object.entries(aggs).map(([name, asked]): [string, JsonObject] => {
    const [kind, body] = onlyEntry(objectOf(asked, name), name);
    const { field, min_doc_count: least = 1 } = objectOf(body, kind);
    const values = hits.flatMap(({ document }) => listOf(document.source[String(field)]));
    if (kind === "value_count") return [name, { value: values.length }];
    const most = () => Math.max(...values.map((value) => Number(comparable(value))));
    if (kind === "max") return [name, { value: values.length === 0 ? null : most() }];
    if (kind !== "terms") throw new NotSupported(`the aggregation [${kind}]`);
    const counts = new Map<Json, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const buckets = [...counts].filter(([, times]) => times >= Number(least));
    return [name, { buckets: buckets.map(([key, doc_count]) => ({ key, doc_count })) }];
  });
  return Object.fromEntries(results);
}

function count(request: ApiRequest, cluster: Cluster): Reply {
  const body = request.body();
  onlyKeys(body, ["query"], "count");
  const snapshots = snapshotsFor(request, {}, cluster);
  const found = findHits(snapshots, body, []);
  return ok({ count: found.length, _shards: { ...shards(snapshots.length), skipped: 0 } });
}

function openPointInTime(request: ApiRequest, cluster: Cluster): Reply {
  const keepUntilMs = cluster.clock.now() + keepAlive(request.query.get("keep_alive"));
  const id = Buffer.from(`point-in-time-${cluster.nextId()}`).toString("base64");
  cluster.pointsInTime.set(id, { snapshots: snapshotsFor(request, {}, cluster), keepUntilMs });
  return ok({ id, _shards: { ...shards(1), skipped: 0 } });
}

function keepAlive(text: string | null): number {
  const ms = text === null ? undefined : durationMs(text);
  if (ms === undefined) throw illegalArgument(`[keep_alive] is not a time value: [${text}]`);
  return ms;
}

/** The snapshots of a point in time that is still kept; asking for it keeps it longer. */
function snapshotsOfPoint(pit: JsonObject, cluster: Cluster): readonly Snapshot[] {
  const id = stringOf(pit.id, "id");
  const point = cluster.pointsInTime.get(id);
  const now = cluster.clock.now();
  if (point === undefined || point.keepUntilMs < now)
    throw new ElasticsearchError(
      404,
      "search_context_missing_exception",
      `No search context found for id [${id}]`,
    );
  if (pit.keep_alive !== undefined)
    point.keepUntilMs = now + keepAlive(stringOf(pit.keep_alive, "keep_alive"));
  return point.snapshots;
}

function closePointInTime({ body }: ApiRequest, cluster: Cluster): Reply {
  const closed = cluster.pointsInTime.delete(String(body().id));
  return ok({ succeeded: true, num_freed: closed ? 1 : 0 }, closed ? 200 : 404);
}
