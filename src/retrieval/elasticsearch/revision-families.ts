/**
 * The revisions of a title in the index: who is superseded for whom once some documents have changed, and how the others
 * learn of it.
 */
import { grouped } from "../../lib/grouped.js";
import { titleKey } from "../revision.js";
import { type BulkAction, writeBulk } from "./bulk.js";
import type { ElasticsearchClient } from "./client.js";
import { everyHit } from "./every-hit.js";
import type { ElasticsearchOptions } from "./options.js";
import { type FamilyMember, sameStanding, standings } from "./standing.js";
import {
  ALONE,
  decodeMetadata,
  encodeStanding,
  METADATA_FIELDS,
  type Standing,
  type StoredMetadata,
  storedId,
} from "./stored-chunks.js";

export interface FamiliesDeps {
  readonly client: ElasticsearchClient;
  readonly options: ElasticsearchOptions;
}

/** A document as it will be after the change. */
export interface ChangedMember extends FamilyMember {
  readonly title: string;
}

export interface Families {
  /** Of every document of the titles, the changed ones included. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** The documents of the titles that do not change themselves. */
  readonly others: readonly StoredMember[];
}

/** A document of a title, with the id of its metadata. */
export interface StoredMember extends StoredMetadata {
  readonly id: string;
}

/** Values in one `terms` clause. */
const TERMS_MAX = 1_000;

export class ElasticsearchFamilies {
  constructor(
    private readonly deps: FamiliesDeps,
    private readonly network: string,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Every document of these titles as it will be, and what that makes of each: `changed` are the documents that are
   * written, `changedIds` those and the ones that are removed. Rejects with `ElasticsearchProblem`.
   */
  async find(
    titleKeys: ReadonlySet<string>,
    changed: readonly ChangedMember[],
    changedIds: readonly string[],
  ): Promise<Families> {
    const members = changed.filter(({ title }) => titleKeys.has(titleKey(title)));
    const left = new Set(changedIds);
    const others: StoredMember[] = [];
    if (titleKeys.size > 0) {
      await refresh(this.deps, [this.deps.options.metadataIndex], this.signal);
      for (const some of slices([...titleKeys], TERMS_MAX)) {
        for await (const document of this.#metadata({ terms: { title_key: some } })) {
          if (!left.has(document.documentId) && document.unfinished !== "remove") others.push(document);
        }
      }
    }
    const keyed = [
      ...others.map((one) => ({ key: one.titleKey, member: one as FamilyMember })),
      ...members.map((one) => ({ key: titleKey(one.title), member: one as FamilyMember })),
    ];
    const found = [...grouped(keyed, ({ key }) => key).values()].flatMap((family) => [
      ...standings(family.map(({ member }) => member)),
    ]);
    return { standings: new Map(found), others };
  }

  /** Tells the other revisions of the titles where they stand: their chunks first, since that can be done again. */
  async settle({ standings, others }: Families): Promise<void> {
    const moved = others.filter(
      ({ documentId, standing }) => !sameStanding(standing, standings.get(documentId) ?? ALONE),
    );
    if (moved.length === 0) return;
    const { embeddingsIndex, metadataIndex } = this.deps.options;
    const actions: BulkAction[] = [];
    await refresh(this.deps, [embeddingsIndex], this.signal);
    const ids = moved.map(({ documentId }) => documentId);
    for await (const { id, documentId } of chunksOf(this.deps, this.network, ids, this.signal)) {
      actions.push({ type: "update", id, document: encodeStanding(standings.get(documentId) ?? ALONE) });
    }
    await this.#bulk(embeddingsIndex, actions);
    const told = moved.map(({ id, documentId }): BulkAction => {
      return { type: "update", id, document: encodeStanding(standings.get(documentId) ?? ALONE) };
    });
    await this.#bulk(metadataIndex, told);
  }

  async *#metadata(clause: object): AsyncGenerator<StoredMember> {
    const request = {
      index: this.deps.options.metadataIndex,
      query: { bool: { filter: [{ term: { network: this.network } }, clause] } },
      fields: METADATA_FIELDS,
    };
    for await (const page of everyHit(this.deps.client, request, this.signal)) {
      for (const { _id, _source } of page) {
        const document = decodeMetadata(_source);
        if (document !== undefined)
          yield { ...document, id: _id ?? storedId(this.network, document.documentId) };
      }
    }
  }

  #bulk(index: string, actions: Iterable<BulkAction>): Promise<void> {
    return writeBulk(this.deps, index, actions, this.signal);
  }
}

/** The stored chunks of these documents, as of the last refresh. */
export async function* chunksOf(
  { client, options }: FamiliesDeps,
  network: string,
  documentIds: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<{ id: string; documentId: string }> {
  for (const some of slices(documentIds, TERMS_MAX)) {
    const request = {
      index: options.embeddingsIndex,
      query: { bool: { filter: [{ term: { network } }, { terms: { document_id: some } }] } },
      fields: ["document_id"],
    };
    for await (const page of everyHit<{ document_id: string }>(client, request, signal)) {
      for (const { _id, _source } of page) yield { id: _id!, documentId: _source!.document_id };
    }
  }
}

/** What was written before can be found from here on. */
export async function refresh(
  { client }: Pick<FamiliesDeps, "client">,
  index: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await client.call(
    "refresh the indices",
    (api, options) => api.indices.refresh({ index: [...index] }, options),
    signal,
  );
}

function* slices<T>(values: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}
