/**
 * A source or configuration file to sections of blocks that stay whole: functions, methods, statements, settings,
 * tables, rules. A section stands for an enclosing name (`class Foo` › `method bar`); one-line statements of a kind that
 * follow each other are one block. What looks like a secret is masked before anything else sees it.
 */
import { basename } from "node:path/posix";
import type { ChunkKind } from "../../domain/passage.js";
import type { Block, ParsedDocument, Section } from "../read/port.js";
import { codeNotes } from "./code-notes.js";
import { type CodeLanguage, languageOf } from "./languages.js";
import { lex, type SourceLine } from "./lexer.js";
import { maskSecrets } from "./mask-secrets.js";
import { tagsOf } from "./tags.js";
import { type CodeBlock, isBlank, unitsOf } from "./units.js";

/** `name` decides the language; a name of none gives the whole text as one block. Never throws, whatever the text holds. */
export function parseCode(name: string, text: string): ParsedDocument {
  const language = languageOf(name);
  const { text: masked, maskedCount } = maskSecrets(
    text.replace(/\r\n?/g, "\n"),
    language?.docType !== "code",
  );
  const warnings = maskedCount === 0 ? [] : [`values that look like secrets were masked: ${maskedCount}`];
  const title = basename(name);
  const notes = codeNotes(name, text);
  if (language === undefined) {
    const kind: ChunkKind = { docType: "code", blockType: "file", tags: tagsOf(masked) };
    const blocks: Block[] = masked.trim() === "" ? [] : [{ type: "code", text: masked.trimEnd(), kind }];
    return { title, sections: blocks.length === 0 ? [] : [{ headings: [], blocks }], notes, warnings };
  }
  return { title, sections: new CodeParser(lex(masked, language), language).run(), notes, warnings };
}

/** Lines of an entry, a key or an element beyond which its own members become blocks. */
const WHOLE_LINES_MAX = 60;

/** Containers inside containers: deeper ones stay whole. */
const CONTAINER_DEPTH_MAX = 12;

/** Block types of which one line is too little to be found by itself. */
const LINES_OF_A_KIND = new Set([
  "import",
  "statement",
  "setting",
  "field",
  "comment",
  "rule",
  "item",
  "key",
  "element",
]);

class CodeParser {
  readonly #sections: { readonly headings: readonly string[]; readonly blocks: Block[] }[] = [];

  constructor(
    private readonly lines: readonly SourceLine[],
    private readonly language: CodeLanguage,
  ) {}

  run(): Section[] {
    const { layout } = this.language;
    if (layout.type === "sections") this.#bySections(layout.header, layout.blockType);
    else this.#level(0, this.lines.length, [], undefined);
    return this.#sections;
  }

  #bySections(header: RegExp, blockType: string): void {
    let start = 0;
    let name: string | undefined;
    const add = (end: number) =>
      this.#add(start, end, name === undefined ? [] : [name], name === undefined ? "setting" : blockType);
    this.lines.forEach(({ text, startsInside }, index) => {
      const match = startsInside ? null : header.exec(text);
      if (match === null) return;
      // Comments directly above belong to the section.
      let first = index;
      while (first > start && /^\s*[#;!]/.test(this.lines[first - 1]!.text)) first -= 1;
      add(first);
      start = first;
      name = match[1]!.trim();
    });
    add(this.lines.length);
  }

  #level(start: number, end: number, headings: readonly string[], parent: string | undefined): void {
    let run: CodeBlock[] = [];
    const addRun = () => {
      const [first, last] = [run[0], run.at(-1)];
      if (first !== undefined) this.#add(first.start, last!.end, headings, first.header.blockType);
      run = [];
    };
    for (const unit of unitsOf(this.lines, start, end, this.language, parent)) {
      const { blockType } = unit.header;
      if (isLineOfAKind(unit)) {
        if (run.length > 0 && run[0]!.header.blockType !== blockType) addRun();
        run.push(unit);
        continue;
      }
      addRun();
      this.#unit(unit, headings);
    }
    addRun();
  }

  #unit(unit: CodeBlock, headings: readonly string[]): void {
    const { header } = unit;
    const own = header.heading === undefined ? headings : [...headings, header.heading];
    const body = unit.body ?? this.#bodyOfLarge(unit);
    if (body === undefined || headings.length >= CONTAINER_DEPTH_MAX) {
      return this.#add(unit.start, unit.end, own, header.blockType);
    }
    const firstMember = this.#afterFields(body.start, body.end, header.blockType);
    if (firstMember === body.end) return this.#add(unit.start, unit.end, own, header.blockType);
    this.#add(unit.start, firstMember, own, header.blockType);
    this.#level(firstMember, body.end, own, header.blockType);
    this.#add(body.end, unit.end, own, header.blockType);
  }

  /** The fields that a type begins with are part of its own block. */
  #afterFields(start: number, end: number, parent: string): number {
    const members = unitsOf(this.lines, start, end, this.language, parent);
    const first = members.find(({ header }) => header.blockType !== "field");
    return first === undefined ? end : first.start;
  }

  /** Entries, keys and elements are kept whole as long as they are small. */
  #bodyOfLarge({ head, end, header }: CodeBlock): CodeBlock["body"] {
    const isNested = ["key", "element", "object"].includes(header.blockType);
    if (!isNested || end - head <= WHOLE_LINES_MAX) return undefined;
    const isClosed = this.language.layout.type !== "indentation";
    return { start: head + 1, end: isClosed ? end - 1 : end };
  }

  #add(start: number, end: number, headings: readonly string[], blockType: string): void {
    let [first, last] = [start, end];
    while (first < last && isBlank(this.lines[first]!)) first += 1;
    while (last > first && isBlank(this.lines[last - 1]!)) last -= 1;
    const lines = this.lines.slice(first, last);
    // What only opens or closes says nothing.
    if (lines.every(({ text }) => /^[\s()[\]{}>;,]*(?:(?:end;?|---|\.\.\.)\s*)?$/.test(text))) return;
    const text = unindented(lines.map((line) => line.text));
    const kind: ChunkKind = { docType: this.language.docType, blockType, tags: tagsOf(text) };
    const block: Block = { type: "code", text, language: this.language.name, kind };
    const section = this.#sections.at(-1);
    if (section !== undefined && sameHeadings(section.headings, headings)) section.blocks.push(block);
    else this.#sections.push({ headings, blocks: [block] });
  }
}

function isLineOfAKind({ start, end, header }: CodeBlock): boolean {
  return end - start === 1 && LINES_OF_A_KIND.has(header.blockType);
}

function sameHeadings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((heading, index) => heading === b[index]);
}

/** The lines without the indentation that all of them share. */
function unindented(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines.map((line) => (line.trim() === "" ? "" : line.slice(shared).trimEnd())).join("\n");
}
