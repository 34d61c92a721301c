/**
 * The lines of a PDF to sections. A PDF says where ink goes and not what it means: headings are told by bookmarks and
 * by the size of the type, paragraphs by the space between lines, steps and bullets by how a line begins.
 */
import { Outline } from "./outline.js";
import { joinLines, wordsOf } from "./pdf-hyphens.js";
import { commonest, type Page, type PdfLine, sizesOf } from "./pdf-lines.js";
import { withoutRunning } from "./pdf-running.js";
import type { Section } from "./port.js";

/** An entry of the file's own table of contents. */
export interface Bookmark {
  readonly title: string;
  /** From 1. */
  readonly level: number;
}

export function layOut(pages: readonly Page[], bookmarks: readonly Bookmark[]): Section[] {
  const body = withoutRunning(pages);
  const layout = new Layout(body, typeOf(body), bookmarks);
  for (const page of body) for (const line of page.lines) layout.line(line, page.number);
  return layout.end();
}

/** A type size that is so much larger than the text's is a heading's. */
const HEADING_SIZE_RATIO = 1.15;
const HEADING_CHARS_MAX = 200;

interface Type {
  readonly bodySize: number;
  /** From one baseline to the next, in points. */
  readonly leading: number;
  /** Sizes of headings, largest first. */
  readonly headingSizes: readonly number[];
}

function typeOf(pages: readonly Page[]): Type {
  const sizes = sizesOf(pages.flatMap(({ lines }) => lines));
  const bodySize = commonest(sizes);
  const gaps = new Map<number, number>();
  for (const { lines } of pages) {
    lines.forEach((line, index) => {
      const gap = Math.round(((lines[index - 1]?.y ?? 0) - line.y) * 2) / 2;
      if (line.fontSize === bodySize && gap > bodySize * 0.8 && gap < bodySize * 2)
        gaps.set(gap, (gaps.get(gap) ?? 0) + 1);
    });
  }
  const headingSizes = [...sizes.keys()].filter((size) => size >= bodySize * HEADING_SIZE_RATIO);
  headingSizes.sort((a, b) => b - a);
  return { bodySize, leading: commonest(gaps) || bodySize * 1.2, headingSizes };
}

const NUMBERED = /^(\d{1,3})[.)] (?=\S)/;
/** Also the signs that symbol fonts put in the private use area. */
const BULLET = /^(?:[-*•▪◦‣●○■□➢➤–] |[\uF0A7\uF0B7\uF0D8] ?)(?=\S)/;
/** "4.2 Isolation": a heading whatever its size, when nothing but letters and a few signs follows. */
const NUMBERED_HEADING = /^(\d{1,2}(?:\.\d{1,2}){1,4})\.? \p{Lu}[^.!?;:]{1,80}$/u;

/** More space than this many lines' ends a paragraph. */
const PARAGRAPH_GAP_RATIO = 1.35;
/** In parts of the type size: what is further right than an item's mark belongs to the item. */
const NESTED_INDENT_MIN = 0.8;
/** A line that ends so far before the margin, in parts of the widest, may be a paragraph's last. */
const SHORT_LINE_RATIO = 0.85;

interface Previous extends PdfLine {
  readonly page: number;
}

class Layout {
  readonly #outline = new Outline();
  readonly #words: ReadonlySet<string>;
  readonly #bookmarks: ReadonlyMap<string, number>;
  readonly #right: number;
  #paragraph: { lines: string[]; page: number } | undefined;
  #heading: { lines: string[]; page: number; level: number } | undefined;
  /** Where the outermost open item's mark is; how many items are open: none, it, or one inside of it too. */
  #item: { left: number; hasInner: boolean } | undefined;
  #previous: Previous | undefined;

  constructor(
    pages: readonly Page[],
    private readonly type: Type,
    bookmarks: readonly Bookmark[],
  ) {
    this.#words = wordsOf(pages);
    this.#bookmarks = new Map(bookmarks.map(({ title, level }) => [bare(title), level]));
    this.#right = pages.reduce(
      (right, { lines }) => lines.reduce((r, line) => Math.max(r, line.right), right),
      0,
    );
  }

  line(line: PdfLine, page: number): void {
    const level = this.#headingLevel(line);
    if (level !== undefined) this.#headingLine(line, page, level);
    else {
      this.#endHeading();
      const [mark, number] = NUMBERED.exec(line.text) ?? BULLET.exec(line.text) ?? [];
      if (mark === undefined) this.#textLine(line, page);
      else this.#itemLine(line, page, mark, number);
    }
    this.#previous = { ...line, page };
  }

  end(): Section[] {
    this.#endHeading();
    this.#endItem();
    return this.#outline.end();
  }

  #headingLevel({ text, fontSize }: PdfLine): number | undefined {
    const marked = this.#bookmarks.get(bare(text));
    if (marked !== undefined) return marked;
    if (text.length > HEADING_CHARS_MAX || !/\p{L}/u.test(text)) return undefined;
    const size = this.type.headingSizes.indexOf(fontSize);
    if (size >= 0 && !(NUMBERED.test(text) && /[.!]$/.test(text))) return size + 1;
    const numbers = NUMBERED_HEADING.exec(text)?.[1];
    return numbers === undefined ? undefined : numbers.split(".").length;
  }

  /** A heading may take several lines of one size, one right below the other. */
  #headingLine(line: PdfLine, page: number, level: number): void {
    const open = this.#heading;
    const previous = this.#previous;
    if (open?.level === level && previous?.page === page && previous.fontSize === line.fontSize) {
      const gap = previous.y - line.y;
      const isOwn = this.#bookmarks.has(bare(line.text)) || NUMBERED_HEADING.test(line.text);
      if (!isOwn && gap > 0 && gap <= line.fontSize * PARAGRAPH_GAP_RATIO * 1.2) {
        open.lines.push(line.text);
        return;
      }
    }
    this.#endHeading();
    this.#endItem();
    this.#heading = { lines: [line.text], page, level };
  }

  #endHeading(): void {
    const heading = this.#heading;
    this.#heading = undefined;
    if (heading === undefined) return;
    this.#outline.page = heading.page;
    this.#outline.heading(heading.level, joinLines(heading.lines, this.#words));
  }

  #itemLine(line: PdfLine, page: number, mark: string, number: string | undefined): void {
    const isInner = this.#item !== undefined && this.#isIndented(line, this.#item.left);
    if (isInner) this.#endInner();
    else this.#endItem();
    this.#outline.page = page;
    this.#outline.openList(number === undefined ? undefined : Number(number));
    this.#outline.openItem();
    if (isInner) this.#item!.hasInner = true;
    else this.#item = { left: line.left, hasInner: false };
    this.#paragraph = { lines: [line.text.slice(mark.length)], page };
  }

  #textLine(line: PdfLine, page: number): void {
    const goesOn = this.#goesOn(line, page);
    if (!goesOn) {
      const staysInItem = this.#item !== undefined && this.#isIndented(line, this.#item.left);
      if (staysInItem) this.#endInner();
      else this.#endItem();
    }
    this.#paragraph ??= { lines: [], page };
    this.#paragraph.lines.push(line.text);
  }

  /** Whether a line is the next one of the open paragraph. */
  #goesOn(line: PdfLine, page: number): boolean {
    const previous = this.#previous;
    if (previous === undefined || this.#paragraph === undefined) return false;
    const ended = /[.!?:;…]["'”’»)\]]*$/.test(previous.text);
    const gap = previous.y - line.y;
    // Another page or column.
    if (page !== previous.page || gap < 0) return !ended;
    if (Math.abs(line.fontSize - previous.fontSize) > 1) return false;
    const leading = Math.max(this.type.leading, line.fontSize);
    if (gap > leading * PARAGRAPH_GAP_RATIO) return false;
    return !(ended && previous.right < this.#right * SHORT_LINE_RATIO && !this.#hangs(line));
  }

  /** A line that is further right than the mark of the item that it follows. */
  #hangs(line: PdfLine): boolean {
    return this.#item !== undefined && this.#isIndented(line, this.#item.left);
  }

  #isIndented(line: PdfLine, left: number): boolean {
    return line.left > left + NESTED_INDENT_MIN * line.fontSize;
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    if (paragraph === undefined) return;
    this.#outline.page = paragraph.page;
    this.#outline.prose(joinLines(paragraph.lines, this.#words));
  }

  #endInner(): void {
    this.#endParagraph();
    if (this.#item === undefined || !this.#item.hasInner) return;
    this.#item.hasInner = false;
    this.#outline.closeItem();
    this.#outline.closeList();
  }

  #endItem(): void {
    this.#endInner();
    if (this.#item === undefined) return;
    this.#item = undefined;
    this.#outline.closeItem();
    this.#outline.closeList();
  }
}

/** What two writings of one heading have in common. */
function bare(text: string): string {
  return text
    .replace(/[\s\u00A0]+/g, " ")
    .trim()
    .toLowerCase();
}
