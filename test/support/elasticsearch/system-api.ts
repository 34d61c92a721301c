/** Endpoints of the server itself: who it is, health, inference endpoints. */
import type { Cluster } from "./cluster.js";
import { ElasticsearchError, NotSupported, resourceNotFound } from "./errors.js";
import { resolved } from "./index-api.js";
import { type JsonObject, onlyKeys, stringOf } from "./json.js";
import { type ApiRequest, endpoint, ok, type Reply, type Route } from "./router.js";
import { durationMs, type Health, type StoredIndex } from "./stored-index.js";

export const SYSTEM_ROUTES: readonly Route[] = [
  ...endpoint("info", ["GET /"], (_request, cluster) => ok(info(cluster))),
  ...endpoint("ping", ["HEAD /"], () => ok(null)),
  ...endpoint("cluster.health", ["GET /_cluster/health", "GET /_cluster/health/{index}"], health),
  ...endpoint(
    "inference.get",
    ["GET /_inference", "GET /_inference/{inference_id}", "GET /_inference/{task_type}/{inference_id}"],
    getInference,
  ),
  ...endpoint(
    "inference.put",
    ["PUT /_inference/{inference_id}", "PUT /_inference/{task_type}/{inference_id}"],
    putInference,
  ),
];

function info({ version }: Cluster): JsonObject {
  return {
    name: "node-1",
    cluster_name: "stand-in",
    cluster_uuid: "8Jm0Qm3pQGqzJ1c0wV0J2A",
    version: {
      number: version,
      build_flavor: "default",
      build_type: "docker",
      build_hash: "0000000000000000000000000000000000000000",
      build_date: "2025-01-01T00:00:00.000000000Z",
      build_snapshot: false,
      lucene_version: "9.12.2",
      minimum_wire_compatibility_version: "7.17.0",
      minimum_index_compatibility_version: "7.0.0",
    },
    tagline: "You Know, for Search",
  };
}

const ORDER: readonly Health[] = ["green", "yellow", "red"];

function worst(indices: readonly StoredIndex[]): Health {
  return ORDER[Math.max(0, ...indices.map((index) => ORDER.indexOf(index.health)))]!;
}

/** How often a request that waits for a status looks again. */
const LOOK_AGAIN_MS = 10;

const HEALTH_TIMEOUT = "30s";

async function health(request: ApiRequest, cluster: Cluster): Promise<Reply> {
  const { query, params } = request;
  const wanted = query.get("wait_for_status");
  const timeout = durationMs(query.get("timeout") ?? HEALTH_TIMEOUT) ?? 0;
  const until = cluster.clock.monotonic() + timeout;
  const indices = () =>
    params.index === undefined ? [...cluster.indices.values()] : resolved(request, cluster);
  const isReached = () =>
    wanted === null || ORDER.indexOf(worst(indices())) <= ORDER.indexOf(wanted as Health);
  while (!isReached() && cluster.clock.monotonic() < until) {
    await new Promise<void>((resolve) => cluster.clock.after(LOOK_AGAIN_MS, resolve));
  }
  const timedOut = !isReached();
  return ok(renderHealth(indices(), timedOut), timedOut ? 408 : 200);
}

function renderHealth(indices: readonly StoredIndex[], timedOut: boolean): JsonObject {
  const red = indices.filter((index) => index.health === "red").length;
  const unassigned = indices.filter((index) => index.health !== "green").length;
  return {
    cluster_name: "stand-in",
    status: worst(indices),
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    active_primary_shards: indices.length - red,
    active_shards: indices.length - red,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: unassigned,
    unassigned_primary_shards: red,
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number:
      indices.length === 0 ? 100 : (100 * (indices.length - red)) / indices.length,
  };
}

function getInference({ params }: ApiRequest, cluster: Cluster): Reply {
  const { inference_id: id, task_type: type } = params;
  const all = [...cluster.inference.values()];
  if (id === undefined || id === "_all") return ok({ endpoints: all });
  const found = cluster.inference.get(id);
  if (found === undefined || (type !== undefined && found.task_type !== type))
    throw resourceNotFound(`Inference endpoint not found [${id}]`);
  return ok({ endpoints: [found] });
}

function putInference({ params, body }: ApiRequest, cluster: Cluster): Reply {
  const request = body();
  onlyKeys(request, ["service", "service_settings", "task_settings", "chunking_settings"], "inference");
  const id = params.inference_id!;
  const type = params.task_type ?? "sparse_embedding";
  const service = stringOf(request.service, "service");
  if (type !== "sparse_embedding") throw new NotSupported(`inference of type [${type}]`);
  if (service !== "elasticsearch" && service !== "elser")
    throw new NotSupported(`the inference service [${service}]`);
  if (cluster.inference.has(id))
    throw new ElasticsearchError(
      400,
      "resource_already_exists_exception",
      `Inference endpoint [${id}] already exists`,
    );
  const stored = { inference_id: id, task_type: type, ...request };
  cluster.inference.set(id, stored);
  return ok(stored);
}
