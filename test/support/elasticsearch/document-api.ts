/** Endpoints of single documents: index, create, update, delete, get, mget. */
import type { Cluster } from "./cluster.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { isObject, type Json, type JsonObject, listOf, objectOf, onlyKeys } from "./json.js";
import { type ApiRequest, endpoint, ok, optionalNumber, type Reply, type Route } from "./router.js";
import { filterSource } from "./search-api.js";
import {
  PRIMARY_TERM,
  type StoredDocument,
  type StoredIndex,
  type WriteOptions,
  type Written,
} from "./stored-index.js";

export const DOCUMENT_ROUTES: readonly Route[] = [
  ...endpoint("index", ["PUT /{index}/_doc/{id}", "POST /{index}/_doc"], (request, cluster) =>
    put(request, cluster, false),
  ),
  ...endpoint("create", ["PUT /{index}/_create/{id}"], (request, cluster) => put(request, cluster, true)),
  ...endpoint("update", ["POST /{index}/_update/{id}"], update),
  ...endpoint("delete", ["DELETE /{index}/_doc/{id}"], remove),
  ...endpoint("get", ["GET /{index}/_doc/{id}"], get),
  ...endpoint("mget", ["POST /{index}/_mget"], mget),
];

/** Longest id, in bytes of UTF-8. */
const ID_BYTES_MAX = 512;

function writeOptions(query: URLSearchParams): WriteOptions {
  return {
    ifSeqNo: optionalNumber(query, "if_seq_no"),
    ifPrimaryTerm: optionalNumber(query, "if_primary_term"),
  };
}

function put({ params, query, body }: ApiRequest, cluster: Cluster, create: boolean): Reply {
  const target = cluster.writeTarget(params.index!);
  const id = params.id ?? `doc${cluster.nextId()}`;
  checkId(id);
  const written = target.write(id, body(), { ...writeOptions(query), create });
  applyRefresh(target, query.get("refresh"));
  return ok(renderWritten(target, id, written), written.result === "created" ? 201 : 200);
}

export function checkId(id: string): void {
  const bytes = Buffer.byteLength(id);
  if (bytes > ID_BYTES_MAX)
    throw illegalArgument(
      `id [${id}] is too long, must be no longer than ${ID_BYTES_MAX} bytes but was: ${bytes}`,
    );
}

/** `refresh`: before the answer, or not at all; the next periodic one is not waited for, which would only cost time. */
export function applyRefresh(target: StoredIndex, refresh: string | null): void {
  if (refresh !== null && refresh !== "false") target.refresh();
}

export function renderWritten(target: StoredIndex, id: string, written: Written): JsonObject {
  return {
    _index: target.name,
    _id: id,
    _version: written.version,
    result: written.result,
    _shards: { total: 2, successful: 1, failed: 0 },
    _seq_no: written.seqNo,
    _primary_term: PRIMARY_TERM,
  };
}

function remove({ params, query }: ApiRequest, cluster: Cluster): Reply {
  const target = cluster.writeTarget(params.index!);
  const written = target.remove(params.id!, writeOptions(query));
  applyRefresh(target, query.get("refresh"));
  return ok(renderWritten(target, params.id!, written), written.result === "deleted" ? 200 : 404);
}

function update({ params, query, body }: ApiRequest, cluster: Cluster): Reply {
  const target = cluster.writeTarget(params.index!);
  const written = updateDocument(target, params.id!, body(), writeOptions(query));
  applyRefresh(target, query.get("refresh"));
  return ok(renderWritten(target, params.id!, written));
}

/** A partial update: `doc` merged into what is stored. */
export function updateDocument(
  target: StoredIndex,
  id: string,
  request: JsonObject,
  options: WriteOptions,
): Written {
  const { doc, ...rest } = request;
  if (Object.keys(rest).length > 0) throw new NotSupported(`[${Object.keys(rest)[0]}] of an update`);
  const before = target.documents.get(id);
  if (before === undefined)
    throw new ElasticsearchError(404, "document_missing_exception", `[${id}]: document missing`, {
      index: target.name,
    });
  target.requireUnchanged(id, options);
  const merged = merge(before.source, objectOf(doc, "doc"));
  if (JSON.stringify(merged) === JSON.stringify(before.source))
    return { result: "noop", seqNo: before.seqNo, version: before.version };
  return target.write(id, merged, options);
}

function merge(into: JsonObject, from: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...into };
  for (const [key, value] of Object.entries(from)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

/** Reads what was written last, whether a search can see it yet or not. */
function get({ params, query }: ApiRequest, cluster: Cluster): Reply {
  const target = cluster.single(params.index!);
  const document = target.documents.get(params.id!);
  const includes = query.get("_source_includes")?.split(",");
  return ok(renderGot(target, params.id!, document, includes), document === undefined ? 404 : 200);
}

function renderGot(
  target: StoredIndex,
  id: string,
  document: StoredDocument | undefined,
  includes?: readonly string[],
): JsonObject {
  if (document === undefined) return { _index: target.name, _id: id, found: false };
  const source = filterSource(document.source, includes);
  return {
    _index: target.name,
    _id: id,
    _version: document.version,
    _seq_no: document.seqNo,
    _primary_term: PRIMARY_TERM,
    found: true,
    ...(source === undefined ? {} : { _source: source }),
  };
}

function mget({ params, body }: ApiRequest, cluster: Cluster): Reply {
  const request = body();
  onlyKeys(request, ["ids"], "mget");
  const target = cluster.single(params.index!);
  const ids = listOf(request.ids).map(String);
  return ok({ docs: ids.map((id) => renderGot(target, id, target.documents.get(id))) });
}
