/** Where a page may speak of access: meta elements, data attributes, comments, scripts that hold data, its first text. */
import type { Note } from "./port.js";

/** Notes of one page. */
const NOTES_MAX = 500;
/** Characters of one comment, script or piece of text. */
const TEXT_CHARS_MAX = 8_192;

/** Pieces of text between tags that are looked at. */
const TEXTS_MAX = 80;

/** Attributes of a meta element that name what its content is about. */
const META_NAMES = ["name", "property", "http-equiv", "itemprop"] as const;

export class HtmlNotes {
  readonly found: Note[] = [];
  /** How far lines have been counted; notes come in the order of the page. */
  #offset = 0;
  #line: number;
  #textCount = 0;

  constructor(
    private readonly html: string,
    firstLine: number,
  ) {
    this.#line = firstLine;
  }

  element(name: string, attributes: ReadonlyMap<string, string>, start: number): void {
    if (name === "meta") {
      const content = attributes.get("content") ?? "";
      for (const one of META_NAMES) {
        const key = attributes.get(one);
        if (key !== undefined) this.#add(start, `${lastPart(key)}: ${content}`);
      }
    }
    for (const [attribute, value] of attributes)
      if (attribute.startsWith("data-"))
        this.#add(start, `${attribute.slice("data-".length)}: ${value}`, "settings");
  }

  comment(start: number, end: number): void {
    this.#lines(start, end, "structured");
  }

  /** What stands behind the tag of `name`: of scripts only what is data, and of the page its beginning. */
  text(name: string, attributes: ReadonlyMap<string, string>, start: number, end: number): void {
    if (name === "style") return;
    if (name !== "script") {
      if (this.#textCount < TEXTS_MAX) this.#lines(start, end, "text");
      this.#textCount += 1;
    } else if (/json|yaml|toml/i.test(attributes.get("type") ?? "")) this.#lines(start, end, "settings");
  }

  #lines(start: number, end: number, kind: Note["kind"]): void {
    const text = this.html.slice(start, Math.min(end, start + TEXT_CHARS_MAX));
    let offset = start;
    for (const line of text.split("\n")) {
      this.#add(offset, line, kind);
      offset += line.length + 1;
    }
  }

  #add(start: number, text: string, kind: Note["kind"] = "structured"): void {
    if (this.found.length >= NOTES_MAX || text.trim() === "") return;
    this.found.push({ kind, where: `line ${this.#lineAt(start)}`, text });
  }

  #lineAt(offset: number): number {
    for (let next = this.html.indexOf("\n", this.#offset); next >= 0 && next < offset; ) {
      this.#line += 1;
      this.#offset = next + 1;
      next = this.html.indexOf("\n", this.#offset);
    }
    return this.#line;
  }
}

/** `readback:visibility` and `DC.accessRights` are keys of somebody's own. */
function lastPart(name: string): string {
  return name.replace(/^.*[:.]/, "");
}
