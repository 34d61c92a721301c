/** The bytes of a file to a document as the knowledge engine takes it. */
import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import { PROSE } from "../domain/passage.js";
import { titleKey } from "../retrieval/revision.js";
import type { KnowledgeChunk, KnowledgeDocument } from "../retrieval/writer.js";
import { type Markup, parseSections, type Section } from "./blocks.js";
import { chunkSections } from "./chunk.js";
import { splitFrontMatter } from "./front-matter.js";
import type { IngestOptions } from "./options.js";
import { DocumentProblem } from "./problem.js";

/** Raised whenever the same file would give other chunks than before, so that everything is read anew. */
const READER_VERSION = 1;

/** A file that was understood; `chunks` does the rest of the work, for those that changed. */
export interface ReadDocument {
  readonly document: Omit<KnowledgeDocument, "chunks">;
  readonly usesDefaultVisibility: boolean;
  readonly warnings: readonly string[];
  chunks(): KnowledgeChunk[];
}

/** Throws `DocumentProblem` when the file is no document. */
export function readDocument(
  path: string,
  bytes: Uint8Array,
  markup: Markup,
  options: Pick<IngestOptions, "defaultVisibility" | "chunkTokensTarget">,
): ReadDocument {
  const { frontMatter, body, warnings } = splitFrontMatter(decode(bytes), options.defaultVisibility);
  const sections = parseSections(body, markup);
  if (sections.length === 0) throw new DocumentProblem("the file holds no text");
  const title = frontMatter.title ?? titleFrom(sections, path);
  const { access, revision } = frontMatter;
  const documentId = documentIdOf(path);
  const content = [READER_VERSION, options.chunkTokensTarget, markup, title, revision ?? null, access, body];
  return {
    document: {
      documentId,
      path,
      title,
      ...(revision === undefined ? {} : { revision }),
      access,
      sourceFile: basename(path),
      usesDefaultVisibility: frontMatter.usesDefaultVisibility,
      contentHash: digest(JSON.stringify(content)),
    },
    usesDefaultVisibility: frontMatter.usesDefaultVisibility,
    warnings,
    chunks: () => chunksOf(documentId, title, sections, options.chunkTokensTarget),
  };
}

/**
 * A document is the file at its place: its id comes from its absolute path. The file's name is in front for people
 * who read logs.
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

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    // Takes a byte order mark off.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DocumentProblem("the file is not UTF-8 text; save it as UTF-8", { cause: error });
  }
  if (text.includes("\u0000")) throw new DocumentProblem("the file is not text: it holds null characters");
  if (text.trim() === "") throw new DocumentProblem("the file is empty");
  return text;
}

function titleFrom(sections: readonly Section[], path: string): string {
  const heading = sections.find(({ headings }) => headings.length > 0)?.headings[0];
  if (heading !== undefined) return heading;
  const words = nameOf(path)
    .replace(/[-_\s]+/g, " ")
    .trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function chunksOf(
  documentId: string,
  title: string,
  sections: readonly Section[],
  wordsTarget: number,
): KnowledgeChunk[] {
  const chunks = chunkSections(
    sections.map((section) => withoutTitle(section, title)),
    wordsTarget,
  );
  const seen = new Map<string, number>();
  return chunks.map(({ headings, text }) => {
    const hash = digest(JSON.stringify([headings, text])).slice(0, 16);
    const copies = seen.get(hash) ?? 0;
    seen.set(hash, copies + 1);
    return {
      chunkId: `${documentId}#${hash}${copies === 0 ? "" : `-${copies}`}`,
      headings,
      kind: PROSE,
      text,
    };
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
