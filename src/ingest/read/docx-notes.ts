/** What a Word document says besides its text: its properties, what stands above and below its pages, and comments. */
import { Parser } from "htmlparser2";
import type { Note } from "./port.js";
import { propertyNotes } from "./property-notes.js";

const PROPERTIES = /^docProps\/(?:core|app|custom)\.xml$/;
const MARGINS = /^word\/(?:header|footer)\d*\.xml$/;
const COMMENTS = /^word\/comments\w*\.xml$/;

/** Properties and lines of one part. */
const NOTES_MAX = 200;

/** Notes of one part of the package; of the text itself none. */
export function partNotes(name: string, xml: Uint8Array): readonly Note[] {
  if (PROPERTIES.test(name)) return properties(textOf(xml));
  if (MARGINS.test(name)) return paragraphs(textOf(xml), "a header or footer");
  return COMMENTS.test(name) ? paragraphs(textOf(xml), "a comment") : [];
}

function textOf(xml: Uint8Array): string {
  return Buffer.from(xml.buffer, xml.byteOffset, xml.length).toString("utf8");
}

/** ECMA-376 part 1, 22.2 and 22.3: an element for each property, or `property` with its name as an attribute. */
function properties(xml: string): readonly Note[] {
  const found: Note[] = [];
  let name = "";
  let value = "";
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        name = attributes.name ?? (tag.startsWith("vt:") ? name : tag.replace(/^.*:/, ""));
        value = "";
      },
      ontext(text) {
        value += text;
      },
      onclosetag() {
        if (value.trim() !== "" && found.length < NOTES_MAX) found.push(...propertyNotes(name, value));
        value = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return found;
}

function paragraphs(xml: string, where: string): readonly Note[] {
  const found: Note[] = [];
  let text = "";
  const parser = new Parser(
    {
      ontext(more) {
        text += more;
      },
      onclosetag(tag) {
        if (tag !== "w:p") return;
        if (text.trim() !== "" && found.length < NOTES_MAX) found.push({ kind: "text", where, text });
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return found;
}
