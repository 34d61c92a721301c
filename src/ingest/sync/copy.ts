/** What the connector has put into the staging index to a document with the permissions that its metadata give. */
import { extname } from "node:path";
import type { Visibility } from "../../domain/passage.js";
import type { KnowledgeDocument } from "../../retrieval/writer.js";
import type { AccessDoubt } from "../access/doubts.js";
import { type Embedding, type EmbeddingResult, EmbedStage } from "../embed.js";
import type { DocumentReader, ReadProblemKind } from "../reader.js";
import type { ReadRetryDeps } from "../retry.js";
import type { BatchDocument, Copy, Weight } from "./batch.js";
import type { StagedObject, SyncSession, WantedDocument } from "./port.js";

export interface CopyDeps extends ReadRetryDeps {
  readonly reader: DocumentReader;
  /** Absent: chunks get no vectors. */
  readonly embedding?: Embedding;
}

/** What the connector leaves out: `max_file_size` of its framework. */
export const CONNECTOR_BYTES_MAX = 10_485_760;

/**
 * Copies one document of a batch. Rejects only with what concerns all of them; what is wrong with this one is in the
 * result. `isLast`: it is not tried again.
 */
export async function copyDocument(
  session: SyncSession,
  deps: CopyDeps,
  { metadataId, version, key }: BatchDocument,
  isLast: boolean,
): Promise<Copy> {
  const failed = (reason: string, weight: Weight, withdrawn: boolean, inDoubt?: boolean): Copy => {
    return {
      metadataId,
      type: "failed",
      reason,
      weight,
      withdrawn,
      ...(inDoubt === true ? { inDoubt } : {}),
    };
  };
  const wanted = await session.metadata.document(metadataId);
  if (wanted === undefined || !isStill(wanted, version)) return { metadataId, type: "changed" };
  const staged = await session.connector.staged(key);
  // The connector also leaves out what it could not list, and says nothing.
  if (staged === undefined) return failed(`the connector did not find ${wanted.path}`, "counted", true);
  const text = textOf(staged);
  if (text.type === "none") return failed(text.reason, "lasting", true);
  const read = await readText(text.text, wanted, deps.reader, session.signal);
  if (read.type === "problem")
    return failed(read.message, WEIGHTS[read.kind], WEIGHTS[read.kind] === "lasting");
  const doubt = doubtOf(read, wanted);
  if (doubt !== undefined) return failed(doubt, "lasting", true, true);
  const embedded = await embed(read.document, deps, session.signal);
  if (embedded.type === "failed" && !isLast) return failed(embedded.message, "counted", false);
  const result = await session.chunks.copy(wanted, embedded.document);
  switch (result.type) {
    case "copied":
      return { metadataId, type: "copied", copy: result.copy, version: result.version };
    case "changed":
      return { metadataId, type: "changed" };
    case "busy":
      return failed(result.reason, "passing", false);
  }
}

export function isStill({ status, version }: WantedDocument, then: BatchDocument["version"]): boolean {
  return status === "pending" && version.seqNo === then.seqNo && version.primaryTerm === then.primaryTerm;
}

/** Whether reading the same bytes again may end otherwise. */
const WEIGHTS: Readonly<Record<ReadProblemKind, Weight>> = {
  invalid: "lasting",
  memory: "lasting",
  time: "counted",
  crashed: "counted",
  unavailable: "passing",
};

type StagedText =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "none"; readonly reason: string };

function textOf({ key, bytes, text, problem }: StagedObject): StagedText {
  if (text !== undefined && text.trim() !== "") return { type: "text", text };
  const none = (reason: string): StagedText => ({ type: "none", reason });
  if (problem !== undefined) return none(`the cluster found no text in it: ${problem}`);
  if (bytes > CONNECTOR_BYTES_MAX) {
    const limit = `the connector leaves out the content of files over ${CONNECTOR_BYTES_MAX} bytes`;
    return none(`${limit}; this one has ${bytes}. Divide it`);
  }
  if (bytes === 0) return none("the file is empty");
  if (extname(key) === "") return none("the connector leaves out the content of files without an extension");
  return none(`the connector found no text in it; see whether it takes text out of ${extname(key)} files`);
}

/** Formats whose text is the file's own; of the others the connector has taken it out. */
const VERBATIM: ReadonlySet<string> = new Set([".md", ".markdown", ".txt"]);

type ReadText =
  | {
      readonly type: "document";
      readonly document: KnowledgeDocument;
      readonly doubts: readonly AccessDoubt[];
      /** As the content has it together with the metadata. */
      readonly visibility: Visibility;
    }
  | { readonly type: "problem"; readonly kind: ReadProblemKind; readonly message: string };

/** The metadata decide who may read, but they do not open what the document itself keeps closed. */
function doubtOf(
  { doubts, visibility }: Extract<ReadText, { type: "document" }>,
  { access }: WantedDocument,
): string | undefined {
  const remedy =
    "Say who may read it in its metadata and nowhere else, or with `ignore_marks: true` there, and mark it as pending again";
  if (doubts.length > 0) return `${doubts.join("; ")}. ${remedy}`;
  return visibility === "restricted" && access.visibility === "network"
    ? `its front matter restricts it, and its metadata do not. ${remedy}`
    : undefined;
}

async function readText(
  text: string,
  wanted: WantedDocument,
  reader: DocumentReader,
  signal: AbortSignal,
): Promise<ReadText> {
  const { key, path, access, title, revision, ignoreMarks } = wanted;
  const extension = extname(key);
  const name = VERBATIM.has(extension.toLowerCase())
    ? key
    : `${key.slice(0, key.length - extension.length)}.txt`;
  const { visibility, allowedUsers, allowedGroups } = access;
  const grants = { visibility, allowedUsers, allowedGroups };
  const described = {
    ...grants,
    ...(title === undefined ? {} : { title }),
    ...(revision === undefined ? {} : { revision }),
    ...(ignoreMarks === true ? { ignoreMarks } : {}),
  };
  const job = { path, name, bytes: new TextEncoder().encode(text), described };
  const result = await reader.read(job, signal);
  if (result.type === "problem") return result;
  const { document, doubts } = result;
  return {
    type: "document",
    doubts,
    visibility: ignoreMarks === true ? visibility : document.access.visibility,
    document: {
      ...document,
      // Whatever the text says of itself: the metadata decide.
      ...(title === undefined ? {} : { title }),
      ...(revision === undefined ? {} : { revision }),
      access: grants,
      usesDefaultVisibility: wanted.usesDefaultVisibility,
      documentId: wanted.documentId,
      path,
      sourceFile: key,
      contentHash: reader.contentHash(job),
      chunks: document.chunks.map((chunk) => ({
        ...chunk,
        chunkId: `${wanted.documentId}${chunk.chunkId.slice(document.documentId.length)}`,
      })),
    },
  };
}

async function embed(
  document: KnowledgeDocument,
  deps: CopyDeps,
  signal: AbortSignal,
): Promise<EmbeddingResult> {
  if (deps.embedding === undefined) return { type: "embedded", document };
  const [embedded] = await new EmbedStage(deps.embedding, deps).embed([document], signal);
  return embedded!;
}
