/**
 * Collects what a reader finds, in reading order, as sections of blocks. Whatever stands inside the outermost list item
 * becomes part of it, since a step is never cut: nested items, code and table rows are lines of its text.
 */
import type { Block, Section } from "./port.js";

/** A line that is a list item by its mark: a bullet of whatever kind, or a number. */
const LISTED_LINE = /^(?:[-*+•–] |\d{1,3}[.)] )/;

export class Outline {
  /** Where what comes next begins; undefined in formats without pages. */
  page: number | undefined;
  readonly #sections: Section[] = [];
  readonly #headings: { level: number; text: string; page: number | undefined; hasContent: boolean }[] = [];
  readonly #lists: { nextNumber: number | undefined }[] = [];
  #blocks: Block[] = [];
  /** The outermost item that is open. `depth`: how many items are, itself included. */
  #item: { type: "step" | "item"; lines: string[]; depth: number; page: number | undefined } | undefined;
  /** Of the innermost item, until something stands behind it. */
  #mark = "";

  /** `level`: 1 is the outermost. Inside an item it is a line like any other. */
  heading(level: number, text: string): void {
    const line = oneLine(text);
    if (this.#item !== undefined) return this.#add("prose", line);
    this.#closeSection(level);
    while ((this.#headings.at(-1)?.level ?? 0) >= level) this.#headings.pop();
    if (line !== "") this.#headings.push({ level, text: line, page: this.page, hasContent: false });
  }

  /** A paragraph. Its line breaks are spaces, but before what looks like an item of a list. */
  prose(text: string): void {
    let joined = "";
    for (const line of text.split("\n").map(oneLine)) {
      if (line === "") continue;
      joined += joined === "" ? line : `${LISTED_LINE.test(line) ? "\n" : " "}${line}`;
    }
    this.#add("prose", joined);
  }

  /** `text` as it is, line by line. */
  code(text: string, language?: string): void {
    const lines = text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
    this.#add("code", lines, language);
  }

  /** A row of a table; `columns` may be fewer or nameless. */
  row(cells: readonly string[], columns: readonly string[]): void {
    const named = cells.map((cell, index) => {
      const [name, value] = [columns[index] ?? "", oneLine(cell)];
      return value !== "" && name !== "" ? `${name}: ${value}` : value;
    });
    const filled = named.filter((cell) => cell !== "");
    if (filled.length > 0) this.#add("row", `- ${filled.join("; ")}`);
  }

  /** `firstNumber`: of a numbered list. */
  openList(firstNumber: number | undefined): void {
    this.#lists.push({ nextNumber: firstNumber });
  }

  closeList(): void {
    this.#lists.pop();
  }

  /** An item of the innermost list; outside of any list it is a bullet. `number`: when it does not go on counting. */
  openItem(number?: number): void {
    const list = this.#lists.at(-1);
    const own = list?.nextNumber === undefined ? undefined : (number ?? list.nextNumber);
    if (list !== undefined && own !== undefined) list.nextNumber = own + 1;
    this.#mark = own === undefined ? "- " : `${own}. `;
    if (this.#item !== undefined) this.#item.depth += 1;
    else this.#item = { type: own === undefined ? "item" : "step", lines: [], depth: 1, page: this.page };
  }

  closeItem(): void {
    const item = this.#item;
    this.#mark = "";
    if (item === undefined) return;
    item.depth -= 1;
    if (item.depth > 0) return;
    this.#item = undefined;
    if (item.lines.length > 0) this.#push({ type: item.type, text: item.lines.join("\n") }, item.page);
  }

  /** Everything that was found; nothing may be added after it. */
  end(): Section[] {
    while (this.#item !== undefined) this.closeItem();
    this.#closeSection(0);
    return this.#sections;
  }

  #add(type: Block["type"], text: string, language?: string): void {
    if (text === "") return;
    if (this.#item !== undefined) {
      this.#item.lines.push(this.#mark + text);
      this.#mark = "";
    } else this.#push({ type, text, ...(language ? { language } : {}) }, this.page);
  }

  #push(block: Block, page: number | undefined): void {
    this.#blocks.push(page === undefined ? block : { ...block, page });
  }

  /** `nextLevel`: of the heading that follows, 0 at the end. */
  #closeSection(nextLevel: number): void {
    const headings = this.#headings.map(({ text }) => text);
    const blocks = this.#blocks;
    this.#blocks = [];
    const last = this.#headings.at(-1);
    if (blocks.length > 0) this.#sections.push({ headings, blocks });
    else if (last !== undefined && nextLevel <= last.level && !last.hasContent) {
      // A heading over nothing is what the section says.
      this.#push({ type: "prose", text: last.text }, last.page);
      this.#sections.push({ headings: headings.slice(0, -1), blocks: this.#blocks });
      this.#blocks = [];
    } else return;
    for (const heading of this.#headings) heading.hasContent = true;
  }
}

/** White space to single spaces. Characters that only tell where a word may be broken are taken out. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u00AD\u200B]/g, "")
    .replace(/[\s\u00A0]+/g, " ")
    .trim();
}
