/**
 * Word documents (Office Open XML) to sections, by way of HTML. The library that makes the HTML sees an archive that
 * we packed ourselves, with nothing in it but the parts that matter, unpacked under our limits.
 */
import mammoth from "mammoth";
import { DocumentProblem } from "../problem.js";
import { type ArchiveLimits, pack, unpack } from "./archive.js";
import { partNotes } from "./docx-notes.js";
import { htmlInto } from "./html.js";
import { Outline, oneLine } from "./outline.js";
import type { ParsedDocument } from "./port.js";

/** Text, notes, numbering, styles and what ties them together; no pictures, fonts or macros. */
const WANTED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/(?:core|app|custom)\.xml|word\/(?:[^/]+|_rels\/[^/]+)\.(?:xml|rels))$/;

const MAIN = "word/document.xml";

/** Styles that Word has and the library does not know by itself, below the ones that it does. */
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

/** Throws `DocumentProblem` when it is no Word document, damaged, or unpacks to too much. */
export async function parseDocx(bytes: Uint8Array, limits: ArchiveLimits): Promise<ParsedDocument> {
  const entries = unpack(bytes, (name) => WANTED.test(name), limits);
  if (!entries.has(MAIN) && ![...entries.keys()].some((name) => name.startsWith("word/")))
    throw new DocumentProblem("the file is a ZIP file but no Word document: it holds no word/document.xml");
  for (const [name, xml] of entries) requireShallow(name, xml);
  const outline = new Outline();
  const { warnings, notes: written } = htmlInto(await htmlOf(pack(entries)), outline);
  const texts = written.map((note) => ({ ...note, where: "its text" }));
  const title = titleOf(entries.get("docProps/core.xml"));
  const notes = [...texts, ...[...entries].flatMap(([name, xml]) => partNotes(name, xml))];
  return { ...(title === "" ? {} : { title }), sections: outline.end(), notes, warnings };
}

/** Elements in one another; tables in tables in tables take some tens. The library's time and stack grow with them. */
const XML_DEPTH_MAX = 256;

function requireShallow(name: string, xml: Uint8Array): void {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.length).toString("latin1");
  let depth = 0;
  for (let start = text.indexOf("<"); start >= 0; start = text.indexOf("<", start + 1)) {
    const end = text.indexOf(">", start);
    if (end < 0) return;
    if (text[start + 1] === "/") depth -= 1;
    else if (text[start + 1] !== "?" && text[start + 1] !== "!" && text[end - 1] !== "/") depth += 1;
    if (depth > XML_DEPTH_MAX)
      throw new DocumentProblem(`the file is damaged: ${name} is nested more than ${XML_DEPTH_MAX} deep`);
  }
}

async function htmlOf(archive: Uint8Array): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(archive) },
      { styleMap: STYLES, convertImage: mammoth.images.imgElement(async () => ({ src: "" })) },
    );
    return value;
  } catch (error) {
    // Whatever the library fails with, it is the document that it could not take.
    throw new DocumentProblem("the file is no Word document that can be read: its XML is damaged", {
      cause: error,
    });
  }
}

/** The title in the document's properties (ECMA-376 part 2, 11.1). */
function titleOf(properties: Uint8Array | undefined): string {
  if (properties === undefined) return "";
  const xml = Buffer.from(properties).toString("utf8");
  const escaped = /<dc:title>([^<]{1,1000})<\/dc:title>/.exec(xml)?.[1] ?? "";
  const signs: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return oneLine(escaped.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => signs[name]!));
}
