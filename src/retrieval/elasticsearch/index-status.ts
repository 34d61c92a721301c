/** What is in the cluster and what is wrong with it, line by line, for operators. */
import type { ElasticsearchClient } from "./client.js";
import type { IndexDefinition } from "./definitions.js";
import type { IndexAdmin } from "./index-admin.js";
import { endpointAdvice, findInferenceEndpoint } from "./inference.js";
import { unmigrated } from "./migrate.js";
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
  /** Whether the settings ask for the leg `semantic`: by default where the cluster can answer it, and only there. */
  readonly semantic: boolean;
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
  const behind = definition.role === "sync" ? 0 : await countUnmigrated(client, definition, index, signal);
  if (behind > 0)
    problems.push(
      `${behind} of them say not who may read them, or have no text; run \`readback index migrate --apply\``,
    );
  return { name: alias, state: `${index}, ${status}, ${count} documents`, problems };
}

async function countUnmigrated(
  client: ElasticsearchClient,
  definition: IndexDefinition,
  index: string,
  signal: AbortSignal,
): Promise<number> {
  const query = unmigrated(definition);
  const { count } = await client.call(
    "count documents",
    (api, call) => api.count({ index, query }, call),
    signal,
  );
  return count;
}

async function inferenceEndpoint(
  { client, options, semantic }: StatusDeps,
  signal: AbortSignal,
): Promise<StatusLine> {
  const { inferenceId } = options;
  const name = `inference endpoint ${inferenceId}`;
  const endpoint = await findInferenceEndpoint(client, inferenceId, signal);
  switch (endpoint.type) {
    case "there":
      return { name, state: `is there (${endpoint.what})`, problems: [] };
    case "unknown":
      return { name, state: `could not be looked up: ${endpoint.reason}`, problems: [] };
    case "absent":
      return semantic
        ? { name, state: "is not there", problems: [endpointAdvice(inferenceId)] }
        : { name, state: "is not there, and is not needed: the leg `semantic` is off", problems: [] };
  }
}
