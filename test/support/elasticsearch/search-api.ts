/** Endpoints that search: search, msearch, count, points in time. */
import { aggregate } from "./aggregations.js";
import type { Cluster } from "./cluster.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { highlight } from "./highlight.js";
import { resolved, shards } from "./index-api.js";
import {
  isObject,
  type Json,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  onlyKeys,
  parseLines,
  stringOf,
  tokenOf,
} from "./json.js";
import type { Compiled, Match } from "./matcher.js";
import { compileQuery } from "./query.js";
import { type ApiRequest, endpoint, flag, ok, type Reply, type Route } from "./router.js";
import { compareSort, readSearchAfter, readSort, type SortKey, sortValues } from "./sort.js";
import { filterSource, readFields, sourceSetting } from "./source-filter.js";
import { durationMs, PRIMARY_TERM, type Snapshot, type StoredDocument } from "./stored-index.js";

export const SEARCH_ROUTES: readonly Route[] = [
  ...endpoint(
    "search",
    ["POST /{index}/_search", "GET /{index}/_search", "POST /_search", "GET /_search"],
    (request, cluster) => ok(search(request, request.body(), cluster)),
  ),
  ...endpoint("msearch", ["POST /_msearch", "POST /{index}/_msearch"], multiSearch),
  ...endpoint("count", ["POST /{index}/_count", "GET /{index}/_count", "POST /_count", "GET /_count"], count),
  ...endpoint("open_point_in_time", ["POST /{index}/_pit"], openPointInTime),
  ...endpoint("close_point_in_time", ["DELETE /_pit"], closePointInTime),
];

const KEYS = [
  "query",
  "knn",
  "from",
  "size",
  "sort",
  "search_after",
  "pit",
  "track_total_hits",
  "track_scores",
  "_source",
  "fields",
  "highlight",
  "explain",
  "aggs",
  "aggregations",
  "min_score",
  "seq_no_primary_term",
  "version",
  "timeout",
  "terminate_after",
];

const OTHER_KEYS = [
  "collapse",
  "docvalue_fields",
  "ext",
  "indices_boost",
  "post_filter",
  "profile",
  "rank",
  "rescore",
  "retriever",
  "runtime_mappings",
  "script_fields",
  "slice",
  "stats",
  "stored_fields",
  "suggest",
];

const SIZE = 10;

/** The last hit that can be paged to, as `index.max_result_window`. */
const WINDOW = 10_000;

interface Hit {
  readonly snapshot: Snapshot;
  readonly document: StoredDocument;
  readonly match: Match;
  readonly score: number;
  readonly place: number;
  readonly sort: readonly Json[];
  readonly compiled: readonly Compiled[];
}

function search(
  request: Pick<ApiRequest, "query" | "params">,
  body: JsonObject,
  cluster: Cluster,
): JsonObject {
  checkKeys(body);
  const window = readWindow(body, request.query);
  const snapshots = snapshotsFor(request, body, cluster);
  const keys = readSort(body.sort ?? sortOfQuery(request.query), body.pit !== undefined);
  const after = readSearchAfter(body.search_after, keys);
  const found = onShards(snapshots, () => findHits(snapshots, body, keys));
  const ordered = found.sort((one, other) => compareHits(keys, one, other));
  const rest = after === undefined ? ordered : ordered.filter((hit) => isAfter(keys, hit.sort, after));
  const shown = rest.slice(window.from, window.from + window.size);
  const byScore =
    keys.length === 0 || keys.some(({ field }) => field === "_score") || body.track_scores === true;
  const aggs = body.aggs ?? body.aggregations;
  return {
    ...(body.pit === undefined ? {} : { pit_id: objectOf(body.pit, "pit").id! }),
    took: 0,
    timed_out: false,
    _shards: { total: snapshots.length, successful: snapshots.length, skipped: 0, failed: 0 },
    hits: {
      ...total(body.track_total_hits, found.length),
      max_score:
        byScore && window.size > 0 && found.length > 0 ? Math.max(...found.map(({ score }) => score)) : null,
      hits: onShards(snapshots, () =>
        shown.map((hit) => renderHit(hit, body, request.query, keys.length > 0, byScore)),
      ),
    },
    ...(aggs === undefined
      ? {}
      : {
          aggregations: onShards(snapshots, () =>
            aggregate(
              objectOf(aggs, "aggs"),
              found.map(({ snapshot, document }) => ({ index: snapshot.index, document })),
              (index, query) => compileQuery(index.visible, query).match,
            ),
          ),
        }),
  };
}

function checkKeys(body: JsonObject): void {
  for (const [key, value] of Object.entries(body)) {
    if (OTHER_KEYS.includes(key)) throw new NotSupported(`[${key}] of a search`);
    if (!KEYS.includes(key))
      throw new ElasticsearchError(
        400,
        "parsing_exception",
        `Unknown key for a ${tokenOf(value)} in [${key}].`,
        {
          line: 1,
          col: 2,
        },
      );
  }
}

function readWindow(body: JsonObject, query: URLSearchParams): { from: number; size: number } {
  const from = numberOf(body.from, Number(query.get("from") ?? 0), "from");
  const size = numberOf(body.size, Number(query.get("size") ?? SIZE), "size");
  if (from < 0) throw illegalArgument(`[from] parameter cannot be negative but was [${from}]`);
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  if (from + size > WINDOW)
    throw illegalArgument(
      `Result window is too large, from + size must be less than or equal to: [${WINDOW}] but was [${from + size}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
    );
  if (from > 0 && body.search_after !== undefined)
    throw illegalArgument("`from` parameter must be set to 0 when `search_after` is used.");
  return { from, size };
}

function sortOfQuery(query: URLSearchParams): Json | undefined {
  return query.get("sort")?.split(",");
}

function snapshotsFor(
  request: Pick<ApiRequest, "query" | "params">,
  body: JsonObject,
  cluster: Cluster,
): readonly Snapshot[] {
  if (body.pit !== undefined) {
    if (request.params.index !== undefined)
      throw validation(
        "[indices] cannot be used with point in time. Do not specify any index with point in time.",
      );
    return snapshotsOfPoint(objectOf(body.pit, "pit"), cluster);
  }
  const indices = resolved(request as ApiRequest, cluster);
  const red = indices.filter(({ health }) => health === "red");
  if (red.length > 0)
    throw allShardsFailed(red[0]!.name, {
      status: 503,
      item: { type: "no_shard_available_action_exception", reason: "" },
    });
  return indices.map((index) => index.visible);
}

function validation(problem: string): ElasticsearchError {
  return new ElasticsearchError(
    400,
    "action_request_validation_exception",
    `Validation Failed: 1: ${problem};`,
  );
}

/** Errors that only a shard notices are told as failures of the phase, with the shard's error inside. */
function onShards<Result>(snapshots: readonly Snapshot[], work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const isShards =
      error instanceof ElasticsearchError &&
      (error.type === "query_shard_exception" || error.reason.startsWith("Fielddata"));
    if (!isShards) throw error;
    throw allShardsFailed(snapshots[0]?.index.name ?? "", error);
  }
}

function allShardsFailed(
  index: string,
  { status, item }: Pick<ElasticsearchError, "status" | "item">,
): ElasticsearchError {
  return new ElasticsearchError(status, "search_phase_execution_exception", "all shards failed", {
    phase: "query",
    grouped: true,
    failed_shards: [{ shard: 0, index, node: "node-1", reason: { ...item, index } }],
    caused_by: item,
  });
}

function findHits(snapshots: readonly Snapshot[], body: JsonObject, keys: readonly SortKey[]): Hit[] {
  const hits: Hit[] = [];
  let offset = 0;
  for (const snapshot of snapshots) {
    const clauses = clausesOf(snapshot, body);
    for (const [at, document] of snapshot.documents.entries()) {
      const matches = clauses.map(({ match }) => match(document)).filter((match) => match !== undefined);
      const match = together(matches);
      if (match === undefined || match.score < Number(body.min_score ?? 0)) continue;
      const place = offset + at;
      const sort = sortValues(keys, { index: snapshot.index, document, score: match.score, place });
      hits.push({ snapshot, document, match, score: match.score, place, sort, compiled: clauses });
    }
    offset += snapshot.documents.length;
  }
  return hits;
}

/** The query and the nearest neighbours: a document that any of them finds is a hit, with their scores added. */
function clausesOf(snapshot: Snapshot, body: JsonObject): Compiled[] {
  const clauses = listOf(body.knn).map((knn) => compileQuery(snapshot, { knn }));
  if (body.query !== undefined) clauses.unshift(compileQuery(snapshot, body.query));
  else if (clauses.length === 0) clauses.push(compileQuery(snapshot, { match_all: {} }));
  return clauses;
}

function together(matches: readonly Match[]): Match | undefined {
  const [first, ...others] = matches;
  if (first === undefined || others.length === 0) return first;
  const score = Math.fround(matches.reduce((sum, match) => sum + match.score, 0));
  return {
    score,
    names: new Map(matches.flatMap(({ names }) => [...names])),
    explain: () => ({
      value: score,
      description: "sum of:",
      details: matches.map((match) => match.explain()),
    }),
  };
}

function compareHits(keys: readonly SortKey[], one: Hit, other: Hit): number {
  const order = keys.length === 0 ? other.score - one.score : compareSort(keys, one.sort, other.sort);
  return order || one.place - other.place;
}

function isAfter(keys: readonly SortKey[], sort: readonly Json[], after: readonly Json[]): boolean {
  return compareSort(keys.slice(0, after.length), sort, after) > 0;
}

/** Hits are counted exactly up to this, unless asked otherwise. */
const TOTAL_COUNTED = 10_000;

function total(setting: Json | undefined, found: number): JsonObject {
  if (setting === false) return {};
  const limit = setting === true ? Number.POSITIVE_INFINITY : Number(setting ?? TOTAL_COUNTED);
  return { total: { value: Math.min(found, limit), relation: found > limit ? "gte" : "eq" } };
}

function renderHit(
  hit: Hit,
  body: JsonObject,
  query: URLSearchParams,
  sorted: boolean,
  scored: boolean,
): JsonObject {
  const { document, match } = hit;
  const { index } = hit.snapshot;
  const source = filterSource(document.source, body._source ?? sourceSetting(query));
  const fields = body.fields === undefined ? {} : readFields(index, document, body.fields);
  const marks = hit.compiled.flatMap((compiled) => compiled.marks);
  const highlighted =
    body.highlight === undefined
      ? {}
      : highlight(index, document, objectOf(body.highlight, "highlight"), marks);
  const explained = match.explain;
  return {
    ...(body.explain === true ? { _shard: `[${index.name}][0]`, _node: "node-1" } : {}),
    _index: index.name,
    _id: document.id,
    ...(body.version === true ? { _version: document.version } : {}),
    ...(body.seq_no_primary_term === true ? { _seq_no: document.seqNo, _primary_term: PRIMARY_TERM } : {}),
    _score: scored ? hit.score : null,
    ...(document.routing === undefined ? {} : { _routing: document.routing }),
    ...(source === undefined ? {} : { _source: source }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    ...(Object.keys(highlighted).length === 0 ? {} : { highlight: highlighted }),
    ...(sorted ? { sort: hit.sort } : {}),
    ...(match.names.size === 0 ? {} : { matched_queries: namedQueries(match, query) }),
    ...(body.explain === true ? { _explanation: explained() as unknown as JsonObject } : {}),
  };
}

function namedQueries({ names }: Match, query: URLSearchParams): Json {
  return flag(query, "include_named_queries_score", false) ? Object.fromEntries(names) : [...names.keys()];
}

function multiSearch(request: ApiRequest, cluster: Cluster): Reply {
  const lines = parseLines(request.text);
  const responses: Json[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [header, body] = [lines[at]!, lines[at + 1]];
    if (body === undefined)
      throw illegalArgument("The msearch request must be terminated by a newline [\\n]");
    const index = header.index === undefined ? request.params.index : listOf(header.index).join(",");
    try {
      const one = { query: request.query, params: index === undefined ? {} : { index } };
      responses.push({ ...search(one, body, cluster), status: 200 });
    } catch (error) {
      if (!(error instanceof ElasticsearchError)) throw error;
      responses.push(error.body);
    }
  }
  return ok({ took: 0, responses });
}

function count(request: ApiRequest, cluster: Cluster): Reply {
  const body = request.body();
  onlyKeys(body, ["query"], "count");
  const snapshots = snapshotsFor(request, {}, cluster);
  const found = onShards(snapshots, () => findHits(snapshots, body, []));
  return ok({ count: found.length, _shards: { ...shards(snapshots.length), skipped: 0 } });
}

function openPointInTime(request: ApiRequest, cluster: Cluster): Reply {
  const keepAlive = readKeepAlive(request.query.get("keep_alive"));
  const snapshots = snapshotsFor(request, {}, cluster);
  const id = Buffer.from(`point-in-time-${cluster.nextId()}`).toString("base64");
  cluster.pointsInTime.set(id, { snapshots, keepUntilMs: cluster.clock.now() + keepAlive });
  return ok({ id, _shards: { ...shards(snapshots.length), skipped: 0 } });
}

function readKeepAlive(text: string | null): number {
  if (text === null) throw validation("[keep_alive] is not specified");
  const keepAlive = durationMs(text);
  if (keepAlive === undefined)
    throw illegalArgument(
      `failed to parse setting [keep_alive] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  return keepAlive;
}

/** The snapshots of a point in time that is still kept; asking for it keeps it longer. */
function snapshotsOfPoint(pit: JsonObject, cluster: Cluster): readonly Snapshot[] {
  onlyKeys(pit, ["id", "keep_alive"], "pit");
  const id = stringOf(pit.id, "id");
  const point = cluster.pointsInTime.get(id);
  const now = cluster.clock.now();
  if (point === undefined || point.keepUntilMs < now)
    throw allShardsFailed("", {
      status: 404,
      item: { type: "search_context_missing_exception", reason: `No search context found for id [${id}]` },
    });
  if (pit.keep_alive !== undefined)
    point.keepUntilMs = now + readKeepAlive(stringOf(pit.keep_alive, "keep_alive"));
  return point.snapshots;
}

function closePointInTime({ body }: ApiRequest, cluster: Cluster): Reply {
  const request = body();
  onlyKeys(request, ["id"], "close_point_in_time");
  if (isObject(request.id) || request.id === undefined) throw illegalArgument("[id] cannot be null or empty");
  const closed = cluster.pointsInTime.delete(String(request.id));
  return ok({ succeeded: true, num_freed: closed ? 1 : 0 }, closed ? 200 : 404);
}
