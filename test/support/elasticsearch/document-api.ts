/** Endpoints of single documents: index, create, update, delete, get, mget. */
import type { Cluster } from "./cluster.js";
import { ElasticsearchError, illegalArgument, indexNotFound, NotSupported } from "./errors.js";
import { isObject, type Json, type JsonObject, listOf, objectOf, onlyKeys } from "./json.js";
import { type ApiRequest, endpoint, ok, optionalNumber, type Reply, type Route } from "./router.js";
import { filterSource, sourceSetting } from "./source-filter.js";
import {
  PRIMARY_TERM,
  type StoredDocument,
  type StoredIndex,
  type WriteOptions,
  type Written,
} from "./stored-index.js";

export const DOCUMENT_ROUTES: readonly Route[] = [
  ...endpoint("index", ["PUT /{index}/_doc/{id}", "POST /{index}/_doc/{id}", "POST /{index}/_doc"], index),
  ...endpoint("create", ["PUT /{index}/_create/{id}", "POST /{index}/_create/{id}"], (request, cluster) =>
    put(request, cluster, true),
  ),
  ...endpoint("update", ["POST /{index}/_update/{id}"], update),
  ...endpoint("delete", ["DELETE /{index}/_doc/{id}"], remove),
  ...endpoint("get", ["GET /{index}/_doc/{id}"], (request, cluster) => get(request, cluster)),
  ...endpoint("exists", ["HEAD /{index}/_doc/{id}"], (request, cluster) => ({
    ...get(request, cluster),
    body: null,
  })),
  ...endpoint("mget", ["POST /{index}/_mget", "GET /{index}/_mget", "POST /_mget", "GET /_mget"], mget),
];

/** Longest id, in bytes of UTF-8. */
const ID_BYTES_MAX = 512;

function writeOptions(query: URLSearchParams): WriteOptions {
  if (query.has("version") || query.has("version_type")) throw new NotSupported("external versions");
  return {
    routing: query.get("routing") ?? undefined,
    ifSeqNo: optionalNumber(query, "if_seq_no"),
    ifPrimaryTerm: optionalNumber(query, "if_primary_term"),
  };
}

function index(request: ApiRequest, cluster: Cluster): Promise<Reply> {
  return put(request, cluster, request.query.get("op_type") === "create");
}

async function put(request: ApiRequest, cluster: Cluster, create: boolean): Promise<Reply> {
  const { params, query } = request;
  const source = request.body();
  const target = cluster.writeTarget(params.index!, query.get("require_alias") === "true");
  const id = params.id ?? cluster.nextDocumentId();
  checkId(id);
  const written = target.write(id, source, { ...writeOptions(query), create });
  await applyRefresh(target, query.get("refresh"));
  return ok(renderWritten(target, id, written), written.result === "created" ? 201 : 200);
}

export function checkId(id: string): void {
  const bytes = Buffer.byteLength(id);
  if (bytes > ID_BYTES_MAX)
    throw illegalArgument(
      `id [${id}] is too long, must be no longer than ${ID_BYTES_MAX} bytes but was: ${bytes}`,
    );
}

/** `refresh`: now, before the answer, or not at all. */
export async function applyRefresh(target: StoredIndex, refresh: string | null): Promise<void> {
  if (refresh === "true" || refresh === "") target.refresh();
  else if (refresh === "wait_for") await target.refreshed();
  else if (refresh !== null && refresh !== "false")
    throw illegalArgument(`Unknown value for refresh: [${refresh}].`);
}

export function renderWritten(target: StoredIndex, id: string, written: Written): JsonObject {
  return {
    _index: target.name,
    _id: id,
    _version: written.version,
    result: written.result,
    _shards:
      written.result === "noop"
        ? { total: 0, successful: 0, failed: 0 }
        : { total: 2, successful: 1, failed: 0 },
    _seq_no: written.seqNo,
    _primary_term: PRIMARY_TERM,
  };
}

async function remove({ params, query }: ApiRequest, cluster: Cluster): Promise<Reply> {
  const target = cluster.writeTarget(params.index!);
  const written = target.remove(params.id!, writeOptions(query));
  await applyRefresh(target, query.get("refresh"));
  return ok(renderWritten(target, params.id!, written), written.result === "deleted" ? 200 : 404);
}

async function update({ params, query, body }: ApiRequest, cluster: Cluster): Promise<Reply> {
  const target = cluster.writeTarget(params.index!);
  const written = updateDocument(target, params.id!, body(), writeOptions(query));
  await applyRefresh(target, query.get("refresh"));
  return ok(renderWritten(target, params.id!, written), written.result === "created" ? 201 : 200);
}

const UPDATE_KEYS = [
  "doc",
  "doc_as_upsert",
  "upsert",
  "script",
  "scripted_upsert",
  "detect_noop",
  "_source",
  "if_seq_no",
  "if_primary_term",
];

/** A partial update: `doc` merged into what is stored, or `upsert` where nothing is. */
export function updateDocument(
  target: StoredIndex,
  id: string,
  request: JsonObject,
  options: WriteOptions,
): Written {
  onlyKeys(request, UPDATE_KEYS, "UpdateRequest");
  if (request.script !== undefined) {
    if (target.hasSemanticText)
      throw new ElasticsearchError(
        400,
        "status_exception",
        "Cannot apply update with a script on indices that contain [semantic_text] field(s)",
      );
    throw new NotSupported("scripted updates");
  }
  if (request.doc === undefined)
    throw new ElasticsearchError(
      400,
      "action_request_validation_exception",
      "Validation Failed: 1: script or doc is missing;",
    );
  const doc = objectOf(request.doc, "doc");
  const before = target.documents.get(id);
  if (before === undefined) {
    const upsert = request.doc_as_upsert === true ? doc : request.upsert;
    if (upsert === undefined)
      throw new ElasticsearchError(404, "document_missing_exception", `[${id}]: document missing`, {
        index_uuid: "_na_",
        shard: "0",
        index: target.name,
      });
    return target.write(id, objectOf(upsert, "upsert"), options);
  }
  target.requireUnchanged(id, options);
  const merged = merge(before.source, doc);
  if (request.detect_noop !== false && JSON.stringify(merged) === JSON.stringify(before.source))
    return { result: "noop", seqNo: before.seqNo, version: before.version };
  return target.write(id, merged, { routing: before.routing, ...options });
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
  const target = readable(cluster.single(params.index!));
  const document = target.documents.get(params.id!);
  const body = renderGot(target, params.id!, document, sourceSetting(query));
  return ok(body, document === undefined ? 404 : 200);
}

function readable(target: StoredIndex): StoredIndex {
  if (target.health === "red")
    throw new ElasticsearchError(
      503,
      "no_shard_available_action_exception",
      `No shard available for [get [${target.name}]]`,
    );
  return target;
}

function renderGot(
  target: StoredIndex,
  id: string,
  document: StoredDocument | undefined,
  setting: Json | undefined,
): JsonObject {
  if (document === undefined) return { _index: target.name, _id: id, found: false };
  const source = filterSource(document.source, setting);
  return {
    _index: target.name,
    _id: id,
    _version: document.version,
    _seq_no: document.seqNo,
    _primary_term: PRIMARY_TERM,
    ...(document.routing === undefined ? {} : { _routing: document.routing }),
    found: true,
    ...(source === undefined ? {} : { _source: source }),
  };
}

function mget({ params, query, body }: ApiRequest, cluster: Cluster): Reply {
  const request = body();
  onlyKeys(request, ["docs", "ids"], "mget");
  const wanted = [
    ...listOf(request.ids).map((id): JsonObject => ({ _id: id })),
    ...listOf(request.docs).map((doc) => objectOf(doc, "docs")),
  ];
  if (wanted.length === 0)
    throw new ElasticsearchError(
      400,
      "action_request_validation_exception",
      "Validation Failed: 1: no documents to get;",
    );
  const setting = sourceSetting(query);
  return ok({
    docs: wanted.map((one) => {
      const name = String(one._index ?? params.index ?? "");
      const id = String(one._id);
      try {
        const target = readable(cluster.single(name));
        return renderGot(target, id, target.documents.get(id), one._source ?? setting);
      } catch (error) {
        if (!(error instanceof ElasticsearchError)) throw error;
        return { _index: name, _id: id, error: { root_cause: [error.item], ...error.item } };
      }
    }),
  });
}

/** Names an index for an operation that needs one. */
export function requireIndex(name: string | undefined): string {
  if (name === undefined || name === "") throw indexNotFound("");
  return name;
}
