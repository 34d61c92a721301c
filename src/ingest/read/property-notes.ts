/** Properties of a document, as PDF and Word keep them beside the text, to notes. */
import type { Note } from "./port.js";

/** Lines and characters of one property that are looked at. */
const LINES_MAX = 20;
const CHARS_MAX = 4_096;

/** What the property says of the document, and what stands in its value as if it were a property. */
export function propertyNotes(name: string, value: string): readonly Note[] {
  const where = `its property ${JSON.stringify(name.slice(0, CHARS_MAX))}`;
  const lines = value
    .slice(0, CHARS_MAX)
    .split(/\r\n|\r|\n/)
    .slice(0, LINES_MAX);
  const parts = [`${name}: ${lines[0] ?? ""}`, ...lines];
  return parts.map((text) => ({ kind: "structured", where, text }));
}
