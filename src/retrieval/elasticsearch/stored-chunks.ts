/**
 * How chunks and documents are stored, field by field (`deploy/elasticsearch/`), and how they are read back: what is
 * missing or odd grants nothing. Pure.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { ChunkKind, DocumentAccess } from "../../domain/passage.js";
import { embeddedText } from "../embedding/embedded-text.js";
import { titleKey } from "../revision.js";
import type { KnowledgeChunk, KnowledgeDocument } from "../writer.js";
import { type Grants, NOBODY } from "./access-query.js";

/** The id of a document or chunk in its index: names of any length and alphabet, apart for each network. */
export function storedId(network: string, name: string): string {
  return createHash("sha256").update(`${network}\u0000${name}`).digest("base64url");
}

/** What a document's revisions among those of its title make of it. */
export interface Standing {
  /** Who may read a newer revision of it, all of these together. */
  readonly supersededFor: Grants;
  readonly hasOlderRevisions: boolean;
}

export const ALONE: Standing = { supersededFor: NOBODY, hasOlderRevisions: false };

/** A chunk as it was found. */
export interface StoredChunk {
  readonly chunkId: string;
  readonly documentId: string;
  readonly title: string;
  readonly titleKey: string;
  readonly revision?: string;
  readonly sourceFile: string;
  readonly headings: readonly string[];
  readonly page?: number;
  readonly position: number;
  readonly kind: ChunkKind;
  readonly text: string;
  readonly bands: readonly string[];
  readonly access: DocumentAccess;
  readonly standing: Standing;
}

/**
 * `put`, `remove`: a writer has begun to and not finished; what is to be read of it in the meantime is in its chunks.
 * `pending` and `failed` are the sync service's.
 */
export type UnfinishedWrite = "put" | "remove";

/** What the metadata index keeps of a document. */
export interface StoredMetadata {
  readonly documentId: string;
  readonly path: string;
  readonly sourceFile: string;
  readonly title: string;
  readonly titleKey: string;
  readonly revision?: string;
  readonly access: DocumentAccess;
  readonly usesDefaultVisibility: boolean;
  readonly contentHash: string;
  readonly chunkCount: number;
  readonly standing: Standing;
  readonly unfinished?: UnfinishedWrite;
  /** Titles whose revisions have to be looked at again before this document is finished. */
  readonly unsettledTitleKeys: readonly string[];
  readonly createdAt?: string;
}

/** The fields of a chunk that `decodeChunk` reads. */
export const CHUNK_FIELDS = [
  ...[
    "network",
    "chunk_id",
    "document_id",
    "title",
    "title_key",
    "revision",
    "source_file",
    "headings",
    "page",
  ],
  ...["position", "doc_type", "block_type", "tags", "text", "content", "bands"],
  ...["visibility", "allowed_users", "allowed_groups"],
  ...["superseded_for_network", "superseded_for_users", "superseded_for_groups", "has_older_revisions"],
];

export const METADATA_FIELDS = [
  ...["network", "document_id", "path", "source_file", "title", "title_key", "revision", "content_hash"],
  ...["uses_default_visibility", "chunk_count", "unfinished", "unsettled_title_keys", "created_at"],
  ...["visibility", "allowed_users", "allowed_groups"],
  ...["superseded_for_network", "superseded_for_users", "superseded_for_groups", "has_older_revisions"],
];

/** The fields of an access, for partial updates. */
export function encodeGrants({ visibility, allowedUsers, allowedGroups }: Grants): object {
  return {
    visibility,
    allowed_users: [...new Set(allowedUsers)],
    allowed_groups: [...new Set(allowedGroups)],
  };
}

export function encodeStanding({ supersededFor, hasOlderRevisions }: Standing): object {
  return {
    superseded_for_network: supersededFor.visibility === "network",
    superseded_for_users: [...new Set(supersededFor.allowedUsers)],
    superseded_for_groups: [...new Set(supersededFor.allowedGroups)],
    has_older_revisions: hasOlderRevisions,
  };
}

export interface ChunkPlace {
  readonly network: string;
  readonly document: KnowledgeDocument;
  readonly position: number;
  readonly standing: Standing;
  readonly bands: readonly string[];
  /** Whether the cluster's own model reads it as well. */
  readonly semantic: boolean;
}

/** A chunk with all its fields: one write changes text and access together. */
export function encodeChunk(
  { chunkId, headings, page, kind, text, vector }: KnowledgeChunk,
  { network, document, position, standing, bands, semantic }: ChunkPlace,
): object {
  return {
    network,
    document_id: document.documentId,
    chunk_id: chunkId,
    position,
    ...namesOf(document),
    path: document.path,
    headings,
    section: headings.at(-1) ?? "",
    ...(page === undefined ? {} : { page }),
    doc_type: kind.docType,
    block_type: kind.blockType,
    tags: kind.tags,
    text,
    // Where it stands and what it says, as for vectors. By value and not by `copy_to`: servers before 8.18 refuse
    // partial updates that leave out the field copied from.
    ...(semantic ? { semantic_text: embeddedText(document.title, headings, text) } : {}),
    ...(vector === undefined || vector.every((value) => value === 0) ? {} : { embedding: [...vector] }),
    bands,
    ...encodeGrants(document.access),
    ...encodeStanding(standing),
  };
}

/** What is known of a document once everything of it is written. */
export function encodeMetadata(network: string, document: KnowledgeDocument, standing: Standing): object {
  return {
    network,
    document_id: document.documentId,
    path: document.path,
    ...namesOf(document),
    ...encodeGrants(document.access),
    ...encodeStanding(standing),
    uses_default_visibility: document.usesDefaultVisibility,
    content_hash: document.contentHash,
    chunk_count: document.chunks.length,
  };
}

function namesOf({ title, revision, sourceFile }: KnowledgeDocument): object {
  return {
    title,
    title_key: titleKey(title),
    ...(revision === undefined ? {} : { revision }),
    source_file: sourceFile,
  };
}

/** One value, several, or none: Elasticsearch takes a field either way. */
const strings = z.preprocess(
  (value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]),
  z.array(z.string()),
);
const text = z.string().nullish();

const accessFields = z.object({
  network: z.string(),
  visibility: text,
  allowed_users: strings,
  allowed_groups: strings,
});

const standingFields = z.object({
  superseded_for_network: z.boolean().nullish(),
  superseded_for_users: strings,
  superseded_for_groups: strings,
  has_older_revisions: z.boolean().nullish(),
});

const names = z.object({ title: text, title_key: text, revision: text, source_file: text });

const DOC_TYPES = ["spec", "code", "code_example", "config", "bnf", "data"] as const;

const chunkFields = accessFields
  .extend(standingFields.shape)
  .extend(names.shape)
  .extend({
    chunk_id: text,
    document_id: z.string(),
    headings: strings,
    page: z.int().nullish(),
    position: z.int().nullish(),
    doc_type: z.enum(DOC_TYPES).catch("spec"),
    block_type: text,
    tags: strings,
    text,
    content: text,
    bands: strings,
  });

const metadataFields = accessFields
  .extend(standingFields.shape)
  .extend(names.shape)
  .extend({
    document_id: z.string(),
    path: text,
    uses_default_visibility: z.boolean().nullish(),
    content_hash: text,
    chunk_count: z.int().nullish(),
    unfinished: z.enum(["put", "remove"]).nullish(),
    unsettled_title_keys: strings,
    created_at: text,
  });

/** A chunk from its `_source`; `undefined` where it names no network or document, or has no text. */
export function decodeChunk(id: string, source: unknown): StoredChunk | undefined {
  const parsed = chunkFields.safeParse(source);
  if (!parsed.success) return undefined;
  const stored = parsed.data;
  const body = stored.text ?? stored.content;
  if (body === null || body === undefined) return undefined;
  return {
    ...decodedNames(stored, stored.document_id),
    chunkId: stored.chunk_id ?? id,
    documentId: stored.document_id,
    headings: stored.headings,
    ...(typeof stored.page === "number" ? { page: stored.page } : {}),
    position: stored.position ?? 0,
    kind: { docType: stored.doc_type, blockType: stored.block_type ?? "prose", tags: stored.tags },
    text: body,
    bands: stored.bands,
    access: decodedAccess(stored),
    standing: decodedStanding(stored),
  };
}

/** A document from its `_source`; `undefined` where it names no network or document. */
export function decodeMetadata(source: unknown): StoredMetadata | undefined {
  const parsed = metadataFields.safeParse(source);
  if (!parsed.success) return undefined;
  const stored = parsed.data;
  return {
    ...decodedNames(stored, stored.document_id),
    documentId: stored.document_id,
    path: stored.path ?? stored.document_id,
    access: decodedAccess(stored),
    usesDefaultVisibility: stored.uses_default_visibility ?? false,
    contentHash: stored.content_hash ?? "",
    chunkCount: stored.chunk_count ?? 0,
    standing: decodedStanding(stored),
    ...(stored.unfinished ? { unfinished: stored.unfinished } : {}),
    unsettledTitleKeys: stored.unsettled_title_keys,
    ...(typeof stored.created_at === "string" ? { createdAt: stored.created_at } : {}),
  };
}

function decodedNames(stored: z.infer<typeof names>, documentId: string) {
  const title = stored.title ?? documentId;
  return {
    title,
    titleKey: stored.title_key ?? titleKey(title),
    ...(typeof stored.revision === "string" ? { revision: stored.revision } : {}),
    sourceFile: stored.source_file ?? "",
  };
}

/** Any other word than `network`, and none, means restricted. */
function decodedAccess(stored: z.infer<typeof accessFields>): DocumentAccess {
  return {
    network: stored.network,
    visibility: stored.visibility === "network" ? "network" : "restricted",
    allowedUsers: stored.allowed_users,
    allowedGroups: stored.allowed_groups,
  };
}

function decodedStanding(stored: z.infer<typeof standingFields>): Standing {
  return {
    supersededFor: {
      visibility: stored.superseded_for_network === true ? "network" : "restricted",
      allowedUsers: stored.superseded_for_users,
      allowedGroups: stored.superseded_for_groups,
    },
    hasOlderRevisions: stored.has_older_revisions ?? false,
  };
}
