/**
 * Markdown (CommonMark with GitHub's tables, footnotes, strikethrough and task lists) to sections. The parser is run
 * twice: over the blocks, and over the text of each; only so is the time for the marks inside a paragraph, which grows
 * faster than their number, bounded by cutting the paragraph, and no tree is deeper than its marks are many.
 */
import type { Nodes, Parents, RootContent, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { htmlInto } from "./html.js";
import { markdownPieces } from "./markdown-pieces.js";
import { Outline } from "./outline.js";
import type { Section } from "./port.js";

export function parseMarkdown(text: string): Section[] {
  const outline = new Outline();
  const reader = new MarkdownReader(outline);
  for (const piece of markdownPieces(text)) reader.piece(piece.text, piece.continues);
  return outline.end();
}

/** What is understood inside of a paragraph. */
const INLINE = [
  "attention autolink characterEscape characterReference codeText hardBreakEscape htmlText labelEnd labelStartImage",
  "labelStartLink wwwAutolink protocolAutolink emailAutolink gfmFootnoteCall gfmPotentialFootnoteCall strikethrough",
].flatMap((names) => names.split(" "));

/** What makes a block, but for definitions. */
const BLOCKS =
  "blockQuote codeFenced codeIndented headingAtx htmlFlow list setextUnderline thematicBreak table tasklistCheck".split(
    " ",
  );

const syntax = gfm();
/** Addresses in running text stay text: looking for them walks the tree by recursion, and nobody hears a link. */
const tree = gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension);

function parseBlocks(text: string): RootContent[] {
  const extensions = [syntax, { disable: { null: INLINE } }];
  return fromMarkdown(text, { extensions, mdastExtensions: tree }).children;
}

const HIDDEN_IN_TEXT = ["wwwAutolink", "protocolAutolink", "emailAutolink"];
const DEFINITIONS = ["definition", "gfmFootnoteDefinition"];

function parseInline(text: string, hasDefinitions: boolean): RootContent[] {
  const disabled = [...BLOCKS, ...HIDDEN_IN_TEXT, ...(hasDefinitions ? [] : DEFINITIONS)];
  const extensions = [syntax, { disable: { null: disabled } }];
  return fromMarkdown(text, { extensions, mdastExtensions: tree }).children;
}

class MarkdownReader {
  /** Labels that links refer to, as they are compared. */
  readonly #labels = new Set<string>();
  #nextNumber: number | undefined;

  constructor(private readonly outline: Outline) {}

  piece(text: string, continues: boolean): void {
    // One line that begins with a letter is a paragraph; a file of one endless line is many of them.
    if (/^\p{L}/u.test(text) && !text.includes("\n")) return this.outline.prose(this.#plain(text));
    const nodes = parseBlocks(text);
    for (const node of nodes) {
      if (node.type === "definition") this.#labels.add(node.identifier);
      else if (node.type === "footnoteDefinition") this.#labels.add(`^${node.identifier}`);
    }
    nodes.forEach((node, index) => {
      this.#block(node, continues && index === 0);
    });
  }

  /** Recursion is as deep as lists and quotes are nested, which `markdownPieces` limits. */
  #block(node: Nodes, continues = false): void {
    if (node.type !== "list") this.#nextNumber = undefined;
    switch (node.type) {
      case "heading":
        return this.outline.heading(node.depth, this.#plain(sourceOf(node)));
      case "paragraph":
        return this.outline.prose(this.#plain(sourceOf(node)));
      case "code":
        return this.outline.code(node.value, node.lang ?? undefined);
      case "html":
        return this.#html(node.value);
      case "table":
        return this.#table(node);
      case "blockquote":
        return this.#quote(node);
      case "list":
        return this.#list(node, continues);
      default:
        if ("children" in node) for (const child of node.children) this.#block(child);
    }
  }

  #list(node: Extract<Nodes, { type: "list" }>, continues: boolean): void {
    const first = node.ordered ? (continues && this.#nextNumber) || (node.start ?? 1) : undefined;
    this.outline.openList(first);
    for (const item of node.children) {
      this.outline.openItem();
      for (const child of item.children) this.#block(child);
      this.outline.closeItem();
    }
    this.outline.closeList();
    this.#nextNumber = first === undefined ? undefined : first + node.children.length;
  }

  /** A quote is read as what stands in it; `[!WARNING]` becomes the word that says so. */
  #quote(node: Extract<Nodes, { type: "blockquote" }>): void {
    const [first, ...others] = node.children;
    const [alert, word] = (first?.type === "paragraph" && ALERT.exec(sourceOf(first))) || [];
    if (first?.type !== "paragraph" || alert === undefined) {
      for (const child of node.children) this.#block(child);
      return;
    }
    const name = `${word![0]!.toUpperCase()}${word!.slice(1).toLowerCase()}:`;
    this.outline.prose(`${name} ${this.#plain(sourceOf(first).slice(alert.length))}`);
    for (const child of others) this.#block(child);
  }

  #table(node: Table): void {
    const [head, ...rows] = node.children.map((row) =>
      row.children.map((cell) => this.#plain(sourceOf(cell).replaceAll("\\|", "|"))),
    );
    if (rows.length === 0) this.outline.row(head ?? [], []);
    for (const row of rows) this.outline.row(row, head!);
  }

  /** A comment that is never closed hides nothing, lest text be lost. */
  #html(value: string): void {
    if (value.startsWith("<!--") && !value.includes("-->")) {
      for (const node of parseBlocks(value.replaceAll("<!--", "\\<!--"))) this.#block(node);
    } else htmlInto(value, this.outline);
  }

  /** The text of a paragraph, a heading or a cell without its marks; a line feed where a line is to end. */
  #plain(source: string): string {
    if (!/[\\`*_~[\]<&]/.test(source)) return source.replaceAll("\n", " ");
    return slices(source)
      .map((slice) => {
        if (!isWriting(slice)) return slice;
        const used = [...slice.matchAll(/\[([^\][]{1,999})\]/g)]
          .map(([, label]) => label!.trim().toLowerCase().replace(/\s+/g, " "))
          .filter((label) => this.#labels.has(label));
        const definitions = [...new Set(used)].map((label) => `\n\n[${label}]: x`).join("");
        const text = parseInline(slice + definitions, definitions !== "")
          .map(inlineText)
          .join("");
        return /^\s/.test(slice) ? ` ${text}` : text;
      })
      .join("");
  }
}

const ALERT = /^\[!(\w+)\][ \t]*(?:\n|$)/;

/** What was written, since the blocks are parsed without looking inside the text. */
function sourceOf(node: Parents): string {
  return node.children
    .map((child) => (child.type === "text" ? child.value : child.type === "break" ? "\\\n" : ""))
    .join("");
}

/** Marks inside one text at the most; what is more is parsed in slices. */
const INLINE_MARKS_MAX = 200;
const INLINE_MARK = /[\\`*_~[\]<&]/g;
/** A slice with fewer characters for each mark is no writing, and stays as it is. */
const CHARS_PER_MARK_MIN = 2;

/** Slices of a text with few enough marks each, cut at a space where there is one. */
function slices(text: string): string[] {
  const found: string[] = [];
  let [from, marks] = [0, 0];
  for (const { index } of text.matchAll(INLINE_MARK)) {
    marks += 1;
    if (marks <= INLINE_MARKS_MAX) continue;
    const space = text.lastIndexOf(" ", index);
    const to = space > from ? space : index;
    found.push(text.slice(from, to));
    [from, marks] = [to, 1];
  }
  return [...found, text.slice(from)];
}

function isWriting(slice: string): boolean {
  const marks = slice.match(INLINE_MARK)?.length ?? 0;
  return marks < INLINE_MARKS_MAX / 2 || slice.length > marks * CHARS_PER_MARK_MIN;
}

/** Recursion is at most as deep as a slice has marks. */
function inlineText(node: Nodes): string {
  switch (node.type) {
    case "text":
      return node.value.replaceAll("\n", " ");
    case "inlineCode":
      return node.value;
    case "image":
    case "imageReference":
      return node.alt ?? "";
    case "break":
      return "\n";
    case "html":
      return /^<br\b/i.test(node.value) ? "\n" : "";
    case "footnoteReference":
    case "definition":
    case "footnoteDefinition":
      return "";
    default:
      return "children" in node ? node.children.map(inlineText).join("") : "";
  }
}
