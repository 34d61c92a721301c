/** From opening tags, closing tags and text to an outline. Every step takes constant time, however deep the nesting. */

import { type CellSpan, HtmlTable } from "./html-table.js";
import { BLOCK, CLOSES, isHidden, TABLE_PARTS, VOID } from "./html-tags.js";
import { type Outline, oneLine } from "./outline.js";

type Attributes = ReadonlyMap<string, string>;

interface Element {
  readonly name: string;
  /** Nothing in it is read. */
  readonly isHidden: boolean;
  /** What its end brings about, if anything. */
  readonly onEnd: (() => void) | undefined;
}

/** What text is added to. */
type Place =
  | { readonly type: "flow" | "title" }
  | { readonly type: "pre"; language: string | undefined }
  | { readonly type: "cell"; strongChars: number; readonly span: CellSpan; readonly isHeader: boolean };

export class HtmlReader {
  title = "";
  readonly warnings: string[] = [];
  readonly #open: Element[] = [];
  /** For each name, where in `#open` the elements of that name are. */
  readonly #places = new Map<string, number[]>();
  /** Where in `#open` the outermost hidden element is. */
  #hiddenFrom = Number.POSITIVE_INFINITY;
  #text: string[] = [];
  #place: Place = { type: "flow" };
  readonly #tables: HtmlTable[] = [];
  /** Of a list of terms, until what it means follows. */
  #term = "";
  #strongDepth = 0;

  constructor(private readonly outline: Outline) {}

  text(text: string): void {
    if (this.#open.length > this.#hiddenFrom) return;
    if (this.#place.type === "title") this.title += text;
    else {
      // White space in the source is one space; line feeds stand for `br` only.
      this.#text.push(this.#place.type === "pre" ? text : text.replace(/\s+/g, " "));
      if (this.#place.type === "cell" && this.#strongDepth > 0)
        this.#place.strongChars += text.replace(/\s+/g, "").length;
    }
  }

  open(name: string, attributes: Attributes): void {
    if (BLOCK.has(name)) this.#closeImplied(name);
    if (VOID.has(name)) {
      if (this.#open.length <= this.#hiddenFrom) this.#void(name, attributes);
      return;
    }
    const hidden = isHidden(name, attributes);
    const isRead = !hidden && this.#open.length <= this.#hiddenFrom;
    if (BLOCK.has(name) && isRead) this.#flush();
    const onEnd = isRead ? this.#begin(name, attributes) : undefined;
    if (hidden && this.#hiddenFrom === Number.POSITIVE_INFINITY) this.#hiddenFrom = this.#open.length;
    this.#placesOf(name).push(this.#open.length);
    this.#open.push({ name, isHidden: hidden, onEnd });
  }

  close(name: string): void {
    if (name === "br") return this.open("br", new Map());
    const index = this.#last(name);
    if (index < 0) return;
    if (!TABLE_PARTS.has(name) && index < this.#lastOf(["td", "th", "caption"])) return;
    this.#closeFrom(index);
  }

  end(): void {
    const hidden = this.#open[this.#hiddenFrom];
    if (hidden !== undefined && ["script", "style", "template", "noscript"].includes(hidden.name))
      this.warnings.push(`what follows <${hidden.name}> is left out, since no </${hidden.name}> ends it`);
    this.#closeFrom(0);
    this.#flush();
  }

  #placesOf(name: string): number[] {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const places: number[] = [];
    this.#places.set(name, places);
    return places;
  }

  #last(name: string): number {
    return this.#places.get(name)?.at(-1) ?? -1;
  }

  #lastOf(names: readonly string[]): number {
    return Math.max(-1, ...names.map((name) => this.#last(name)));
  }

  #closeImplied(name: string): void {
    const paragraph = this.#last("p");
    if (paragraph >= 0 && paragraph > this.#lastOf(["td", "th", "caption", "button"]))
      this.#closeFrom(paragraph);
    const rule = CLOSES.get(name);
    if (rule === undefined) return;
    const within = this.#lastOf(rule.within);
    const opened = rule.open.map((open) => this.#last(open)).filter((index) => index > within);
    if (opened.length > 0) this.#closeFrom(Math.min(...opened));
  }

  #closeFrom(index: number): void {
    while (this.#open.length > index) {
      const { name, onEnd } = this.#open.pop()!;
      this.#placesOf(name).pop();
      if (this.#open.length > this.#hiddenFrom) continue;
      if (this.#open.length === this.#hiddenFrom) {
        this.#hiddenFrom = Number.POSITIVE_INFINITY;
        continue;
      }
      if (onEnd !== undefined) onEnd();
      else if (BLOCK.has(name)) this.#flush();
    }
  }

  #void(name: string, attributes: Attributes): void {
    if (name === "br") this.#text.push("\n");
    else if (name === "hr") this.#flush();
    else if (name === "img") this.text(` ${attributes.get("alt") ?? ""} `);
  }

  /** What the beginning of an element brings about; returns what its end will. */
  #begin(name: string, attributes: Attributes): (() => void) | undefined {
    if (/^h[1-6]$/.test(name)) {
      if (this.#place.type !== "flow") return undefined;
      return () => this.outline.heading(Number(name[1]), this.#take());
    }
    switch (name) {
      case "title":
        return this.title === "" ? this.#within({ type: "title" }, () => undefined) : undefined;
      case "ol":
      case "ul":
      case "menu":
      case "dir":
        return this.#list(name, attributes);
      case "li":
        return this.#item(attributes);
      case "pre":
        return this.#pre();
      case "code":
        this.#codeLanguage(attributes);
        return undefined;
      case "dt":
        return () => {
          this.#term = oneLine(this.#take());
        };
      case "b":
      case "strong":
        this.#strongDepth += 1;
        return () => {
          this.#strongDepth -= 1;
        };
      default:
        return this.#tablePart(name, attributes);
    }
  }

  #list(name: string, attributes: Attributes): (() => void) | undefined {
    if (this.#place.type !== "flow") return undefined;
    this.outline.openList(name === "ol" ? (wholeNumber(attributes.get("start")) ?? 1) : undefined);
    return () => {
      this.#flush();
      this.outline.closeList();
    };
  }

  #item(attributes: Attributes): (() => void) | undefined {
    if (this.#place.type !== "flow") return undefined;
    this.outline.openItem(wholeNumber(attributes.get("value")));
    return () => {
      this.#flush();
      this.outline.closeItem();
    };
  }

  #pre(): (() => void) | undefined {
    if (this.#place.type !== "flow") return undefined;
    const place = { type: "pre" as const, language: undefined as string | undefined };
    return this.#within(place, () => this.outline.code(this.#take(), place.language));
  }

  #codeLanguage(attributes: Attributes): void {
    const language = /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(attributes.get("class") ?? "")?.[1];
    if (this.#place.type === "pre" && language !== undefined) this.#place.language = language;
  }

  #tablePart(name: string, attributes: Attributes): (() => void) | undefined {
    const table = this.#tables.at(-1);
    switch (name) {
      case "table": {
        // A table in a table's cell: the outer one is there for the looks.
        if (this.#place.type === "cell") {
          table!.isLayout = true;
          this.#place = { type: "flow" };
          this.#flush();
        }
        if (this.#place.type !== "flow") return undefined;
        const inner = new HtmlTable(this.outline);
        this.#tables.push(inner);
        return () => {
          this.#flush();
          inner.end();
          this.#tables.pop();
        };
      }
      case "tr":
        return table === undefined
          ? undefined
          : () => table.endRow(this.#last("thead") > this.#last("table"));
      case "td":
      case "th":
        return table === undefined || table.isLayout || this.#place.type !== "flow"
          ? undefined
          : this.#cell(table, name === "th", attributes);
      default:
        return undefined;
    }
  }

  #cell(table: HtmlTable, isHeader: boolean, attributes: Attributes): () => void {
    const span = {
      columns: wholeNumber(attributes.get("colspan")) ?? 1,
      rows: wholeNumber(attributes.get("rowspan")) ?? 1,
    };
    const place = { type: "cell" as const, strongChars: 0, span, isHeader };
    return this.#within(place, () => {
      if (table.isLayout) return this.#flush();
      const text = oneLine(this.#take());
      const isStrong = text !== "" && place.strongChars === text.replaceAll(" ", "").length;
      table.cell(text, isHeader || isStrong, isHeader, span);
    });
  }

  /** Takes the text up to the element's end apart from what is around it. */
  #within(place: Place, onEnd: () => void): () => void {
    this.#place = place;
    return () => {
      onEnd();
      this.#place = { type: "flow" };
    };
  }

  #take(): string {
    const text = this.#text.join("");
    this.#text = [];
    return text;
  }

  /** Ends a paragraph. */
  #flush(): void {
    if (this.#place.type === "cell" || this.#place.type === "pre") {
      this.#text.push(this.#place.type === "pre" ? "\n" : " ");
      return;
    }
    if (this.#text.length === 0) return;
    const text = this.#take();
    if (oneLine(text) === "") return;
    this.outline.prose(this.#term === "" ? text : `${this.#term}: ${text}`);
    this.#term = "";
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : undefined;
}
