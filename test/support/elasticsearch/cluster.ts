/** The state of the server: indices with their aliases, inference endpoints, points in time, connectors. */
import type { Clock } from "../../../src/lib/clock.js";
import { Connectors } from "./connectors.js";
import { ElasticsearchError, illegalArgument, indexAlreadyExists, indexNotFound } from "./errors.js";
import { type JsonObject, objectOf, onlyKeys } from "./json.js";
import { DEFAULT_INFERENCE_ID, type Snapshot, StoredIndex } from "./stored-index.js";

export interface PointInTime {
  readonly snapshots: readonly Snapshot[];
  keepUntilMs: number;
}

export class Cluster {
  readonly indices = new Map<string, StoredIndex>();
  /** Inference endpoints by their ids; a test may take them away. */
  readonly inference = new Map<string, JsonObject>([
    [
      DEFAULT_INFERENCE_ID,
      { inference_id: DEFAULT_INFERENCE_ID, task_type: "sparse_embedding", service: "elasticsearch" },
    ],
  ]);
  readonly pointsInTime = new Map<string, PointInTime>();
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

  createIndex(name: string, body: JsonObject): StoredIndex {
    onlyKeys(body, ["mappings", "aliases"], "create index");
    if (this.indices.has(name)) throw indexAlreadyExists(name);
    if (name !== name.toLowerCase() || /[\\/*?"<>| ,#:]|^[_\-+]/.test(name) || this.aliased(name).length > 0)
      throw new ElasticsearchError(400, "invalid_index_name_exception", `Invalid index name [${name}]`);
    const index = new StoredIndex(name, body, this.clock, (id) => this.inference.has(id));
    for (const alias of Object.keys(objectOf(body.aliases ?? {}, "aliases"))) this.putAlias(index, alias);
    this.indices.set(name, index);
    return index;
  }

  putAlias(index: StoredIndex, alias: string): void {
    if (this.indices.has(alias) || alias === index.name)
      throw new ElasticsearchError(
        400,
        "invalid_alias_name_exception",
        `Invalid alias name [${alias}]: an index or data stream exists with the same name as the alias`,
      );
    index.aliases.set(alias, {});
  }

  /** The indices that an alias points to. */
  aliased(alias: string): StoredIndex[] {
    return [...this.indices.values()].filter(({ aliases }) => aliases.has(alias));
  }

  /** The indices of an expression: names, aliases, `*`, separated by commas. */
  resolve(expression: string, allowNone = true): StoredIndex[] {
    const found = new Set<StoredIndex>();
    for (const part of expression.split(",")) {
      const some = this.#resolveOne(part);
      if (some.length === 0 && !isPattern(part)) throw indexNotFound(part);
      for (const index of some) found.add(index);
    }
    if (found.size === 0 && !allowNone) throw indexNotFound(expression);
    return [...found];
  }

  #resolveOne(part: string): StoredIndex[] {
    if (!isPattern(part)) {
      const index = this.indices.get(part);
      return index === undefined ? this.aliased(part) : [index];
    }
    const pattern = namePattern(part);
    return [...this.indices.values()].filter(
      ({ name, aliases }) => pattern.test(name) || [...aliases.keys()].some((alias) => pattern.test(alias)),
    );
  }

  /** The one index behind a name. */
  single(name: string): StoredIndex {
    const [index, ...others] = this.resolve(name);
    if (index === undefined) throw indexNotFound(name);
    if (others.length > 0)
      throw illegalArgument(`alias [${name}] has more than one index associated with it`);
    return index;
  }

  /** The index that a write through `name` goes to; a name that nothing has becomes an index, as on the server. */
  writeTarget(name: string): StoredIndex {
    const isKnown = this.indices.has(name) || this.aliased(name).length > 0;
    return isKnown ? this.single(name) : this.createIndex(name, {});
  }
}

export function isPattern(name: string): boolean {
  return name.includes("*") || name === "_all";
}

function namePattern(name: string): RegExp {
  if (name === "_all") return /^/;
  return new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
}
