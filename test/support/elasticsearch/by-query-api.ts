/** Endpoints that change many documents at once: delete and update by query, reindex, and the tasks that they run as. */
import type { Cluster, Task } from "./cluster.js";
import { ElasticsearchError, NotSupported, resourceNotFound } from "./errors.js";
import { resolved } from "./index-api.js";
import { type Json, type JsonObject, listOf, objectOf, onlyKeys, stringOf } from "./json.js";
import { compileQuery } from "./query.js";
import { type ApiRequest, endpoint, flag, ok, type Reply, type Route } from "./router.js";
import { filterSource } from "./source-filter.js";
import { PRIMARY_TERM, type StoredDocument, type StoredIndex } from "./stored-index.js";

export const BY_QUERY_ROUTES: readonly Route[] = [
  ...endpoint("delete_by_query", ["POST /{index}/_delete_by_query"], deleteByQuery),
  ...endpoint("update_by_query", ["POST /{index}/_update_by_query"], updateByQuery),
  ...endpoint("reindex", ["POST /_reindex"], reindex),
  ...endpoint("tasks.get", ["GET /_tasks/{task_id}"], getTask),
];

interface Counts {
  total: number;
  created: number;
  updated: number;
  deleted: number;
  conflicts: number;
  readonly failures: Json[];
}

function noCounts(): Counts {
  return { total: 0, created: 0, updated: 0, deleted: 0, conflicts: 0, failures: [] };
}

interface Found {
  readonly index: StoredIndex;
  readonly document: StoredDocument;
}

/** The documents that a search would find, in the order of the index. */
function matching(indices: readonly StoredIndex[], query: Json | undefined): Found[] {
  return indices.flatMap((index) => {
    const { match } = compileQuery(index.visible, query ?? { match_all: {} });
    return index.visible.documents
      .filter((document) => match(document) !== undefined)
      .map((document) => ({ index, document }));
  });
}

function deleteByQuery(request: ApiRequest, cluster: Cluster): Reply {
  const body = request.body();
  onlyKeys(body, ["query", "max_docs"], "delete-by-query");
  if (body.query === undefined)
    throw new ElasticsearchError(
      400,
      "action_request_validation_exception",
      "Validation Failed: 1: query is missing;",
    );
  const indices = resolved(request, cluster);
  const goOn = request.query.get("conflicts") === "proceed";
  return run(request, cluster, "indices:data/write/delete/byquery", (counts) => {
    for (const { index, document } of limited(matching(indices, body.query), body.max_docs)) {
      counts.total += 1;
      attempt(counts, index, document, goOn, () => {
        index.remove(document.id, unchanged(document));
        counts.deleted += 1;
      });
    }
    if (flag(request.query, "refresh", false)) for (const index of indices) index.refresh();
  });
}

/** Writes the documents again as they are, so that they are read by the mapping of today. */
function updateByQuery(request: ApiRequest, cluster: Cluster): Reply {
  const body = request.body();
  onlyKeys(body, ["query", "max_docs", "conflicts", "script"], "update-by-query");
  const indices = resolved(request, cluster);
  if (body.script !== undefined) refuseScript(indices);
  const goOn = body.conflicts === "proceed" || request.query.get("conflicts") === "proceed";
  return run(request, cluster, "indices:data/write/update/byquery", (counts) => {
    for (const { index, document } of limited(matching(indices, body.query), body.max_docs)) {
      counts.total += 1;
      attempt(counts, index, document, goOn, () => {
        index.write(document.id, document.source, { ...unchanged(document), routing: document.routing });
        counts.updated += 1;
      });
    }
    if (flag(request.query, "refresh", false)) for (const index of indices) index.refresh();
  });
}

function refuseScript(indices: readonly StoredIndex[]): never {
  if (indices.some((index) => index.hasSemanticText))
    throw new ElasticsearchError(
      400,
      "status_exception",
      "Cannot apply update with a script on indices that contain [semantic_text] field(s)",
    );
  throw new NotSupported("scripts");
}

/** A document that changed since it was found is a conflict. */
function unchanged({ seqNo }: StoredDocument) {
  return { ifSeqNo: seqNo, ifPrimaryTerm: PRIMARY_TERM };
}

function limited(found: readonly Found[], max: Json | undefined): readonly Found[] {
  return max === undefined ? found : found.slice(0, Number(max));
}

function attempt(
  counts: Counts,
  index: StoredIndex,
  document: { readonly id: string },
  goOn: boolean,
  act: () => void,
): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    const isConflict = error.status === 409;
    if (isConflict) counts.conflicts += 1;
    if (!isConflict || !goOn)
      counts.failures.push({ index: index.name, id: document.id, status: error.status, cause: error.item });
  }
}

const SOURCE_KEYS = ["index", "query", "size", "_source"];
const DEST_KEYS = ["index", "op_type"];

function reindex(request: ApiRequest, cluster: Cluster): Reply {
  const body = request.body();
  onlyKeys(body, ["source", "dest", "conflicts", "max_docs", "script"], "reindex");
  if (body.script !== undefined) throw new NotSupported("scripts");
  const source = objectOf(body.source, "source");
  const dest = objectOf(body.dest, "dest");
  for (const [part, known] of [
    [source, SOURCE_KEYS],
    [dest, DEST_KEYS],
  ] as const) {
    const other = Object.keys(part).find((key) => !known.includes(key));
    if (other !== undefined) throw new NotSupported(`[${other}] of a reindex`);
  }
  const from = cluster.resolve(listOf(source.index).join(","));
  const target = cluster.writeTarget(
    stringOf(dest.index, "dest.index"),
    flag(request.query, "require_alias", false),
  );
  if (from.includes(target))
    throw new ElasticsearchError(
      400,
      "action_request_validation_exception",
      `Validation Failed: 1: reindex cannot write into an index its reading from [${target.name}];`,
    );
  return run(request, cluster, "indices:data/write/reindex", (counts) => {
    for (const { document } of limited(matching(from, source.query), body.max_docs)) {
      counts.total += 1;
      attempt(counts, target, document, body.conflicts === "proceed", () => {
        const written = target.write(document.id, filterSource(document.source, source._source) ?? {}, {
          create: dest.op_type === "create",
          routing: document.routing,
        });
        counts[written.result === "created" ? "created" : "updated"] += 1;
      });
      if (counts.failures.length > 0) break;
    }
    if (flag(request.query, "refresh", false)) target.refresh();
  });
}

/** At once with its result, or with `wait_for_completion=false` as a task that can be asked about. */
function run(request: ApiRequest, cluster: Cluster, action: string, work: (counts: Counts) => void): Reply {
  const counts = noCounts();
  if (flag(request.query, "wait_for_completion", true)) {
    work(counts);
    const conflicted = counts.failures.some((failure) => (failure as JsonObject).status === 409);
    return ok(render(counts), conflicted ? 409 : 200);
  }
  const task: Task = {
    id: `oTUltX4IQMOUUVeiohTt8A:${cluster.nextId()}`,
    action,
    description: request.text,
    startedAtMs: cluster.clock.now(),
    state: { kind: "running" },
    status: statusOf(counts),
  };
  cluster.tasks.set(task.id, task);
  cluster.clock.after(0, () => {
    try {
      work(counts);
      task.state = { kind: "done", response: render(counts) };
    } catch (error) {
      if (!(error instanceof ElasticsearchError)) throw error;
      task.state = { kind: "failed", error: error.item };
    }
    task.status = statusOf(counts);
  });
  return ok({ task: task.id });
}

function statusOf({ total, created, updated, deleted, conflicts }: Counts): JsonObject {
  return {
    total,
    created,
    updated,
    deleted,
    batches: total === 0 ? 0 : 1,
    version_conflicts: conflicts,
    noops: 0,
    retries: { bulk: 0, search: 0 },
    throttled_millis: 0,
    requests_per_second: -1,
    throttled_until_millis: 0,
  };
}

function render(counts: Counts): JsonObject {
  return { took: 0, timed_out: false, ...statusOf(counts), failures: counts.failures };
}

/** How often a request that waits for a task looks again. */
const LOOK_AGAIN_MS = 5;

async function getTask({ params, query }: ApiRequest, cluster: Cluster): Promise<Reply> {
  const id = params.task_id!;
  const task = cluster.tasks.get(id);
  if (task === undefined) throw resourceNotFound(`task [${id}] isn't running and hasn't stored its results`);
  while (flag(query, "wait_for_completion", false) && task.state.kind === "running") {
    await new Promise<void>((resolve) => cluster.clock.after(LOOK_AGAIN_MS, resolve));
  }
  const { state } = task;
  const [node = "", number = ""] = id.split(":");
  return ok({
    completed: state.kind !== "running",
    task: {
      node,
      id: Number(number),
      type: "transport",
      action: task.action,
      status: task.status,
      description: task.description,
      start_time_in_millis: task.startedAtMs,
      running_time_in_nanos: 0,
      cancellable: true,
      cancelled: false,
      headers: {},
    },
    ...(state.kind === "done" ? { response: state.response } : {}),
    ...(state.kind === "failed" ? { error: state.error } : {}),
  });
}
