/** Endpoints of connectors and their sync jobs. */
import type { Cluster } from "./cluster.js";
import type {
  Connector,
  Filtering,
  FilteringRule,
  Policy,
  RuleKind,
  SyncJob,
  ValidationState,
} from "./connectors.js";
import { ElasticsearchError, NotSupported } from "./errors.js";
import { type Json, type JsonObject, listOf, numberOf, objectOf, onlyKeys, stringOf } from "./json.js";
import { type ApiRequest, endpoint, ok, type Reply, type Route } from "./router.js";

export const CONNECTOR_ROUTES: readonly Route[] = [
  ...endpoint("connector.list", ["GET /_connector"], list),
  ...endpoint("connector.get", ["GET /_connector/{connector_id}"], ({ params }, { connectors }) =>
    ok(renderConnector(connectors.get(params.connector_id!))),
  ),
  ...endpoint("connector.put", ["PUT /_connector/{connector_id}"], put),
  ...endpoint("connector.delete", ["DELETE /_connector/{connector_id}"], ({ params }, { connectors }) => {
    connectors.connectors.delete(connectors.get(params.connector_id!).id);
    return ok({ acknowledged: true });
  }),
  ...endpoint("connector.update_filtering", ["PUT /_connector/{connector_id}/_filtering"], updateFiltering),
  ...endpoint(
    "connector.update_filtering_validation",
    ["PUT /_connector/{connector_id}/_filtering/_validation"],
    updateValidation,
  ),
  ...endpoint(
    "connector.update_active_filtering",
    ["PUT /_connector/{connector_id}/_filtering/_activate"],
    ({ params }, { connectors }) => {
      connectors.activate(params.connector_id!);
      return ok({ result: "updated" });
    },
  ),
  ...endpoint("connector.sync_job_list", ["GET /_connector/_sync_job"], listJobs),
  ...endpoint("connector.sync_job_post", ["POST /_connector/_sync_job"], postJob),
  ...endpoint(
    "connector.sync_job_get",
    ["GET /_connector/_sync_job/{connector_sync_job_id}"],
    ({ params }, { connectors }) => ok(renderJob(connectors.job(params.connector_sync_job_id!))),
  ),
  ...endpoint(
    "connector.sync_job_cancel",
    ["PUT /_connector/_sync_job/{connector_sync_job_id}/_cancel"],
    ({ params }, { connectors }) => {
      connectors.cancel(params.connector_sync_job_id!);
      return ok({ result: "updated" });
    },
  ),
];

const PAGE = 100;

function page<Item>(query: URLSearchParams, all: readonly Item[]): readonly Item[] {
  const from = Number(query.get("from") ?? 0);
  return all.slice(from, from + Number(query.get("size") ?? PAGE));
}

function isAsked(query: URLSearchParams, name: string, value: string | undefined): boolean {
  const asked = query.get(name);
  return asked === null || (value !== undefined && asked.split(",").includes(value));
}

function list({ query }: ApiRequest, { connectors }: Cluster): Reply {
  if (query.has("query")) throw new NotSupported("[query] of a list of connectors");
  const found = [...connectors.connectors.values()].filter(
    ({ name, index_name, service_type }) =>
      isAsked(query, "index_name", index_name) &&
      isAsked(query, "connector_name", name) &&
      isAsked(query, "service_type", service_type),
  );
  return ok({ count: found.length, results: page(query, found).map(renderConnector) });
}

const PUT_KEYS = ["description", "index_name", "is_native", "language", "name", "service_type"];

function put({ params, body }: ApiRequest, { connectors }: Cluster): Reply {
  const id = params.connector_id!;
  const request = body();
  onlyKeys(request, PUT_KEYS, "connector_put_request");
  const text = (key: string) =>
    request[key] === undefined || request[key] === null ? undefined : stringOf(request[key], key);
  const result = connectors.put(id, {
    name: text("name"),
    index_name: text("index_name"),
    service_type: text("service_type"),
    description: text("description"),
    language: text("language"),
    is_native: request.is_native === true,
  });
  return ok({ id, result }, result === "created" ? 201 : 200);
}

function updateFiltering({ params, body }: ApiRequest, { connectors }: Cluster): Reply {
  const request = body();
  onlyKeys(request, ["filtering", "rules", "advanced_snippet"], "connector_update_filtering_request");
  if (request.filtering !== undefined || request.advanced_snippet !== undefined)
    throw new NotSupported("filtering by anything but rules");
  if (request.rules === undefined)
    throw new ElasticsearchError(
      400,
      "action_request_validation_exception",
      "Validation Failed: 1: [advanced_snippet] and [rules] cannot be both [null];",
    );
  const now = connectors.now();
  connectors.editDraft(
    params.connector_id!,
    listOf(request.rules).map((rule) => readRule(objectOf(rule, "rules"), now)),
  );
  return ok({ result: "updated" });
}

const RULE_KEYS = ["id", "order", "policy", "field", "rule", "value", "created_at", "updated_at"];
const POLICIES: readonly string[] = ["include", "exclude"];
const KINDS: readonly string[] = ["contains", "ends_with", "equals", "regex", "starts_with", ">", "<"];

function readRule(rule: JsonObject, now: string): FilteringRule {
  onlyKeys(rule, RULE_KEYS, "connector_filtering_rule");
  for (const key of RULE_KEYS.slice(0, 6)) {
    if (rule[key] === undefined)
      throw new ElasticsearchError(400, "illegal_argument_exception", `Required [${key}]`);
  }
  const policy = stringOf(rule.policy, "policy");
  const kind = stringOf(rule.rule, "rule");
  if (!POLICIES.includes(policy)) throw unknownValue("FilteringPolicy", policy);
  if (!KINDS.includes(kind)) throw unknownValue("FilteringRuleCondition", kind);
  return {
    id: stringOf(rule.id, "id"),
    order: numberOf(rule.order, 0, "order"),
    policy: policy as Policy,
    field: stringOf(rule.field, "field"),
    rule: kind as RuleKind,
    value: stringOf(rule.value, "value"),
    created_at: String(rule.created_at ?? now),
    updated_at: String(rule.updated_at ?? now),
  };
}

function unknownValue(type: string, value: string): ElasticsearchError {
  return new ElasticsearchError(400, "x_content_parse_exception", `[1:1] Unknown ${type}: ${value}`);
}

function updateValidation({ params, body }: ApiRequest, { connectors }: Cluster): Reply {
  const request = body();
  onlyKeys(request, ["validation"], "connector_update_draft_filtering_validation");
  const validation = objectOf(request.validation, "validation");
  const state = stringOf(validation.state, "state");
  connectors.setValidation(params.connector_id!, {
    state: state as ValidationState,
    errors: listOf(validation.errors).map((error) => {
      const { ids, messages } = objectOf(error, "errors");
      return { ids: listOf(ids).map(String), messages: listOf(messages).map(String) };
    }),
  });
  return ok({ result: "updated" });
}

function listJobs({ query }: ApiRequest, { connectors }: Cluster): Reply {
  const found = [...connectors.jobs.values()].filter(
    ({ connectorId, status, jobType }) =>
      isAsked(query, "connector_id", connectorId) &&
      isAsked(query, "status", status) &&
      isAsked(query, "job_type", jobType),
  );
  return ok({ count: found.length, results: page(query, found).map(renderJob) });
}

const JOB_TYPES: readonly string[] = ["full", "incremental", "access_control"];
const TRIGGERS: readonly string[] = ["on_demand", "scheduled"];

function postJob({ body }: ApiRequest, cluster: Cluster): Reply {
  const { connectors } = cluster;
  const request = body();
  onlyKeys(request, ["id", "job_type", "trigger_method"], "connector_sync_job_post_request");
  const jobType = stringOf(request.job_type ?? "full", "job_type");
  const trigger = stringOf(request.trigger_method ?? "on_demand", "trigger_method");
  if (!JOB_TYPES.includes(jobType)) throw unknownValue("sync job type", jobType);
  if (!TRIGGERS.includes(trigger)) throw unknownValue("trigger method", trigger);
  const job = connectors.post(`doc${cluster.nextId()}`, stringOf(request.id, "id"), {
    jobType: jobType as SyncJob["jobType"],
    triggerMethod: trigger as SyncJob["triggerMethod"],
  });
  return ok({ id: job.id }, 201);
}

function renderConnector(connector: Connector): JsonObject {
  const { id, name, index_name, service_type, is_native, description, language, active, draft } = connector;
  return {
    id,
    name: name ?? null,
    index_name: index_name ?? null,
    service_type: service_type ?? null,
    description: description ?? null,
    language: language ?? null,
    is_native,
    status: "connected",
    sync_now: false,
    api_key_id: null,
    configuration: {},
    custom_scheduling: {},
    features: {},
    scheduling: {},
    filtering: [{ domain: "DEFAULT", active: renderFiltering(active), draft: renderFiltering(draft) }],
  };
}

/** The states are made of plain JSON. */
function renderFiltering(filtering: Filtering): JsonObject {
  return filtering as unknown as JsonObject;
}

function renderJob(job: SyncJob): JsonObject {
  const when: Record<string, Json> = {
    ...(job.startedAt === undefined ? {} : { started_at: job.startedAt }),
    ...(job.completedAt === undefined ? {} : { completed_at: job.completedAt }),
    ...(job.canceledAt === undefined ? {} : { canceled_at: job.canceledAt }),
    ...(job.cancelationRequestedAt === undefined
      ? {}
      : { cancelation_requested_at: job.cancelationRequestedAt }),
  };
  return {
    id: job.id,
    status: job.status,
    job_type: job.jobType,
    trigger_method: job.triggerMethod,
    created_at: job.createdAt,
    ...when,
    ...(job.error === undefined ? {} : { error: job.error }),
    indexed_document_count: job.indexed,
    indexed_document_volume: job.indexedBytes,
    deleted_document_count: job.deleted,
    total_document_count: job.total,
    metadata: {},
    connector: {
      id: job.connectorId,
      index_name: job.indexName,
      service_type: job.serviceType,
      configuration: {},
      // A list of one, unlike what the published types say.
      filtering: [renderFiltering(job.filtering)],
    },
  };
}
