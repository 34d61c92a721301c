/** The connector through Elasticsearch's connector APIs, and what it has put into the staging index. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { anyOf, unless } from "../../retrieval/elasticsearch/versions.js";
import type { FilterRule, Job, RulesDraft } from "./connector.js";
import type { SessionContext } from "./elasticsearch-context.js";
import type { ConnectorStore, StagedObject } from "./port.js";

/** Jobs in one answer. */
const JOBS_PAGE = 100;

const ruleIds = z.array(z.object({ id: z.string() })).catch([]);
const validation = z
  .object({
    state: z.enum(["edited", "valid", "invalid"]).catch("edited"),
    errors: z
      .array(z.object({ ids: z.array(z.string()).catch([]), messages: z.array(z.string()).catch([]) }))
      .catch([]),
  })
  .catch({ state: "edited", errors: [] });
const filteringRules = z.object({ rules: ruleIds, validation });
const connectorShape = z.object({
  index_name: z.string().nullish(),
  filtering: z.array(z.object({ draft: filteringRules })).catch([]),
});

const jobShape = z.object({
  id: z.string(),
  status: z.enum(["pending", "in_progress", "suspended", "canceling", "completed", "error", "canceled"]),
  error: z.string().nullish(),
  // The published types have one object here, servers answer with a list.
  connector: z.object({
    filtering: z.union([z.array(filteringRules), filteringRules.transform((one) => [one])]).catch([]),
  }),
});

const stagedShape = z.object({
  filename: z.string(),
  bucket: z.string().nullish(),
  size_in_bytes: z.number().catch(0),
  body: z.string().nullish(),
  _ingestion_errors: z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([]),
});

export class ElasticsearchConnector implements ConnectorStore {
  constructor(private readonly context: SessionContext) {}

  async obstacle(): Promise<string | undefined> {
    const { connectorId, options } = this.context;
    const found = await this.#connector();
    if (found === undefined)
      return `there is no connector ${JSON.stringify(connectorId)}; check \`sync.connector_id\``;
    const target = found.index_name ?? "";
    const staging = JSON.stringify(options.stagingIndex);
    if (target !== options.stagingIndex) {
      return (
        `the connector writes into the index ${JSON.stringify(target)}, and would delete what its rules do not match; ` +
        `it has to write into ${staging} (\`elasticsearch.staging_index\`)`
      );
    }
    const behind = await this.#behind(options.stagingIndex);
    for (const name of [options.embeddingsIndex, options.metadataIndex, options.syncIndex]) {
      if (name === options.stagingIndex || (await this.#behind(name)).some((one) => behind.includes(one)))
        return `the connector's index ${staging} is the same as ${JSON.stringify(name)}; give it an index of its own`;
    }
    return undefined;
  }

  async writeDraft(rules: readonly FilterRule[]): Promise<void> {
    const { client, clock, connectorId, fence, signal } = this.context;
    fence();
    const now = new Date(clock.now()).toISOString();
    const body = rules.map((rule, order) => ({ ...rule, order, created_at: now, updated_at: now }));
    await client.call(
      "write the connector's rules",
      (api, call) => api.connector.updateFiltering({ connector_id: connectorId, rules: body }, call),
      signal,
    );
  }

  async draft(): Promise<RulesDraft> {
    const draft = (await this.#connector())?.filtering[0]?.draft;
    if (draft === undefined) return { validation: "edited", errors: [], ruleIds: [] };
    return {
      validation: draft.validation.state,
      errors: draft.validation.errors.map(({ ids, messages }) => ({ ruleIds: ids, messages })),
      ruleIds: draft.rules.map(({ id }) => id),
    };
  }

  async activateDraft(): Promise<boolean> {
    const { client, connectorId, fence, signal } = this.context;
    fence();
    const activated = client.call(
      "activate the connector's rules",
      (api, call) => api.connector.updateActiveFiltering({ connector_id: connectorId }, call),
      signal,
    );
    return (await unless(anyOf("refused"), activated)) !== undefined;
  }

  /** They come oldest first; the last page has all that are not over, since the connector takes one after the other. */
  async jobs(): Promise<readonly Job[]> {
    const first = await this.#jobs(0);
    return first.count <= JOBS_PAGE ? first.jobs : (await this.#jobs(first.count - JOBS_PAGE)).jobs;
  }

  async job(id: string): Promise<Job | undefined> {
    const { client, signal } = this.context;
    const found = client.call(
      "look at a job of the connector",
      (api, call) => api.connector.syncJobGet({ connector_sync_job_id: id }, call),
      signal,
    );
    return jobOf(await unless(anyOf("missing"), found));
  }

  async startJob(): Promise<string> {
    const { client, connectorId, fence, signal } = this.context;
    fence();
    const { id } = await client.call(
      "start a job of the connector",
      (api, call) =>
        api.connector.syncJobPost({ id: connectorId, job_type: "full", trigger_method: "on_demand" }, call),
      signal,
      { repeatable: false },
    );
    return id;
  }

  async cancelJob(id: string): Promise<void> {
    const { client, fence, signal } = this.context;
    fence();
    const cancelled = client.call(
      "cancel a job of the connector",
      (api, call) => api.connector.syncJobCancel({ connector_sync_job_id: id }, call),
      signal,
    );
    // It is over, or gone.
    await unless(anyOf("refused", "conflict", "missing"), cancelled);
  }

  async staged(key: string): Promise<StagedObject | undefined> {
    const { bucket, client, options, signal } = this.context;
    const index = options.stagingIndex;
    const found = client.call(
      "read what the connector has copied",
      (api, call) => api.get({ index, id: stagingId(bucket, key), _source_includes: STAGED_FIELDS }, call),
      signal,
    );
    const parsed = stagedShape.safeParse((await unless(anyOf("missing"), found))?._source);
    if (!parsed.success || parsed.data.filename !== key || (parsed.data.bucket ?? bucket) !== bucket)
      return undefined;
    const { body, size_in_bytes: bytes, _ingestion_errors: errors } = parsed.data;
    return {
      key,
      bytes,
      ...(typeof body === "string" ? { text: body } : {}),
      ...(errors.length === 0 ? {} : { problem: errors.join("; ") }),
    };
  }

  async #connector(): Promise<z.infer<typeof connectorShape> | undefined> {
    const { client, connectorId, signal } = this.context;
    const asked = client.call(
      "look at the connector",
      (api, call) => api.connector.get({ connector_id: connectorId }, call),
      signal,
    );
    const found = await unless(anyOf("missing"), asked);
    return found && connectorShape.parse(found);
  }

  async #jobs(from: number): Promise<{ readonly count: number; readonly jobs: readonly Job[] }> {
    const { client, connectorId, signal } = this.context;
    const { count, results } = await client.call(
      "list the connector's jobs",
      (api, call) =>
        api.connector.syncJobList(
          { connector_id: connectorId, job_type: "full", from, size: JOBS_PAGE },
          call,
        ),
      signal,
    );
    return { count, jobs: results.flatMap((job) => jobOf(job) ?? []) };
  }

  /** The indices behind a name. */
  async #behind(name: string): Promise<readonly string[]> {
    const { client, signal } = this.context;
    const found = client.call(
      "look at the indices",
      (api, call) => api.indices.getAlias({ index: name }, call),
      signal,
    );
    return Object.keys((await unless(anyOf("missing"), found)) ?? {});
  }
}

const STAGED_FIELDS = ["filename", "bucket", "size_in_bytes", "body", "_ingestion_errors"];

/** As Elastic's S3 connector makes them (`hash_id` of `bucket/key`). */
export function stagingId(bucket: string, key: string): string {
  return createHash("md5").update(`${bucket}/${key}`).digest("hex");
}

function jobOf(found: unknown): Job | undefined {
  const parsed = jobShape.safeParse(found);
  if (!parsed.success) return undefined;
  const { id, status, error, connector } = parsed.data;
  return {
    id,
    status,
    ruleIds: connector.filtering.flatMap(({ rules }) => rules.map((rule) => rule.id)),
    ...(typeof error === "string" ? { error } : {}),
  };
}
