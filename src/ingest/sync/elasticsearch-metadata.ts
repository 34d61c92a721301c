/**
 * The metadata index as the sync uses it. Its documents are written by whoever uploads (`status: pending`), with ids of
 * their own, and the sync only ever changes what it knows: a change applies to the version that was read, or not at
 * all. What the sync itself filled in is noted in `derived`, so that it is not taken for somebody's word later on.
 */
import { z } from "zod";
import type { Visibility } from "../../domain/passage.js";
import type { estypes } from "../../retrieval/elasticsearch/client.js";
import { everyHit } from "../../retrieval/elasticsearch/every-hit.js";
import { refresh } from "../../retrieval/elasticsearch/revision-families.js";
import {
  anyOf,
  noDocument,
  over,
  unless,
  type Version,
  versionOf,
} from "../../retrieval/elasticsearch/versions.js";
import { titleKey } from "../../retrieval/revision.js";
import { doubtOfProperty } from "../access/doubts.js";
import type { SessionContext } from "./elasticsearch-context.js";
import type { MetadataStore, SyncVerdict, WantedDocument, WantedPage } from "./port.js";

const text = z.string().min(1).nullish().catch(undefined);
const names = z
  .preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.string()))
  .nullish()
  .catch([]);

const fields = z.object({
  network: text,
  document_id: text,
  path: text,
  source_file: text,
  title: text,
  revision: text,
  visibility: z.unknown().optional(),
  allowed_users: names,
  allowed_groups: names,
  status: text,
  created_at: text,
  updated_at: text,
  ignore_marks: z.unknown().optional(),
  title_key: text,
  derived: z.object({ title: text, revision: text, visibility: text }).partial().nullish().catch({}),
});

type Fields = z.infer<typeof fields>;

/** What else metadata may hold that speaks of access: written by the sync, or by an ingest of the same network. */
const OTHER_FIELDS = [
  "uses_default_visibility",
  "superseded_for_network",
  "superseded_for_users",
  "superseded_for_groups",
];
const KNOWN_FIELDS: ReadonlySet<string> = new Set([...Object.keys(fields.shape), ...OTHER_FIELDS]);

/** The metadata are not those that were read any more. */
const CHANGED = anyOf("missing", "conflict");

/** Documents whose chunks are looked at together. */
const PENDING_PAGE_SIZE = 250;

export class ElasticsearchMetadata implements MetadataStore {
  constructor(private readonly context: SessionContext) {}

  async wanted(status: "pending" | "deleted", limit: number): Promise<WantedPage> {
    const { client, options, signal } = this.context;
    const index = options.metadataIndex;
    await refresh(this.context, [index], signal);
    const { hits } = await client.call(
      "look for documents to sync",
      (api, call) =>
        api.search(
          {
            index,
            size: limit,
            query: pickedBy(status),
            sort: [
              { created_at: { order: "asc", missing: "_first", unmapped_type: "date" } },
              { document_id: { order: "asc", missing: "_first", unmapped_type: "keyword" } },
            ],
            seq_no_primary_term: true,
            track_total_hits: true,
            allow_partial_search_results: false,
          },
          call,
        ),
      signal,
    );
    const total = typeof hits.total === "number" ? hits.total : (hits.total?.value ?? hits.hits.length);
    return { documents: hits.hits.map((hit) => this.#decodeHit(hit)), total };
  }

  /** Everything with status `pending`, in pages, as of the last refresh. */
  async *everyPending(): AsyncGenerator<readonly WantedDocument[]> {
    const { client, options, signal } = this.context;
    const request = {
      index: options.metadataIndex,
      query: pickedBy("pending"),
      fields: ["*"],
      versions: true,
      pageSize: PENDING_PAGE_SIZE,
    };
    for await (const page of everyHit(client, request, signal)) yield page.map((hit) => this.#decodeHit(hit));
  }

  async document(metadataId: string): Promise<WantedDocument | undefined> {
    const { client, options, signal } = this.context;
    const read = client.call(
      "read a document's metadata",
      (api, call) => api.get({ index: options.metadataIndex, id: metadataId }, call),
      signal,
    );
    const found = await unless(noDocument, read);
    return found && this.#decode(metadataId, versionOf(found), found._source);
  }

  async mark(document: WantedDocument, verdict: SyncVerdict): Promise<boolean> {
    const now = new Date(this.context.clock.now()).toISOString();
    if (verdict.type === "failed") {
      const gone = verdict.withdrawn ? { content_hash: null, chunk_count: 0, title_key: null } : {};
      const changes = { status: "failed", error: verdict.reason, ...gone };
      return (await this.update(document, changes)) !== undefined;
    }
    const { contentHash, chunkCount } = verdict.copy;
    const changes = {
      status: "synced",
      error: null,
      synced_at: now,
      source_file: document.key,
      content_hash: contentHash,
      chunk_count: chunkCount,
      uses_default_visibility: document.usesDefaultVisibility,
    };
    return (await this.update(document, changes)) !== undefined;
  }

  async forget({ metadataId, version }: WantedDocument): Promise<boolean> {
    const { client, fence, options, signal } = this.context;
    fence();
    const target = { index: options.metadataIndex, id: metadataId, ...over(version) };
    const deleted = client.call(
      "delete a document's metadata",
      (api, call) => api.delete(target, call),
      signal,
    );
    return (await unless(CHANGED, deleted)) !== undefined;
  }

  /** Changes some fields of the version that was read; returns the new version, or `undefined` for a conflict. */
  async update({ metadataId, version }: WantedDocument, changes: object): Promise<Version | undefined> {
    const { client, fence, options, signal } = this.context;
    fence();
    const target = { index: options.metadataIndex, id: metadataId, ...over(version) };
    const write = client.call(
      "write a document's metadata",
      (api, call) => api.update({ ...target, doc: changes }, call),
      signal,
    );
    const written = await unless(CHANGED, write);
    return written && versionOf(written);
  }

  /**
   * Writes down what the document is called, so that its revisions find each other, and its visibility. Returns the
   * version then, or `undefined` for a conflict. The lists of users and groups are never touched.
   */
  async describe(
    document: WantedDocument,
    { title, revision }: { readonly title: string; readonly revision?: string },
  ): Promise<Version | undefined> {
    const { stored, version } = document;
    const { visibility } = document.access;
    const isTold =
      stored.title === title &&
      stored.titleKey === titleKey(title) &&
      stored.revision === revision &&
      stored.visibility === visibility;
    if (isTold) return version;
    return this.update(document, {
      title,
      title_key: titleKey(title),
      revision: revision ?? null,
      visibility,
      derived: {
        title: document.title === undefined ? title : null,
        revision: document.revision === undefined ? (revision ?? null) : null,
        visibility: document.visibilityIsGiven ? null : visibility,
      },
    });
  }

  /** Takes back a visibility that the sync wrote down and that is wider than what follows from the metadata now. */
  async narrow(document: WantedDocument): Promise<void> {
    const { access, stored, visibilityIsGiven } = document;
    if (visibilityIsGiven || stored.visibility !== "network" || access.visibility === "network") return;
    await this.update(document, { visibility: "restricted", derived: { visibility: "restricted" } });
  }

  #decodeHit(hit: estypes.SearchHit): WantedDocument {
    return this.#decode(hit._id!, versionOf(hit), hit._source);
  }

  #decode(metadataId: string, version: Version, source: unknown): WantedDocument {
    const fieldsOf = fields.parse(source ?? {});
    const { bucket, defaultVisibility } = this.context;
    const { network, title, revision, visibility, allowed_users, allowed_groups, title_key } = fieldsOf;
    const key = keyOf(fieldsOf, bucket);
    const doubt = doubtOf(source);
    const flaw = doubt ?? flawOf(fieldsOf, key, bucket);
    const derived = fieldsOf.derived ?? {};
    const visibilityIsGiven = visibility != null && visibility !== derived.visibility;
    const hasLists = allowed_users != null || allowed_groups != null;
    const given = visibilityIsGiven ? visibility : undefined;
    const since = Date.parse(fieldsOf.updated_at ?? fieldsOf.created_at ?? "");
    return {
      metadataId,
      version,
      documentId: fieldsOf.document_id ?? metadataId,
      path: `s3://${bucket}/${key ?? ""}`,
      key: key ?? "",
      ...(flaw === undefined ? {} : { flaw }),
      ...(doubt === undefined ? {} : { inDoubt: true }),
      ...(title != null && title !== derived.title ? { title } : {}),
      ...(revision != null && revision !== derived.revision ? { revision } : {}),
      access: {
        network: network ?? "",
        ...(doubt === undefined
          ? {
              visibility: visibilityOf(given, hasLists, defaultVisibility),
              allowedUsers: allowed_users ?? [],
              allowedGroups: allowed_groups ?? [],
            }
          : NOBODY),
      },
      visibilityIsGiven,
      ...(String(fieldsOf.ignore_marks) === "true" ? { ignoreMarks: true } : {}),
      usesDefaultVisibility: !visibilityIsGiven && !hasLists,
      status: fieldsOf.status ?? "",
      ...(Number.isNaN(since) ? {} : { sinceMs: since }),
      stored: {
        ...(title == null ? {} : { title }),
        ...(title_key == null ? {} : { titleKey: title_key }),
        ...(revision == null ? {} : { revision }),
        ...(typeof visibility === "string" ? { visibility } : {}),
      },
    };
  }
}

const NOBODY = { visibility: "restricted", allowedUsers: [], allowedGroups: [] } as const;

/** A field that is not ours and looks like ours: `visiblity`, `allowed_user`. */
function doubtOf(source: unknown): string | undefined {
  for (const field of Object.keys(source ?? {})) {
    const doubt = KNOWN_FIELDS.has(field) ? undefined : doubtOfProperty("its metadata", field, true);
    if (doubt !== undefined)
      return `${doubt}. Write \`visibility\`, \`allowed_users\` or \`allowed_groups\` and mark it as pending again`;
  }
  return undefined;
}

/** Metadata in this state, but for those that another writer is at work on. */
function pickedBy(status: "pending" | "deleted"): estypes.QueryDslQueryContainer {
  return { bool: { filter: [{ term: { status } }], must_not: [{ exists: { field: "unfinished" } }] } };
}

/**
 * A word other than `network` means restricted. Without one, lists do: in the reference system a document with lists is
 * for those in them, and with empty lists for nobody.
 */
function visibilityOf(given: unknown, hasLists: boolean, byDefault: Visibility): Visibility {
  if (given !== undefined) return given === "network" ? "network" : "restricted";
  return hasLists ? "restricted" : byDefault;
}

function keyOf({ path, source_file }: Fields, bucket: string): string | undefined {
  const place = path ?? source_file ?? "";
  const address = `s3://${bucket}/`;
  const key = place.startsWith(address) ? place.slice(address.length) : place;
  return key === "" || key.startsWith("s3://") ? undefined : key;
}

function flawOf(
  { network, path, source_file }: Fields,
  key: string | undefined,
  bucket: string,
): string | undefined {
  if (network == null) return "its metadata name no network; set `network` and mark it as pending again";
  if (key !== undefined) return undefined;
  const place = path ?? source_file;
  if (place == null) return "its metadata name no object; set `path` to its key and mark it as pending again";
  return `${place} does not lie in the bucket ${bucket}, which is the one that the connector reads`;
}
