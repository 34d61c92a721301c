/**
 * Makes the indices and looks after them: each is `<name>-v<n>` behind the alias `<name>`, so that a new version can
 * be filled while the old one is searched, and be put in its place in one step.
 */
import type { Clock } from "../../lib/clock.js";
import { LayoutUnknown } from "../../lib/layouts.js";
import type { Random } from "../../lib/random.js";
import { type BulkAction, writeBulk } from "./bulk.js";
import type { ElasticsearchClient, estypes } from "./client.js";
import { compareMappings, type IndexDefinition } from "./definitions.js";
import { REBUILD_LEASE, WRITER_LEASES } from "./elasticsearch-writer.js";
import { everyHit } from "./every-hit.js";
import { acquireLease, heldLeases } from "./lease.js";
import type { ElasticsearchOptions } from "./options.js";
import { refresh } from "./revision-families.js";
import { anyOf, unless } from "./versions.js";

export interface IndexAdminDeps {
  readonly client: ElasticsearchClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ElasticsearchOptions;
}

/** Nothing was changed; the message says why and what to do. */
export class IndexProblem extends Error {
  override readonly name = "IndexProblem";
}

/**
 * What stands at a name: an alias of one of our versions, an index of that very name, as the reference made them, or
 * nothing.
 */
export type Occupant =
  | { readonly type: "alias"; readonly index: string }
  | { readonly type: "index"; readonly index: string }
  | { readonly type: "missing" };

export type IndexCreation =
  | { readonly type: "created" | "unchanged"; readonly index: string }
  | { readonly type: "extended"; readonly index: string; readonly fields: readonly string[] };

export interface Rebuilt {
  readonly from: string;
  readonly to: string;
  readonly documents: number;
  readonly dropped: boolean;
}

/** Documents that are copied at once; few, since each may wait for the cluster's model. */
const COPY_DOCUMENTS = 100;

export class IndexAdmin {
  constructor(private readonly deps: IndexAdminDeps) {}

  /** What stands at a definition's name. */
  async occupant({ alias }: IndexDefinition, signal: AbortSignal): Promise<Occupant> {
    const found = await this.#orMissing(
      "look up an index",
      (api, call) => api.indices.getAlias({ index: alias }, call),
      signal,
    );
    const indices = Object.keys(found ?? {});
    if (indices.length === 0) return { type: "missing" };
    if (indices.length > 1) {
      const list = indices.join(", ");
      throw new IndexProblem(
        `The alias ${alias} stands for several indices (${list}). Leave it one of them.`,
      );
    }
    return { type: indices[0] === alias ? "index" : "alias", index: indices[0]! };
  }

  /**
   * Makes the index and its alias, or adds the fields that an existing one has not yet. Rejects with `IndexProblem`
   * where fields are there with another type.
   */
  async create(definition: IndexDefinition, signal: AbortSignal): Promise<IndexCreation> {
    const occupant = await this.occupant(definition, signal);
    if (occupant.type !== "missing") return this.#extend(definition, occupant.index, signal);
    const { alias, mappings } = definition;
    const versions = await this.#versions(alias, signal);
    const index = `${alias}-v${(versions.at(-1)?.version ?? 0) + 1}`;
    await this.deps.client.call(
      "create an index",
      (api, call) => api.indices.create({ index, mappings, aliases: { [alias]: {} } }, call),
      signal,
      { repeatable: false },
    );
    return { type: "created", index };
  }

  /** Adds those of `fields` that the index has not yet, whatever else it has or lacks. */
  async extend(definition: IndexDefinition, fields: readonly string[], signal: AbortSignal): Promise<void> {
    const { missing } = await this.compare(definition, definition.alias, signal);
    const wanted = Object.entries(missing).filter(([field]) => fields.includes(field));
    if (wanted.length > 0) await this.#addFields(definition.alias, Object.fromEntries(wanted), signal);
  }

  /** How an existing index differs from its definition. Rejects with `IndexProblem` where a later release made it. */
  async compare({ mappings }: IndexDefinition, index: string, signal: AbortSignal) {
    const found = await this.deps.client.call(
      "read a mapping",
      (api, call) => api.indices.getMapping({ index }, call),
      signal,
    );
    // Asked by an alias, it answers with the name of the index.
    try {
      return compareMappings(mappings, Object.values(found)[0]?.mappings ?? {});
    } catch (error) {
      if (!(error instanceof LayoutUnknown)) throw error;
      throw new IndexProblem(`${index} cannot be used: ${error.message}.`, { cause: error });
    }
  }

  /**
   * Fills a new version from the current one and puts it in its place. Nobody may write meanwhile, which leases see
   * to. What an interrupted rebuild left is removed first. Rejects with `IndexProblem`.
   */
  async rebuild(
    definition: IndexDefinition,
    { dropOld, onProgress }: { readonly dropOld: boolean; onProgress(done: number, total: number): void },
    signal: AbortSignal,
  ): Promise<Rebuilt> {
    const { alias } = definition;
    const occupant = await this.occupant(definition, signal);
    if (occupant.type === "missing")
      throw new IndexProblem(`There is no ${alias} yet. Run \`readback index create\`.`);
    if (occupant.type === "index" && !dropOld) {
      const message = `${alias} is an index, not an alias of one, so that its name is free only once it is gone.`;
      throw new IndexProblem(`${message} Make a snapshot of it, and run this with --drop-old.`);
    }
    return this.#alone(signal, async (inner) => {
      const to = await this.#emptyVersion(definition, occupant, inner);
      try {
        await this.#copy(definition, occupant.index, to, onProgress, inner);
      } catch (error) {
        await this.#removeIndex(to, new AbortController().signal);
        throw error;
      }
      const documents = await this.#count(to, inner);
      await this.#switch(alias, occupant, to, inner);
      if (dropOld && occupant.type === "alias") await this.#removeIndex(occupant.index, inner);
      return { from: occupant.index, to, documents, dropped: dropOld };
    });
  }

  async #extend(definition: IndexDefinition, index: string, signal: AbortSignal): Promise<IndexCreation> {
    const { missing, conflicts } = await this.compare(definition, index, signal);
    if (conflicts.length > 0) {
      const message = `${index} cannot be used as it is: ${conflicts.join("; ")}.`;
      throw new IndexProblem(`${message} Run \`readback index rebuild\`.`);
    }
    const fields = Object.keys(missing);
    if (fields.length === 0) return { type: "unchanged", index };
    await this.#addFields(index, missing, signal);
    return { type: "extended", index, fields };
  }

  async #addFields(
    index: string,
    properties: Record<string, estypes.MappingProperty>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.deps.client.call(
      "add fields",
      (api, call) => api.indices.putMapping({ index, properties }, call),
      signal,
    );
  }

  /** Holds the lease that keeps writers out, once none is at work. */
  async #alone<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { syncIndex } = this.deps.options;
    const lease = await acquireLease({ index: syncIndex, name: REBUILD_LEASE }, this.deps, signal);
    if (lease.type === "taken") throw new IndexProblem("Another rebuild is at work. Wait until it is done.");
    try {
      const writers = await heldLeases(syncIndex, WRITER_LEASES, this.deps, signal);
      if (writers.length > 0) {
        const names = writers.map((name) => JSON.stringify(name.slice(WRITER_LEASES.length))).join(", ");
        throw new IndexProblem(
          `Documents are being written (${names}). Wait until that is done, or stop it.`,
        );
      }
      return await work(AbortSignal.any([signal, lease.signal]));
    } finally {
      await lease.release(new AbortController().signal);
    }
  }

  async #emptyVersion(
    { alias, mappings }: IndexDefinition,
    occupant: Occupant,
    signal: AbortSignal,
  ): Promise<string> {
    const versions = await this.#versions(alias, signal);
    const current =
      versions.find(({ index }) => occupant.type === "alias" && index === occupant.index)?.version ?? 0;
    // Newer than the one in use: left behind by a rebuild that was interrupted.
    for (const { index, version } of versions) if (version > current) await this.#removeIndex(index, signal);
    const index = `${alias}-v${current + 1}`;
    await this.deps.client.call(
      "create an index",
      (api, call) => api.indices.create({ index, mappings }, call),
      signal,
      { repeatable: false },
    );
    return index;
  }

  /** The versions of a name that exist, oldest first. */
  async #versions(
    alias: string,
    signal: AbortSignal,
  ): Promise<readonly { index: string; version: number }[]> {
    const found = await this.#orMissing(
      "look up indices",
      (api, call) => api.indices.getAlias({ index: `${alias}-v*`, allow_no_indices: true }, call),
      signal,
    );
    return Object.keys(found ?? {})
      .map((index) => ({ index, version: Number(/^\d+$/.exec(index.slice(alias.length + 2))?.[0]) }))
      .filter(({ version }) => Number.isSafeInteger(version))
      .sort((a, b) => a.version - b.version);
  }

  /** Page by page through the same writes as everything else, which wait for a cluster whose model is busy. */
  async #copy(
    definition: IndexDefinition,
    from: string,
    to: string,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { vectorsDiffer } = await this.compare(definition, from, signal);
    await refresh(this.deps, [from], signal);
    const total = await this.#count(from, signal);
    const request = {
      index: from,
      query: { match_all: {} },
      fields: ["*"],
      // Newer servers leave vectors out of what they stored.
      values: vectorsDiffer ? [] : ["embedding"],
      pageSize: COPY_DOCUMENTS,
    };
    let done = 0;
    for await (const page of everyHit<Record<string, unknown>>(this.deps.client, request, signal)) {
      const actions = page.map(({ _id, _source, fields }): BulkAction => {
        const { embedding: _, ...rest } = _source ?? {};
        return { type: "index", id: _id!, document: vectorsDiffer ? rest : { ...fields, ..._source } };
      });
      await writeBulk(this.deps, to, actions, signal);
      done += page.length;
      onProgress(done, total);
    }
    await refresh(this.deps, [to], signal);
    const after = await this.#count(to, signal);
    if (total !== after)
      throw new IndexProblem(`${to} has ${after} documents after copying, ${from} has ${total}.`);
  }

  /** In one step, so that every search sees the one or the other. */
  async #switch(alias: string, occupant: Occupant, to: string, signal: AbortSignal): Promise<void> {
    const actions: estypes.IndicesUpdateAliasesAction[] = [{ add: { index: to, alias } }];
    if (occupant.type === "alias") actions.unshift({ remove: { index: occupant.index, alias } });
    if (occupant.type === "index") actions.unshift({ remove_index: { index: occupant.index } });
    await this.deps.client.call(
      "switch an alias",
      (api, call) => api.indices.updateAliases({ actions }, call),
      signal,
    );
  }

  async #removeIndex(index: string, signal: AbortSignal): Promise<void> {
    await this.#orMissing("remove an index", (api, call) => api.indices.delete({ index }, call), signal);
  }

  async #count(index: string, signal: AbortSignal): Promise<number> {
    const { count } = await this.deps.client.call(
      "count documents",
      (api, call) => api.count({ index }, call),
      signal,
    );
    return count;
  }

  /** The answer, or nothing where there is no such thing. */
  #orMissing<T>(...call: CallArguments<T>): Promise<T | undefined> {
    return unless(anyOf("missing"), this.deps.client.call(...call));
  }
}

type CallArguments<T> = Parameters<typeof ElasticsearchClient.prototype.call<T>>;
