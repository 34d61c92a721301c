/**
 * A file to a document as the knowledge engine takes it, but for vectors: what it is called, who may read it, and its
 * chunks. `contentHashOf` says beforehand whether reading it again could give anything else.
 */
import { createHash } from "node:crypto";
import { basename, extname } from "node:path/posix";
import { titleKey } from "../retrieval/revision.js";
import type { KnowledgeChunk, KnowledgeDocument } from "../retrieval/writer.js";
import type { AccessDoubt } from "./access/doubts.js";
import { sidecarNotes } from "./access/sidecars.js";
import { type ChunkLimits, chunkSections } from "./chunk.js";
import { describeDocument } from "./front-matter.js";
import type { IngestOptions } from "./options.js";
import { DocumentProblem } from "./problem.js";
import type { ParsedDocument, Section } from "./read/port.js";
import { parseFile } from "./read/read-file.js";
import type { ReadJob } from "./reader.js";

/** Raised whenever the same file would give other chunks than before, so that everything is read anew. */
export const READER_VERSION = 3;

export type DocumentOptions = Pick<
  IngestOptions,
  "defaultVisibility" | "chunkTokensTarget" | "chunkOverlapTokensMax" | "fileUnpackedBytesMax"
>;

export interface FinishedDocument {
  readonly document: KnowledgeDocument;
  readonly warnings: readonly string[];
  /** See `Description.doubts`. */
  readonly doubts: readonly AccessDoubt[];
}

/** Reads a file. Rejects with `DocumentProblem` when it is no document. */
export async function readDocument(job: ReadJob, options: DocumentOptions): Promise<FinishedDocument> {
  const { path, name, bytes, described } = job;
  const parsed = await parseFile(name, bytes, { unpackedBytesMax: options.fileUnpackedBytesMax });
  const { access, revision, usesDefaultVisibility, ...description } = describeDocument(
    { ...parsed, notes: [...parsed.notes, ...sidecarNotes(job.beside ?? [])] },
    described,
    options.defaultVisibility,
  );
  const title = description.title ?? titleFrom(parsed, name);
  const documentId = documentIdOf(path);
  const limits = { tokensTarget: options.chunkTokensTarget, overlapTokensMax: options.chunkOverlapTokensMax };
  const chunks = chunksOf(documentId, title, parsed.sections, limits);
  if (chunks.length === 0) throw new DocumentProblem("the file holds no text");
  return {
    document: {
      documentId,
      path,
      title,
      ...(revision === undefined ? {} : { revision }),
      access,
      sourceFile: name,
      usesDefaultVisibility,
      contentHash: contentHashOf(job, options),
      chunks,
    },
    warnings: [...parsed.warnings, ...description.warnings],
    doubts: description.doubts,
  };
}

/** 64 hexadecimal digits: the same only where `readDocument` would give the same. Looks at the bytes, not into them. */
export function contentHashOf({ name, bytes, described, beside }: ReadJob, options: DocumentOptions): string {
  const { title, revision, visibility, allowedUsers, allowedGroups, ignoreMarks } = described ?? {};
  const { defaultVisibility, chunkTokensTarget, chunkOverlapTokensMax } = options;
  const said = [title, revision, visibility, allowedUsers, allowedGroups, ignoreMarks].map(
    (value) => value ?? null,
  );
  const around = [READER_VERSION, name, said, defaultVisibility, chunkTokensTarget, chunkOverlapTokensMax];
  const hash = createHash("sha256").update(JSON.stringify(around)).update(bytes);
  for (const sidecar of beside ?? []) hash.update(sidecar.name).update(sidecar.bytes);
  return hash.digest("hex");
}

/**
 * A document is the file at its place: its id comes from its path. The file's name is in front for people who read
 * logs.
 */
export function documentIdOf(path: string): string {
  const slug = nameOf(path)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_CHARS_MAX)
    .replace(/^-|-$/g, "");
  return `${slug || "document"}-${digest(path).slice(0, 16)}`;
}

const SLUG_CHARS_MAX = 40;
const TITLE_CHARS_MAX = 300;

/** The format's own title, the first heading, or the name of the file. */
function titleFrom({ title, sections }: ParsedDocument, name: string): string {
  const heading = sections.find(({ headings }) => headings.length > 0)?.headings[0];
  const [first] = [title, heading].map((text) => onOneLine(text ?? "")).filter((text) => text !== "");
  if (first !== undefined) return first;
  const words = onOneLine(nameOf(name).replace(/[-_]+/g, " "));
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function onOneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim().slice(0, TITLE_CHARS_MAX).trim();
}

function chunksOf(
  documentId: string,
  title: string,
  sections: readonly Section[],
  limits: ChunkLimits,
): KnowledgeChunk[] {
  const seen = new Map<string, number>();
  return chunkSections(
    sections.map((section) => withoutTitle(section, title)),
    limits,
  ).map((chunk) => {
    const hash = digest(JSON.stringify([chunk.headings, chunk.text])).slice(0, 16);
    const copies = seen.get(hash) ?? 0;
    seen.set(hash, copies + 1);
    return { chunkId: `${documentId}#${hash}${copies === 0 ? "" : `-${copies}`}`, ...chunk };
  });
}

/** Documents repeat their title as the first heading; said once is enough. */
function withoutTitle({ headings, blocks }: Section, title: string): Section {
  const [first, ...others] = headings;
  return first !== undefined && titleKey(first) === titleKey(title)
    ? { headings: others, blocks }
    : { headings, blocks };
}

function nameOf(path: string): string {
  return basename(path, extname(path));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
