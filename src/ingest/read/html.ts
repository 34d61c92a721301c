/**
 * HTML to sections. The tokenizer is a library's; the stack of open elements is our own, since that of the library's
 * parser takes quadratic time on deep nesting. Which end tags may be missing follows the HTML standard
 * (https://html.spec.whatwg.org/multipage/syntax.html#optional-tags); wrong nesting is mended as simply as may be.
 */
import { Tokenizer } from "htmlparser2";
import { DocumentProblem } from "../problem.js";
import { decodeAs, decodeText, encodingOfMark } from "./decode.js";
import { HtmlNotes } from "./html-notes.js";
import { HtmlReader } from "./html-reader.js";
import { Outline, oneLine } from "./outline.js";
import type { Note, ParsedDocument } from "./port.js";

/** Throws `DocumentProblem` when the bytes are no text in the character set that they declare. */
export function parseHtml(bytes: Uint8Array): ParsedDocument {
  const outline = new Outline();
  const { title, warnings, notes } = htmlInto(decodeHtml(bytes), outline);
  const sections = outline.end();
  return { ...(title === "" ? {} : { title }), sections, notes, warnings };
}

/** Adds what a page or a piece of one says to an outline. */
export function htmlInto(
  html: string,
  outline: Outline,
  firstLine = 1,
): { title: string; warnings: string[]; notes: readonly Note[] } {
  const reader = new HtmlReader(outline);
  const notes = new HtmlNotes(html, firstLine);
  const tags = new TagStream(html, reader, notes);
  const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode: false }, tags);
  tokenizer.write(html);
  tokenizer.end();
  reader.end();
  return { title: oneLine(reader.title), warnings: reader.warnings, notes: notes.found };
}

/** Where a page may declare its character set. */
const DECLARATION_BYTES_MAX = 4_096;
const DECLARATION =
  /<meta\s[^<>]*?charset\s*=\s*(?:["']\s*)?([\w:.-]+)|^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]+)/i;

function decodeHtml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES_MAX)).toString("latin1");
  const declared = DECLARATION.exec(head);
  const label = (declared?.[1] ?? declared?.[2])?.toLowerCase();
  // A page that could be read up to here is not in UTF-16, whatever it says.
  if (label === undefined || label.startsWith("utf-16") || encodingOfMark(bytes) !== undefined)
    return decodeText(bytes, "; save it as UTF-8 or declare its character set");
  try {
    new TextDecoder(label);
  } catch (error) {
    throw new DocumentProblem(`the file declares an unknown character set, ${label}; save it as UTF-8`, {
      cause: error,
    });
  }
  return decodeAs(bytes, label, "; it is not in the character set that it declares");
}

/** What the tokenizer finds, put together to whole tags. */
class TagStream {
  #name = "";
  #start = 0;
  #attributes = new Map<string, string>();
  #attributeName = "";
  #attributeValue = "";

  constructor(
    private readonly html: string,
    private readonly reader: HtmlReader,
    private readonly notes: HtmlNotes,
  ) {}

  ontext(start: number, end: number): void {
    this.notes.text(this.#name, this.#attributes, start, end);
    this.reader.text(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.reader.text(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.html.slice(start, end).toLowerCase();
    this.#start = start;
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.html.slice(start, end).toLowerCase();
    this.#attributeValue = "";
  }

  onattribdata(start: number, end: number): void {
    this.#attributeValue += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#attributeValue += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (!this.#attributes.has(this.#attributeName))
      this.#attributes.set(this.#attributeName, this.#attributeValue);
  }

  onopentagend(): void {
    this.notes.element(this.#name, this.#attributes, this.#start);
    this.reader.open(this.#name, this.#attributes);
  }

  /** In HTML the slash says nothing. */
  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    this.reader.close(this.html.slice(start, end).trim().toLowerCase());
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.reader.text(this.html.slice(start, end - endOffset));
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.notes.comment(start, end - endOffset);
  }

  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
