/** Plain text: paragraphs, bullets and numbered steps, told by how lines begin and how far they are indented. */
import { Outline, oneLine } from "./outline.js";
import type { Section } from "./port.js";

/** "1. ", "2) ", "Step 3: ". */
const NUMBERED = /^( *)(?:step +(?=\d{1,6}[.):])|(?=\d{1,6}[.)]))(\d{1,6})[.):] +(?=\S)/i;
const BULLET = /^( *)[-*+•–] +(?=\S)/;

/** What is indented this much deeper than an item's mark belongs to the item. */
const NESTED_INDENT_MIN = 2;

type Open =
  | { readonly type: "none" }
  | { readonly type: "prose"; readonly lines: string[] }
  /** `indent`: of the item's own mark. `lines`: of the paragraph in it that is going on. */
  | { readonly type: "item"; readonly indent: number; lines: string[]; blankBefore: boolean };

export function parseText(text: string): Section[] {
  const reader = new TextReader();
  for (const line of text.split(/\r\n|\r|\n|\f/)) reader.line(line.replaceAll("\t", "    "));
  return reader.end();
}

class TextReader {
  readonly #outline = new Outline();
  #open: Open = { type: "none" };

  line(line: string): void {
    if (line.trim() === "") return this.#blankLine();
    const item = NUMBERED.exec(line) ?? BULLET.exec(line);
    if (item !== null) this.#itemLine(line, item);
    else this.#textLine(line);
  }

  end(): Section[] {
    this.#close();
    return this.#outline.end();
  }

  #blankLine(): void {
    if (this.#open.type === "item") this.#open.blankBefore = true;
    else this.#close();
  }

  #itemLine(line: string, [marked, indentation, number]: RegExpExecArray): void {
    const indent = indentation!.length;
    const open = this.#open;
    if (open.type === "item" && indent >= open.indent + NESTED_INDENT_MIN) {
      this.#endLines(open);
      open.lines.push(line);
      return;
    }
    this.#close();
    this.#outline.openList(number === undefined ? undefined : Number(number));
    this.#outline.openItem();
    this.#open = { type: "item", indent, lines: [line.slice(marked.length)], blankBefore: false };
  }

  #textLine(line: string): void {
    const open = this.#open;
    if (open.type === "prose") {
      open.lines.push(line);
      return;
    }
    const indent = line.search(/\S/);
    if (open.type === "item" && (!open.blankBefore || indent >= open.indent + NESTED_INDENT_MIN)) {
      if (open.blankBefore) this.#endLines(open);
      open.lines.push(line);
      return;
    }
    this.#close();
    this.#open = { type: "prose", lines: [line] };
  }

  /** Ends a paragraph inside an item. */
  #endLines(open: Extract<Open, { type: "item" }>): void {
    this.#outline.prose(open.lines.map(oneLine).join(" "));
    open.lines = [];
    open.blankBefore = false;
  }

  #close(): void {
    const open = this.#open;
    this.#open = { type: "none" };
    if (open.type === "none") return;
    if (open.type === "prose") return this.#outline.prose(open.lines.map(oneLine).join(" "));
    this.#endLines(open);
    this.#outline.closeItem();
    this.#outline.closeList();
  }
}
