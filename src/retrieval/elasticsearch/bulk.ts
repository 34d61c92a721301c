/**
 * Many writes in few requests. One request may fail in part: what was refused for the moment is sent again alone, and
 * what is wrong in itself fails the whole with a readable error.
 */
import { type ElasticsearchClient, ElasticsearchProblem, type estypes } from "./client.js";
import type { ElasticsearchOptions } from "./options.js";
import { quoted } from "./problem-text.js";

/** `update` changes the given fields and leaves the rest; on a document that is gone it does nothing, like `delete`. */
export type BulkAction =
  | { readonly type: "index" | "update"; readonly id: string; readonly document: object }
  | { readonly type: "delete"; readonly id: string };

export interface BulkDeps {
  readonly client: ElasticsearchClient;
  readonly options: Pick<ElasticsearchOptions, "bulkDocumentsMax" | "attemptsMax">;
}

/** Characters of one request at the most, about; a single larger action goes alone. */
const REQUEST_CHARS_MAX = 5_000_000;

/**
 * Writes all of `actions` into an index, or an alias of one, one request after the other. Rejects with
 * `ElasticsearchProblem`; some may be written then, and doing all of them again does no harm.
 */
export async function writeBulk(
  deps: BulkDeps,
  index: string,
  actions: Iterable<BulkAction>,
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batches(actions, deps.options.bulkDocumentsMax)) {
    await writeBatch(deps, index, batch, signal);
  }
}

function* batches(actions: Iterable<BulkAction>, actionsMax: number): Generator<BulkAction[]> {
  let batch: BulkAction[] = [];
  let chars = 0;
  for (const action of actions) {
    const size = action.type === "delete" ? action.id.length : JSON.stringify(action.document).length;
    if (batch.length > 0 && (batch.length >= actionsMax || chars + size > REQUEST_CHARS_MAX)) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(action);
    chars += size;
  }
  if (batch.length > 0) yield batch;
}

async function writeBatch(
  { client, options: { attemptsMax } }: BulkDeps,
  index: string,
  batch: readonly BulkAction[],
  signal: AbortSignal,
): Promise<void> {
  let pending = batch;
  for (let attempt = 1; ; attempt++) {
    const operations = pending.flatMap(operationLines);
    const { items, errors } = await client.call(
      "write documents",
      (api, options) => api.bulk({ index, operations }, options),
      signal,
    );
    if (!errors) return;
    if (items.length !== pending.length) {
      throw new ElasticsearchProblem("invalid", "Elasticsearch did not say what became of each document.");
    }
    const verdicts = items.map((item, position) => verdictOn(pending[position]!, resultOf(item)));
    const refused = verdicts.find((verdict) => verdict.type === "refused");
    if (refused !== undefined) throw refused.problem;
    const busy = pending.filter((_action, position) => verdicts[position]!.type === "busy");
    if (busy.length === 0) return;
    if (attempt >= attemptsMax) throw busyProblem(busy.length, attempt);
    pending = busy;
    await client.pauseBefore(attempt + 1, signal);
  }
}

function operationLines(action: BulkAction): (estypes.BulkOperationContainer | object)[] {
  switch (action.type) {
    case "index":
      return [{ index: { _id: action.id } }, action.document];
    case "update":
      return [{ update: { _id: action.id } }, { doc: action.document }];
    case "delete":
      return [{ delete: { _id: action.id } }];
  }
}

type Verdict =
  | { readonly type: "done" | "busy" }
  | { readonly type: "refused"; readonly problem: ElasticsearchProblem };

function resultOf(
  item: Partial<Record<string, estypes.BulkResponseItem>>,
): estypes.BulkResponseItem | undefined {
  return Object.values(item)[0];
}

/** Refused for the moment; 408 is what an inference endpoint answers while its model is still being started. */
const BUSY_STATUSES: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

function verdictOn(action: BulkAction, result: estypes.BulkResponseItem | undefined): Verdict {
  const status = result?.status ?? 0;
  if (status >= 200 && status < 300) return { type: "done" };
  if (status === 404 && action.type !== "index" && result?.error?.type !== "index_not_found_exception") {
    return { type: "done" };
  }
  if (BUSY_STATUSES.has(status)) return { type: "busy" };
  const type = result?.error?.type ?? "";
  const reason = quoted(result?.error?.reason ?? "");
  const message = `Elasticsearch did not take a document (${status} ${type}: ${reason}).${adviceOn(type)}`;
  return { type: "refused", problem: new ElasticsearchProblem("refused", message, status, type) };
}

function adviceOn(type: string): string {
  if (/mapper_parsing|document_parsing|strict_dynamic|illegal_argument/.test(type)) {
    return " The index was made with another mapping or for another embedder: run `readback index rebuild`.";
  }
  return type === "resource_not_found_exception" || type === "inference_not_found_exception"
    ? " Run `readback index status` to see whether the inference endpoint exists."
    : "";
}

function busyProblem(count: number, attempts: number): ElasticsearchProblem {
  const message =
    `Elasticsearch is overloaded: ${count} documents of a request were refused ${attempts} times. ` +
    "Try again later, or lower `elasticsearch.bulk_documents_max`.";
  return new ElasticsearchProblem("busy", message, 429, "es_rejected_execution_exception");
}
