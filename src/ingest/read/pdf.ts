/** PDF to sections: the library gives runs of text with their places, `pdf-lines` and `pdf-layout` make sense of them. */
import { getDocumentProxy } from "unpdf";
import { HEAD_LINES_MAX } from "../access/doubts.js";
import { DocumentProblem } from "../problem.js";
import { oneLine } from "./outline.js";
import { type Bookmark, layOut } from "./pdf-layout.js";
import { linesOf, type Page } from "./pdf-lines.js";
import type { Note, ParsedDocument } from "./port.js";
import { propertyNotes } from "./property-notes.js";

/** More pages than any handbook has; a file with more is a mistake or an attack. */
export const PDF_PAGES_MAX = 5_000;

/** Bookmarks of all levels that are looked at. */
const BOOKMARKS_MAX = 10_000;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Throws `DocumentProblem` when the file is damaged, needs a password, is too long, or has no text in it. */
export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument> {
  const pdf = await opened(bytes);
  try {
    if (pdf.numPages > PDF_PAGES_MAX)
      throw new DocumentProblem(
        `the file has ${pdf.numPages} pages, more than the ${PDF_PAGES_MAX} that are read`,
      );
    const { pages, warnings } = await readPages(pdf);
    const sections = layOut(pages, await bookmarksOf(pdf));
    if (sections.length === 0)
      throw new DocumentProblem(
        "the PDF has no text layer, only pictures of its pages; run it through text recognition (OCR) first",
      );
    const properties = await propertiesOf(pdf);
    const title = titleOf(properties);
    return { ...(title === "" ? {} : { title }), sections, notes: notesOf(properties, pages), warnings };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** The library takes the bytes for itself and wants no `Buffer`, so it gets a copy. */
async function opened(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, stopAtErrors: false });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException")
      throw new DocumentProblem("the PDF is encrypted with a password; save it without one", {
        cause: error,
      });
    throw new DocumentProblem("the PDF is damaged or cut short; get a new copy", { cause: error });
  }
}

async function readPages(pdf: Pdf): Promise<{ pages: Page[]; warnings: string[] }> {
  const pages: Page[] = [];
  const unreadable: number[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    try {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const [, bottom, , top] = page.view;
      pages.push({ number, bottom: bottom ?? 0, top: top ?? 0, lines: linesOf(items) });
      page.cleanup();
    } catch (error) {
      if (number === 1 && pdf.numPages === 1)
        throw new DocumentProblem("the PDF is damaged: its page cannot be read", { cause: error });
      unreadable.push(number);
    }
  }
  const empty = pages.filter(({ lines }) => lines.length === 0).map(({ number }) => number);
  return {
    pages,
    warnings: [...told(unreadable, "cannot be read"), ...told(empty, "has no text layer")],
  };
}

const PAGES_NAMED_MAX = 10;

function told(pages: readonly number[], what: string): string[] {
  if (pages.length === 0) return [];
  const named = pages.slice(0, PAGES_NAMED_MAX).join(", ");
  const rest = pages.length > PAGES_NAMED_MAX ? ` and ${pages.length - PAGES_NAMED_MAX} more` : "";
  return [`${pages.length === 1 ? "page" : "each of pages"} ${named}${rest} ${what}`];
}

interface OutlineNode {
  readonly title: string;
  readonly items: readonly OutlineNode[];
}

async function bookmarksOf(pdf: Pdf): Promise<Bookmark[]> {
  const found: Bookmark[] = [];
  let level: readonly OutlineNode[];
  try {
    level = ((await pdf.getOutline()) as OutlineNode[] | null) ?? [];
  } catch (_error) {
    // A broken table of contents costs headings only.
    return [];
  }
  for (let depth = 1; level.length > 0 && found.length < BOOKMARKS_MAX; depth += 1) {
    for (const { title } of level) found.push({ title: oneLine(title), level: depth });
    level = level.flatMap(({ items }) => items);
  }
  return found;
}

/** Names that programs make up. */
const NO_TITLE =
  /^(?:untitled|title|document\d*|microsoft word - .*|.*\.(?:docx?|pdf|indd|tex|rtf|odt|pptx?|xlsx?))$/i;

/** Entries of the information dictionary (PDF 1.7, 14.3.3), those that are not in the standard included. */
async function propertiesOf(pdf: Pdf): Promise<ReadonlyMap<string, string>> {
  try {
    const { info, metadata } = await pdf.getMetadata();
    const known: readonly [string, unknown][] = Object.entries(info);
    const custom = known.flatMap(([name, value]) => (name === "Custom" ? Object.entries(value ?? {}) : []));
    // The metadata stream (14.3.2) is a map as the library has read it, and the dictionary counts before it.
    const streamed: Iterable<readonly [string, unknown]> = metadata ?? [];
    const found = [...streamed, ...known, ...custom];
    return new Map(found.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch (_error) {
    // Damaged metadata: the name of the file will do.
    return new Map();
  }
}

function titleOf(properties: ReadonlyMap<string, string>): string {
  const text = oneLine((properties.get("Title") ?? "").replace(/\p{Cc}/gu, ""));
  return NO_TITLE.test(text) ? "" : text;
}

/** Properties, and lines as they were drawn: paragraphs join them. */
function notesOf(properties: ReadonlyMap<string, string>, pages: readonly Page[]): readonly Note[] {
  const drawn = pages
    .slice(0, NOTED_PAGES_MAX)
    .flatMap(({ number, lines }) =>
      lines
        .slice(0, HEAD_LINES_MAX)
        .map(({ text }): Note => ({ kind: "text", where: `page ${number}`, text })),
    );
  return [...[...properties].flatMap(([name, value]) => propertyNotes(name, value)), ...drawn];
}

/** Covers included. */
const NOTED_PAGES_MAX = 2;
