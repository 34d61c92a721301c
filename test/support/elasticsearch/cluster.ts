/** The state of the server: indices with their aliases, inference endpoints, points in time, tasks. */
import type { Clock } from "../../../src/lib/clock.js";
import { Connectors } from "./connectors.js";
import {
  ElasticsearchError,
  illegalArgument,
  indexAlreadyExists,
  indexNotFound,
  NotSupported,
} from "./errors.js";
import { isObject, type Json, type JsonObject, objectOf, onlyKeys } from "./json.js";
import { DEFAULT_INFERENCE_ID, type Snapshot, StoredIndex } from "./stored-index.js";

export interface PointInTime {
  readonly snapshots: readonly Snapshot[];
  keepUntilMs: number;
}

export interface Task {
  readonly id: string;
  readonly action: string;
  readonly description: string;
  readonly startedAtMs: number;
  state:
    | { readonly kind: "running" }
    | { readonly kind: "done"; readonly response: JsonObject }
    | { readonly kind: "failed"; readonly error: JsonObject };
  status: JsonObject;
}

/** What happens to names that stand for no index. */
export interface Resolving {
  readonly ignoreUnavailable?: boolean;
  readonly allowNoIndices?: boolean;
}

export class Cluster {
  readonly indices = new Map<string, StoredIndex>();
  /** Inference endpoints by their ids, as they were put. */
  readonly inference = new Map<string, JsonObject>([
    [
      DEFAULT_INFERENCE_ID,
      {
        inference_id: DEFAULT_INFERENCE_ID,
        task_type: "sparse_embedding",
        service: "elasticsearch",
        service_settings: { num_threads: 1, model_id: ".elser_model_2_linux-x86_64" },
      },
    ],
  ]);
  readonly pointsInTime = new Map<string, PointInTime>();
  readonly tasks = new Map<string, Task>();
  readonly connectors: Connectors;
  #ids = 0;

  constructor(
    readonly clock: Clock,
    readonly version: string,
  ) {
    this.connectors = new Connectors(clock);
  }

  /** A number that was not given before. */
  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  /** An id as the server makes them for documents without one: 20 characters. */
  nextDocumentId(): string {
    return `doc${String(this.nextId()).padStart(17, "0")}`;
  }

  createIndex(name: string, body: JsonObject): StoredIndex {
    onlyKeysOfCreate(body);
    checkName(name);
    if (this.indices.has(name)) throw indexAlreadyExists(name);
    if (this.aliased(name).length > 0)
      throw new ElasticsearchError(
        400,
        "invalid_index_name_exception",
        `Invalid index name [${name}], already exists as alias`,
        { index_uuid: "_na_", index: name },
      );
    const index = new StoredIndex(name, body, this.clock, (id) => this.inference.has(id));
    for (const [alias, settings] of Object.entries(objectOf(body.aliases ?? {}, "aliases")))
      this.putAlias(index, alias, objectOf(settings, alias));
    this.indices.set(name, index);
    return index;
  }

  putAlias(index: StoredIndex, alias: string, settings: JsonObject): void {
    const { filter, is_hidden: _, ...rest } = settings;
    if (filter !== undefined) throw new NotSupported("filtered aliases");
    onlyKeys(rest, ["is_write_index", "routing", "index_routing", "search_routing"], "alias");
    if (this.indices.has(alias) || alias === index.name)
      throw new ElasticsearchError(
        400,
        "invalid_alias_name_exception",
        `Invalid alias name [${alias}]: an index or data stream exists with the same name as the alias`,
      );
    index.aliases.set(alias, rest);
  }

  /** The indices that an alias points to. */
  aliased(alias: string): StoredIndex[] {
    return [...this.indices.values()].filter(({ aliases }) => aliases.has(alias));
  }

  /** The indices of an expression: names, aliases, `*`, separated by commas. */
  resolve(
    expression: string,
    { ignoreUnavailable = false, allowNoIndices = true }: Resolving = {},
  ): StoredIndex[] {
    const found = new Set<StoredIndex>();
    for (const part of expression.split(",")) {
      const some = this.#resolveOne(part);
      if (some.length === 0 && !isPattern(part) && !ignoreUnavailable) throw indexNotFound(part);
      for (const index of some) found.add(index);
    }
    if (found.size === 0 && !allowNoIndices) throw indexNotFound(expression);
    return [...found];
  }

  #resolveOne(part: string): StoredIndex[] {
    if (part === "_all" || part === "") return [...this.indices.values()];
    if (!isPattern(part)) {
      const index = this.indices.get(part);
      return index === undefined ? this.aliased(part) : [index];
    }
    const pattern = namePattern(part);
    return [...this.indices.values()].filter(
      ({ name, aliases }) => pattern.test(name) || [...aliases.keys()].some((alias) => pattern.test(alias)),
    );
  }

  /** The one index behind a name, for reading a document. */
  single(name: string): StoredIndex {
    const [index, ...others] = this.resolve(name);
    if (index === undefined) throw indexNotFound(name);
    if (others.length > 0)
      throw illegalArgument(
        `alias [${name}] has more than one index associated with it [${[index, ...others].map((one) => one.name).join(", ")}], can't execute a single index op`,
      );
    return index;
  }

  /** The index that a write through `name` goes to; a name that nothing has becomes an index, as on the server. */
  writeTarget(name: string, requireAlias = false): StoredIndex {
    const index = this.indices.get(name);
    const behind = this.aliased(name);
    if (requireAlias && behind.length === 0)
      throw indexNotFoundFor(
        name,
        `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
      );
    if (index !== undefined) return writable(index);
    if (behind.length === 0) return this.createIndex(name, {});
    const written =
      behind.find(({ aliases }) => aliases.get(name)?.is_write_index === true) ??
      (behind.length === 1 && behind[0]!.aliases.get(name)?.is_write_index !== false ? behind[0] : undefined);
    if (written === undefined)
      throw illegalArgument(
        `no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
      );
    return writable(written);
  }
}

function writable(index: StoredIndex): StoredIndex {
  if (index.health === "red")
    throw new ElasticsearchError(
      503,
      "unavailable_shards_exception",
      `[${index.name}][0] primary shard is not active Timeout: [1m], request: [BulkShardRequest [[${index.name}][0]]]`,
    );
  return index;
}

function indexNotFoundFor(name: string, reason: string): ElasticsearchError {
  const { type, details } = indexNotFound(name);
  return new ElasticsearchError(404, type, reason, details);
}

export function isPattern(name: string): boolean {
  return name.includes("*") || name === "_all";
}

export function namePattern(name: string): RegExp {
  if (name === "_all") return /^/;
  return new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
}

function checkName(name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined)
    throw new ElasticsearchError(
      400,
      "invalid_index_name_exception",
      `Invalid index name [${name}], ${problem}`,
      {
        index_uuid: "_na_",
        index: name,
      },
    );
}

function nameProblem(name: string): string | undefined {
  if (name !== name.toLowerCase()) return "must be lowercase";
  if (/[\\/*?"<>| ,#:]/.test(name))
    return `must not contain the following characters ['\\','/','*','?','"','<','>','|',' ',',']`;
  if (/^[_\-+]/.test(name)) return "must not start with '_', '-', or '+'";
  if (name === "." || name === "..") return "must not be '.' or '..'";
  return Buffer.byteLength(name) > 255 ? "index name is too long" : undefined;
}

function onlyKeysOfCreate(body: JsonObject): void {
  const unknown = Object.keys(body).find((key) => !["settings", "mappings", "aliases"].includes(key));
  if (unknown !== undefined)
    throw new ElasticsearchError(400, "parse_exception", `unknown key [${unknown}] for create index`);
  for (const key of ["settings", "mappings", "aliases"]) {
    const value: Json | undefined = body[key];
    if (value !== undefined && !isObject(value))
      throw new ElasticsearchError(400, "parse_exception", `key [${key}] must be an object`);
  }
}
