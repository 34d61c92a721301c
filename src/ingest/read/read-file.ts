/**
 * A file's bytes to sections of blocks, by the reader that its name calls for. A reader is loaded when it is first
 * needed, so that whoever only asks what is read does not load them all.
 */
import { extname } from "node:path";
import { FrontMatterError, splitFrontMatter } from "../../lib/front-matter.js";
import { HEAD_CHARS_MAX, sectionNotes, textNotes } from "../access/doubts.js";
import { languageOf } from "../code/languages.js";
import { DocumentProblem } from "../problem.js";
import { decodeText } from "./decode.js";
import { htmlInto } from "./html.js";
import { Outline } from "./outline.js";
import type { ParsedDocument, Section } from "./port.js";
import { expectContent } from "./sniff.js";

export type Format = "markdown" | "text" | "html" | "pdf" | "docx" | "csv" | "code";

const FORMATS: ReadonlyMap<string, Format> = new Map([
  [".md", "markdown"],
  [".markdown", "markdown"],
  [".txt", "text"],
  [".text", "text"],
  [".html", "html"],
  [".htm", "html"],
  [".xhtml", "html"],
  [".pdf", "pdf"],
  [".docx", "docx"],
  [".csv", "csv"],
  [".tsv", "csv"],
]);

export interface ReadLimits {
  /** Of what a packed file (DOCX) holds. */
  readonly unpackedBytesMax: number;
}

/** Which reader a name calls for; undefined: not a kind that is read. */
export function formatOf(name: string): Format | undefined {
  return FORMATS.get(extname(name).toLowerCase()) ?? (languageOf(name) === undefined ? undefined : "code");
}

/** The kinds of file that are read, for messages. */
export const FILE_KINDS = `${[...FORMATS.keys()].join(", ")}, source and configuration`;

/** Throws `DocumentProblem`, and nothing else, when the file is no document. */
export async function parseFile(
  name: string,
  bytes: Uint8Array,
  limits: ReadLimits,
): Promise<ParsedDocument> {
  const format = formatOf(name);
  if (format === undefined) throw new DocumentProblem(`the file is of no kind that is read: ${FILE_KINDS}`);
  const parsed = await read(format, name, bytes, limits);
  if (parsed.sections.length === 0) throw new DocumentProblem("the file holds no text");
  return format === "code"
    ? parsed
    : { ...parsed, notes: [...parsed.notes, ...sectionNotes(parsed.sections)] };
}

async function read(
  format: Format,
  name: string,
  bytes: Uint8Array,
  limits: ReadLimits,
): Promise<ParsedDocument> {
  expectContent(bytes, format === "pdf" ? "pdf" : format === "docx" ? "zip" : "text");
  switch (format) {
    case "markdown": {
      const { parseMarkdown } = await import("./markdown.js");
      return withFrontMatter(bytes, parseMarkdown);
    }
    case "text": {
      const { parseText } = await import("./text.js");
      return withFrontMatter(bytes, parseText);
    }
    case "html":
      return (await import("./html.js")).parseHtml(bytes);
    case "pdf":
      return (await import("./pdf.js")).parsePdf(bytes);
    case "docx":
      return (await import("./docx.js")).parseDocx(bytes, limits);
    case "csv":
      return (await import("./csv.js")).parseCsv(bytes);
    case "code":
      return (await import("../code/parse-code.js")).parseCode(name, decodeText(bytes));
  }
}

function withFrontMatter(bytes: Uint8Array, sectionsOf: (body: string) => Section[]): ParsedDocument {
  const text = decodeText(bytes);
  const { yaml, body } = split(text);
  const firstLine = text.slice(0, text.length - body.length).split("\n").length;
  const { notes } = htmlInto(body.slice(0, HEAD_CHARS_MAX), new Outline(), firstLine);
  return {
    ...(yaml === undefined ? {} : { frontMatter: yaml.replaceAll("\r\n", "\n").trimEnd() }),
    sections: sectionsOf(body),
    notes: [...notes.filter(({ kind }) => kind !== "text"), ...textNotes(body, firstLine)],
    warnings: [],
  };
}

function split(text: string): ReturnType<typeof splitFrontMatter> {
  try {
    return splitFrontMatter(text);
  } catch (error) {
    throw error instanceof FrontMatterError ? new DocumentProblem(error.message, { cause: error }) : error;
  }
}
