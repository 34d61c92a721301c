/** What is in the cluster and what is wrong with it, line by line, for operators. */
import { type ElasticsearchClient, ElasticsearchProblem } from "./client.js";
import type { IndexDefinition } from "./definitions.js";
import type { IndexAdmin } from "./index-admin.js";
import type { ElasticsearchOptions } from "./options.js";

export interface StatusLine {
  readonly name: string;
  readonly state: string;
  /** What to do about it is part of each. */
  readonly problems: readonly string[];
}

export interface StatusDeps {
  readonly client: ElasticsearchClient;
  readonly admin: IndexAdmin;
  readonly options: ElasticsearchOptions;
  readonly definitions: readonly IndexDefinition[];
}

/** The given indices and the inference endpoint. Rejects with `ElasticsearchProblem` when nothing can be asked. */
export async function indexStatus(deps: StatusDeps, signal: AbortSignal): Promise<readonly StatusLine[]> {
  const lines: StatusLine[] = [];
  for (const definition of deps.definitions) lines.push(await oneIndex(deps, definition, signal));
  return [...lines, await inferenceEndpoint(deps, signal)];
}

async function oneIndex(
  { client, admin }: StatusDeps,
  definition: IndexDefinition,
  signal: AbortSignal,
): Promise<StatusLine> {
  const { alias } = definition;
  const occupant = await admin.occupant(definition, signal);
  if (occupant.type === "missing") {
    return { name: alias, state: "is not there", problems: ["Run `readback index create`."] };
  }
  const { index } = occupant;
  const { status } = await client.call(
    "ask for the health",
    (api, call) => api.cluster.health({ index }, call),
    signal,
  );
  const { missing, conflicts } = await admin.compare(definition, index, signal);
  const problems = conflicts.map((conflict) => `${conflict}; run \`readback index rebuild\``);
  const fields = Object.keys(missing);
  if (fields.length > 0)
    problems.push(`the fields ${fields.join(", ")} are missing; run \`readback index create\``);
  if (occupant.type === "index") {
    problems.push("it is an index and not an alias: `readback index rebuild --drop-old` makes it one");
  }
  if (status === "red") {
    problems.push("parts of it are offline: see `GET _cluster/allocation/explain`");
    return { name: alias, state: `${index}, red`, problems };
  }
  const { count } = await client.call("count documents", (api, call) => api.count({ index }, call), signal);
  return { name: alias, state: `${index}, ${status}, ${count} documents`, problems };
}

async function inferenceEndpoint({ client, options }: StatusDeps, signal: AbortSignal): Promise<StatusLine> {
  const { inferenceId } = options;
  const name = `inference endpoint ${inferenceId}`;
  try {
    const { endpoints } = await client.call(
      "look up the inference endpoint",
      (api, call) => api.inference.get({ inference_id: inferenceId }, call),
      signal,
    );
    const [endpoint] = endpoints;
    if (endpoint !== undefined) {
      return { name, state: `is there (${endpoint.task_type}, ${endpoint.service})`, problems: [] };
    }
  } catch (error) {
    if (!(error instanceof ElasticsearchProblem)) throw error;
    if (error.kind === "denied") return { name, state: "is not ours to look at", problems: [] };
    if (error.kind !== "missing" && error.kind !== "refused") throw error;
  }
  return { name, state: "is not there", problems: [endpointHint(inferenceId)] };
}

function endpointHint(inferenceId: string): string {
  const body =
    '{"service": "elasticsearch", "service_settings": {"model_id": ".elser_model_2", "num_threads": 1, ' +
    '"adaptive_allocations": {"enabled": true, "min_number_of_allocations": 1}}}';
  return (
    "the leg `semantic` needs it; leave the leg out of `retrieval.legs`, or make it: " +
    `PUT _inference/sparse_embedding/${inferenceId} ${body}`
  );
}
