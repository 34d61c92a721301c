/** The first lines of a source or configuration file, each as what it is: a comment, a setting, a statement. */
import { HEAD_CHARS_MAX, lineNotes } from "../access/doubts.js";
import type { Note } from "../read/port.js";
import { type CodeLanguage, languageOf } from "./languages.js";
import { lex, type SourceLine } from "./lexer.js";

/** None where the name says nothing of the language. */
export function codeNotes(name: string, text: string): readonly Note[] {
  const language = languageOf(name);
  if (language === undefined) return [];
  const head = text.slice(0, HEAD_CHARS_MAX).replace(/\r\n?/g, "\n");
  const lines = lex(head, language);
  return lineNotes(head, (_line, index) => kindOf(language, lines[index]));
}

/** A record of data is a text; in code comments and texts over several lines may describe the file. */
function kindOf(
  { docType, lineComments, blockComments }: CodeLanguage,
  line: SourceLine | undefined,
): Note["kind"] {
  if (docType === "data") return "text";
  if (docType !== "code" || line === undefined || line.startsInside) return "settings";
  const text = line.text.trimStart();
  const marks = [...lineComments, ...blockComments.map(([open]) => open.trim())];
  return marks.some((mark) => text.startsWith(mark)) ? "settings" : "program";
}
