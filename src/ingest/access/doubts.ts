/**
 * Words that look as if they said who may read a document, where they are not understood as such. Only the front matter
 * and the manifest are understood (`front-matter.ts`); whatever stands elsewhere, or is spelt otherwise, is a doubt, and
 * a document in doubt is restricted to nobody. Pure; it looks at the beginning of a document and at its properties.
 */
import type { Note, Section } from "../read/port.js";
import { type AccessClaim, claimsIn, isAboutSight } from "./claims.js";
import { isRestrictive, keyLevel, mentionsRestriction, valueWords } from "./words.js";

/** Completes "<file>: …" and says where the words stand. */
export type AccessDoubt = string;

/** How much of the beginning of a document is looked at. */
export const HEAD_LINES_MAX = 80;
export const HEAD_CHARS_MAX = 16_384;
/** Properties, comments and lines of one document. */
const NOTES_MAX = 1_000;
/** Doubts that are told of one document. */
const DOUBTS_MAX = 3;
const SHOWN_CHARS_MAX = 60;

/** `isSettled`: the front matter says in so many words who may read, so that what is read aloud is no mark. */
export function doubtsIn(notes: readonly Note[], isSettled: boolean): readonly AccessDoubt[] {
  const found = new Map<string, AccessDoubt>();
  const looked = notes.slice(0, NOTES_MAX);
  looked.forEach((note, index) => {
    if (found.size >= DOUBTS_MAX || (isSettled && note.kind === "text")) return;
    const next = looked[index + 1];
    const isNext = next?.kind === note.kind && next.text.trim() !== "";
    const isStructured = note.kind !== "text";
    const claims = claimsIn(note.text, isNext ? next.text : "", { ...note, isStructured });
    const claim = claims.find((one) => isDoubtful(one, note.kind));
    if (claim === undefined) return;
    const shown = shownClaim(claim);
    if (!found.has(shown.toLowerCase())) found.set(shown.toLowerCase(), doubt(note.where, shown));
  });
  return [...found.values()];
}

/** What to do about doubts in a document of this name. */
export function remedyFor(name: string): string {
  const fields = "`visibility`, `allowed_users` or `allowed_groups`";
  return WITH_FRONT_MATTER.test(name)
    ? `Say it between two lines of \`---\`, the first of which begins the file, as ${fields}`
    : `Say it in the manifest, as ${fields} and, since the words stay in the file, with \`ignore_marks: true\``;
}

/** Formats that can say it themselves. */
const WITH_FRONT_MATTER = /\.(?:md|markdown|txt|text)$/i;

/** A doubt about a key of the document's own properties, where each word of `possible` counts. */
export function doubtOfProperty(where: string, key: string, isNested: boolean): AccessDoubt | undefined {
  const level = keyLevel(key, true);
  if (level === undefined || (isNested && level === "possible")) return undefined;
  return doubt(where, key.slice(0, SHOWN_CHARS_MAX));
}

function doubt(where: string, shown: string): AccessDoubt {
  return `${where}: ${JSON.stringify(shown)} looks like a word on who may read it, and is not understood`;
}

function shownClaim({ key, value }: AccessClaim): string {
  const text = `${key}: ${value}`;
  return text.length <= SHOWN_CHARS_MAX ? text : `${text.slice(0, SHOWN_CHARS_MAX - 1)}…`;
}

function isDoubtful({ key, value }: AccessClaim, kind: Note["kind"]): boolean {
  const level = keyLevel(key, kind !== "text");
  if (level === undefined) return false;
  if (kind === "program") return level === "certain" && OUR_VALUES.has(valueWords(value).join(" "));
  if (isRestrictive(value)) return true;
  if (level !== "certain") return kind === "structured" && level === "likely";
  return kind !== "text" || !isAboutWeather(key, value);
}

const OUR_VALUES: ReadonlySet<string> = new Set(["restricted", "network"]);

/** Words of a value from which on it is a sentence. */
const SENTENCE_WORDS_MIN = 6;

/** "Visibility: in fog it falls below what the driver needs", as a text about driving has it. */
function isAboutWeather(key: string, value: string): boolean {
  if (/allow|user|group/i.test(key)) return false;
  const words = valueWords(value);
  if (words.length === 0 || isAboutSight(value)) return true;
  return words.length >= SENTENCE_WORDS_MIN && !mentionsRestriction(value);
}

export function lineNotes(
  text: string,
  kindOf: (line: string, index: number) => Note["kind"],
  { firstLine = 1, commasPart = false } = {},
): readonly Note[] {
  const lines = text
    .slice(0, HEAD_CHARS_MAX)
    .split(/\r\n|\r|\n|\f/)
    .slice(0, HEAD_LINES_MAX);
  return lines.map((line, index) => ({
    kind: kindOf(line, index),
    where: `line ${firstLine + index}`,
    text: line,
    commasPart,
  }));
}

/** The lines of a text that begins with line `firstLine` of its file; comments and blocks of keys are structured. */
export function textNotes(text: string, firstLine: number): readonly Note[] {
  const lines = text
    .slice(0, HEAD_CHARS_MAX)
    .split(/\r\n|\r|\n|\f/)
    .slice(0, HEAD_LINES_MAX);
  const structured = structuredLines(lines);
  return lineNotes(text, (_line, index) => (structured.has(index) ? "structured" : "text"), { firstLine });
}

/** The first headings and blocks, as they are read aloud: rows with the names of their columns. */
export function sectionNotes(sections: readonly Section[]): readonly Note[] {
  const notes: Note[] = [];
  let chars = 0;
  for (const { headings, blocks } of sections) {
    for (const text of [...headings, ...blocks.flatMap((block) => block.text.split("\n"))]) {
      if (notes.length >= HEAD_LINES_MAX || chars >= HEAD_CHARS_MAX) return notes;
      chars += text.length;
      notes.push({ kind: "text", where: "its text", text });
    }
  }
  return notes;
}

/** Of a trimmed line: a rule, with the name of a format behind it or not. */
const FENCE = /^([-+;*~`_=—–])\1{1,200}(?:[A-Za-z0-9]{1,40}|[ \t]{1,40}\w{1,40})?$/u;
/** The beginning of a trimmed line of a mapping or a list, or of a comment in it. */
const ENTRY = /^(?:$|#|[-*]\s|["'{}[\]]|[^\s:=：]{1,60}(?:\s[^\s:=：]{1,60}){0,3}\s{0,4}[:=：])/u;

/** Indexes of lines in blocks of nothing but keys between two fences, and of members of JSON. */
function structuredLines(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let fence: { readonly index: number; readonly mark: string } | undefined;
  lines.forEach((line, index) => {
    if (/^\s*\{|^\s*["'][^"']{1,60}["']\s*:/.test(line)) found.add(index);
    const mark = FENCE.exec(line.trim())?.[1];
    if (mark === undefined) return;
    if (fence?.mark === mark) {
      const between = lines.slice(fence.index + 1, index);
      // What begins with a blank line is a paragraph between two rules.
      if (between[0]?.trim() !== "" && between.every((one) => ENTRY.test(one.trim())))
        for (let inside = fence.index + 1; inside < index; inside += 1) found.add(inside);
    }
    fence = { index, mark };
  });
  return found;
}
