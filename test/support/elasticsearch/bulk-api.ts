/** The bulk endpoint: many writes in one request, each answered for itself. */
import type { Cluster } from "./cluster.js";
import { applyRefresh, checkId, renderWritten, updateDocument } from "./document-api.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { type Json, type JsonObject, objectOf, parseLines, tokenOf } from "./json.js";
import { type ApiRequest, endpoint, ok, type Reply, type Route } from "./router.js";
import type { StoredIndex, WriteOptions, Written } from "./stored-index.js";

type Verb = "index" | "create" | "update" | "delete";

export interface BulkOperation {
  readonly verb: Verb;
  readonly index: string;
  readonly id: string | undefined;
  readonly settings: JsonObject;
  readonly payload: JsonObject | undefined;
}

/** What an item is answered with instead of being done; `undefined` lets it be done. */
export type RefuseItem = (operation: BulkOperation) => ElasticsearchError | undefined;

export function bulkRoutes(refuse: RefuseItem): readonly Route[] {
  return endpoint(
    "bulk",
    ["POST /_bulk", "PUT /_bulk", "POST /{index}/_bulk", "PUT /{index}/_bulk"],
    (request, cluster) => bulk(request, cluster, refuse),
  );
}

async function bulk(request: ApiRequest, cluster: Cluster, refuse: RefuseItem): Promise<Reply> {
  const operations = readOperations(request.text, request.params.index);
  if (operations.length === 0)
    throw new ElasticsearchError(
      400,
      "action_request_validation_exception",
      "Validation Failed: 1: no requests added;",
    );
  const refresh = request.query.get("refresh");
  const touched = new Set<StoredIndex>();
  let errors = false;
  const items = operations.map((operation): JsonObject => {
    const id = operation.id ?? cluster.nextDocumentId();
    try {
      const refused = refuse(operation);
      if (refused !== undefined) throw refused;
      const target = cluster.writeTarget(operation.index, operation.settings.require_alias === true);
      const written = run(target, id, operation);
      touched.add(target);
      return {
        [operation.verb]: {
          ...renderWritten(target, id, written),
          status: statusOf(operation.verb, written),
        },
      };
    } catch (error) {
      if (!(error instanceof ElasticsearchError)) throw error;
      errors = true;
      const name = cluster.aliased(operation.index)[0]?.name ?? operation.index;
      return { [operation.verb]: { _index: name, _id: id, status: error.status, error: error.item } };
    }
  });
  for (const target of touched) await applyRefresh(target, refresh);
  return ok({ took: 0, errors, items });
}

function run(target: StoredIndex, id: string, { verb, settings, payload }: BulkOperation): Written {
  checkId(id);
  const options = optionsOf(settings);
  if (verb === "delete") return target.remove(id, options);
  if (verb === "update") return updateDocument(target, id, payload!, options);
  return target.write(id, payload!, { ...options, create: verb === "create" });
}

function optionsOf({ routing, if_seq_no, if_primary_term }: JsonObject): WriteOptions {
  return {
    routing: typeof routing === "string" ? routing : undefined,
    ifSeqNo: typeof if_seq_no === "number" ? if_seq_no : undefined,
    ifPrimaryTerm: typeof if_primary_term === "number" ? if_primary_term : undefined,
  };
}

function statusOf(verb: Verb, { result }: Written): number {
  if (result === "created") return 201;
  return verb === "delete" && result === "not_found" ? 404 : 200;
}

const VERBS: readonly string[] = ["create", "delete", "index", "update"];

const METADATA = [
  "_index",
  "_id",
  "routing",
  "if_seq_no",
  "if_primary_term",
  "require_alias",
  "retry_on_conflict",
];

const OTHER_METADATA = [
  "version",
  "version_type",
  "pipeline",
  "dynamic_templates",
  "_source",
  "require_data_stream",
  "list_executed_pipelines",
];

function readOperations(text: string, defaultIndex: string | undefined): BulkOperation[] {
  const lines = parseLines(text);
  const operations: BulkOperation[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [verb, settings] = readAction(lines[at]!, at + 1);
    let payload: JsonObject | undefined;
    if (verb !== "delete") {
      at += 1;
      payload = lines[at];
      if (payload === undefined)
        throw illegalArgument("The bulk request must be terminated by a newline [\\n]");
    }
    const index = settings._index ?? defaultIndex;
    if (index === undefined)
      throw new ElasticsearchError(
        400,
        "action_request_validation_exception",
        "Validation Failed: 1: index is missing;",
      );
    if ((verb === "delete" || verb === "update") && settings._id === undefined)
      throw new ElasticsearchError(
        400,
        "action_request_validation_exception",
        "Validation Failed: 1: id is missing;",
      );
    operations.push({
      verb,
      settings,
      payload,
      index: String(index),
      id: settings._id === undefined || settings._id === null ? undefined : String(settings._id),
    });
  }
  return operations;
}

function readAction(line: JsonObject, number: number): [Verb, JsonObject] {
  const [entry, ...others] = Object.entries(line);
  if (entry === undefined || others.length > 0)
    throw illegalArgument(
      `Malformed action/metadata line [${number}], expected ${entry === undefined ? "FIELD_NAME" : "END_OBJECT"} but found [${entry === undefined ? "END_OBJECT" : "FIELD_NAME"}]`,
    );
  const [verb, value]: [string, Json] = entry;
  if (!VERBS.includes(verb))
    throw illegalArgument(
      `Malformed action/metadata line [${number}], expected field [create], [delete], [index] or [update] but found [${verb}]`,
    );
  if (tokenOf(value) !== "START_OBJECT")
    throw illegalArgument(
      `Malformed action/metadata line [${number}], expected START_OBJECT but found [${tokenOf(value)}]`,
    );
  const settings = objectOf(value, verb);
  for (const key of Object.keys(settings)) {
    if (OTHER_METADATA.includes(key)) throw new NotSupported(`[${key}] in a bulk request`);
    if (!METADATA.includes(key))
      throw illegalArgument(`Action/metadata line [${number}] contains an unknown parameter [${key}]`);
  }
  return [verb as Verb, settings];
}
