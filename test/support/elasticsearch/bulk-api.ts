/** The bulk endpoint: many writes in one request, each answered for itself. */
import type { Cluster } from "./cluster.js";
import { applyRefresh, checkId, renderWritten, updateDocument } from "./document-api.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { type JsonObject, objectOf, onlyEntry, onlyKeys, parseLines, stringOf } from "./json.js";
import { type ApiRequest, endpoint, ok, type Reply, type Route } from "./router.js";
import type { StoredIndex, Written } from "./stored-index.js";

type Verb = "index" | "update" | "delete";

export interface BulkOperation {
  readonly verb: Verb;
  readonly id: string;
  readonly payload: JsonObject | undefined;
}

/** What an item is answered with instead of being done; `undefined` lets it be done. */
export type RefuseItem = (operation: BulkOperation) => ElasticsearchError | undefined;

export function bulkRoutes(refuse: RefuseItem): readonly Route[] {
  return endpoint("bulk", ["POST /{index}/_bulk"], (request, cluster) => bulk(request, cluster, refuse));
}

function bulk({ params, query, text }: ApiRequest, cluster: Cluster, refuse: RefuseItem): Reply {
  const target = cluster.writeTarget(params.index!);
  let errors = false;
  const items = readOperations(text).map((operation): JsonObject => {
    const { verb, id } = operation;
    try {
      const refused = refuse(operation);
      if (refused !== undefined) throw refused;
      const written = run(target, operation);
      return { [verb]: { ...renderWritten(target, id, written), status: statusOf(verb, written) } };
    } catch (error) {
      if (!(error instanceof ElasticsearchError)) throw error;
      errors = true;
      return { [verb]: { _index: target.name, _id: id, status: error.status, error: error.item } };
    }
  });
  applyRefresh(target, query.get("refresh"));
  return ok({ took: 0, errors, items });
}

function run(target: StoredIndex, { verb, id, payload }: BulkOperation): Written {
  checkId(id);
  if (verb === "delete") return target.remove(id, {});
  return verb === "update" ? updateDocument(target, id, payload!, {}) : target.write(id, payload!, {});
}

function statusOf(verb: Verb, { result }: Written): number {
  if (result === "created") return 201;
  return verb === "delete" && result === "not_found" ? 404 : 200;
}

function readOperations(text: string): BulkOperation[] {
  const lines = parseLines(text);
  const operations: BulkOperation[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [verb, settings] = onlyEntry(lines[at]!, "action");
    if (verb !== "index" && verb !== "update" && verb !== "delete")
      throw new NotSupported(`[${verb}] in a bulk request`);
    const metadata = objectOf(settings, verb);
    onlyKeys(metadata, ["_id"], verb);
    if (verb !== "delete") at += 1;
    const payload = verb === "delete" ? undefined : lines[at];
    if (verb !== "delete" && payload === undefined)
      throw illegalArgument("The bulk request must be terminated by a newline [\\n]");
    operations.push({ verb, id: stringOf(metadata._id, "_id"), payload });
  }
  if (operations.length === 0) throw illegalArgument("Validation Failed: 1: no requests added;");
  return operations;
}
