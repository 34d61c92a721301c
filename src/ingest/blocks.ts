/**
 * Markdown or plain text to what a voice can say: sections with their headings, and in them blocks of plain prose.
 * A numbered step, a bullet or a table row is one block with everything that belongs to it, since chunking never
 * cuts inside one. This is no full Markdown parser; what it does not know stays as it was written.
 */
import { plainInline } from "./inline.js";

export interface Section {
  /** Headings from the outermost to the section's own; empty before the first heading. */
  readonly headings: readonly string[];
  readonly blocks: readonly Block[];
}

/** `prose` may be cut between sentences; a `step` (a numbered item) and an `item` (a bullet, a table row) stay whole. */
export interface Block {
  readonly type: "prose" | "step" | "item";
  readonly text: string;
}

/** `markdown`: headings, emphasis, links, tables, quotes and code are understood; else only paragraphs and lists. */
export type Markup = "markdown" | "plain";

export function parseSections(text: string, markup: Markup): Section[] {
  const parser = new SectionParser(markup);
  const visible = markup === "markdown" ? withoutComments(text) : text;
  for (const line of visible.split(/\r\n|\r|\n/)) parser.line(line.replaceAll("\t", "    "));
  return parser.end();
}

const ATX_HEADING = /^ {0,3}(#{1,6})(?: (.*))?$/;
const SETEXT_UNDERLINE = /^ {0,3}(=+|-+)[ ]*$/;
const THEMATIC_BREAK = /^ {0,3}(?:(?:\*[ ]*){3,}|(?:-[ ]*){3,}|(?:_[ ]*){3,})$/;
const FENCE = /^ *(`{3,}|~{3,})/;
const QUOTE = /^ {0,3}>[ ]?/;
const ALERT = /^ {0,3}>[ ]*\[!(\w+)\][ ]*$/;
const NUMBERED = /^( *)(\d{1,6})([.)])[ ]+(?=\S)/;
const BULLET = /^( *)([-*+•–])[ ]+(?=\S)/;
const TABLE_RULE = /^\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?$/;

/** What is indented this much deeper than an item's mark belongs to the item. */
const NESTED_INDENT_MIN = 2;

type Open =
  | { readonly type: "none" }
  | { readonly type: "prose"; readonly lines: string[] }
  /** `indent`: of the item's own mark. */
  | {
      readonly type: "step" | "item";
      readonly lines: string[];
      readonly indent: number;
      blankBefore: boolean;
    }
  | { readonly type: "fence"; readonly lines: string[]; readonly mark: string }
  | { readonly type: "table"; readonly header: readonly string[]; rowCount: number };

function isItem(open: Open): open is Extract<Open, { lines: string[]; indent: number }> {
  return open.type === "step" || open.type === "item";
}

class SectionParser {
  readonly #sections: Section[] = [];
  readonly #headings: { level: number; text: string; hasContent: boolean }[] = [];
  #blocks: Block[] = [];
  #open: Open = { type: "none" };
  /** Of the numbered list that is going on at the outermost level. */
  #lastNumber: number | undefined;

  constructor(private readonly markup: Markup) {}

  line(line: string): void {
    if (this.markup === "markdown" && this.#markdownLine(line)) return;
    if (line.trim() === "") return this.#blankLine();
    const item = NUMBERED.exec(line) ?? BULLET.exec(line);
    if (item !== null) return this.#itemLine(line, item);
    this.#textLine(line);
  }

  end(): Section[] {
    this.#closeSection(0);
    return this.#sections;
  }

  /** What only Markdown has; false when the line is none of it. */
  #markdownLine(line: string): boolean {
    const open = this.#open;
    if (open.type === "fence") {
      if (line.trim().startsWith(open.mark) && /^[`~ ]*$/.test(line)) this.#close();
      else open.lines.push(line);
      return true;
    }
    if (open.type === "table" && line.includes("|")) {
      this.#tableRow(open.header, line);
      open.rowCount += 1;
      return true;
    }
    const fence = FENCE.exec(line);
    if (fence !== null) {
      this.#close();
      this.#open = { type: "fence", lines: [], mark: fence[1]! };
      return true;
    }
    return this.#headingLine(line) || this.#tableRule(line) || this.#quoteLine(line);
  }

  #headingLine(line: string): boolean {
    const atx = ATX_HEADING.exec(line);
    if (atx !== null) {
      this.#heading(atx[1]!.length, (atx[2] ?? "").trim().replace(/(?:^| )#+$/, ""));
      return true;
    }
    const underline = SETEXT_UNDERLINE.exec(line);
    if (underline !== null && this.#open.type === "prose") {
      const text = this.#open.lines.join(" ");
      this.#open = { type: "none" };
      this.#heading(underline[1]!.startsWith("=") ? 1 : 2, text);
      return true;
    }
    if (!THEMATIC_BREAK.test(line)) return false;
    this.#close();
    return true;
  }

  #heading(level: number, text: string): void {
    this.#closeSection(level);
    while ((this.#headings.at(-1)?.level ?? 0) >= level) this.#headings.pop();
    const plain = plainInline(text);
    if (plain !== "") this.#headings.push({ level, text: plain, hasContent: false });
  }

  #tableRule(line: string): boolean {
    const open = this.#open;
    if (open.type !== "prose" || !TABLE_RULE.test(line.trim())) return false;
    const header = open.lines.at(-1)!;
    if (!header.includes("|")) return false;
    open.lines.pop();
    this.#close();
    this.#open = { type: "table", header: tableCells(header), rowCount: 0 };
    return true;
  }

  #tableRow(header: readonly string[], line: string): void {
    const cells = tableCells(line).map((cell, index) =>
      cell !== "" && header[index] ? `${header[index]}: ${cell}` : cell,
    );
    this.#addRow(cells);
  }

  #addRow(cells: readonly string[]): void {
    const filled = cells.filter((cell) => cell !== "");
    if (filled.length > 0) this.#blocks.push({ type: "item", text: `- ${filled.join("; ")}` });
  }

  /** A quote is read as what stands in it; `> [!WARNING]` becomes the word that says so. */
  #quoteLine(line: string): boolean {
    if (!QUOTE.test(line)) return false;
    const alert = ALERT.exec(line);
    if (alert === null) {
      let rest = line;
      while (QUOTE.test(rest)) rest = rest.replace(QUOTE, "");
      // A quote inside an item stays inside.
      this.line(line.startsWith(" ") ? `  ${rest}` : rest);
      return true;
    }
    this.#close();
    const word = alert[1]!.toLowerCase();
    this.#open = { type: "prose", lines: [`${word[0]!.toUpperCase()}${word.slice(1)}:`] };
    return true;
  }

  #blankLine(): void {
    if (isItem(this.#open)) this.#open.blankBefore = true;
    else this.#close();
  }

  #itemLine(line: string, marker: RegExpExecArray): void {
    const indent = marker[1]!.length;
    if (isItem(this.#open) && indent >= this.#open.indent + NESTED_INDENT_MIN) {
      this.#open.lines.push(`\n${line.trim()}`);
      this.#open.blankBefore = false;
      return;
    }
    const isNumbered = marker[3] !== undefined;
    const continues = this.#open.type === "step" && this.#lastNumber !== undefined;
    this.#close();
    let first = line.trim();
    if (isNumbered) {
      // In Markdown only the first number of a list counts; the others go on from there.
      const written = Number(marker[2]);
      this.#lastNumber = this.markup === "markdown" && continues ? this.#lastNumber! + 1 : written;
      first = first.replace(/^\d+/, String(this.#lastNumber));
    }
    this.#open = { type: isNumbered ? "step" : "item", lines: [first], indent, blankBefore: false };
  }

  #textLine(line: string): void {
    const open = this.#open;
    if (open.type === "prose") {
      open.lines.push(line.trim());
      return;
    }
    const indent = line.search(/\S/);
    if (isItem(open) && (!open.blankBefore || indent >= open.indent + NESTED_INDENT_MIN)) {
      open.lines.push(open.blankBefore ? `\n${line.trim()}` : line.trim());
      open.blankBefore = false;
      return;
    }
    this.#close();
    this.#open = { type: "prose", lines: [line.trim()] };
  }

  /** Ends what is open. */
  #close(): void {
    const open = this.#open;
    this.#open = { type: "none" };
    if (open.type === "none") return;
    if (open.type !== "step") this.#lastNumber = undefined;
    if (open.type === "table") {
      if (open.rowCount === 0) this.#addRow(open.header);
    } else if (open.type === "fence") this.#add({ type: "prose", text: open.lines.join("\n").trim() });
    else this.#add({ type: open.type, text: this.#plain(open.lines.join(" ").replaceAll(" \n", "\n")) });
  }

  #plain(text: string): string {
    return this.markup === "markdown" ? plainInline(text) : text;
  }

  #add(block: Block): void {
    if (block.text !== "") this.#blocks.push(block);
  }

  /** `nextLevel`: of the heading that follows, 0 at the end. */
  #closeSection(nextLevel: number): void {
    this.#close();
    this.#lastNumber = undefined;
    const headings = this.#headings.map(({ text }) => text);
    const blocks = this.#blocks;
    this.#blocks = [];
    const last = this.#headings.at(-1);
    if (blocks.length > 0) this.#sections.push({ headings, blocks });
    else if (last !== undefined && nextLevel <= last.level && !last.hasContent) {
      // A heading over nothing is what the section says.
      this.#sections.push({ headings: headings.slice(0, -1), blocks: [{ type: "prose", text: last.text }] });
    } else return;
    for (const heading of this.#headings) heading.hasContent = true;
  }
}

/** Without `<!-- … -->`; one that is never closed stays, lest text be lost. */
function withoutComments(text: string): string {
  let rest = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start < 0 ? -1 : text.indexOf("-->", start);
    if (end < 0) return rest + text.slice(from);
    rest += text.slice(from, start);
    from = end + 3;
  }
}

function tableCells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plainInline(cell.replaceAll("\\|", "|")));
}
