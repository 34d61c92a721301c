/**
 * Where the blocks of a source text begin and end: the statements, definitions, entries or elements of one level, with
 * the comments and annotations that lead to them. Works on the lexer's lines, for every layout but sections.
 */
import { type Header, headerOf } from "./headers.js";
import type { CodeLanguage } from "./languages.js";
import type { SourceLine } from "./lexer.js";

/** A block: lines from `start` to before `end`. */
export interface CodeBlock {
  readonly start: number;
  /** The first line that is no comment and no annotation; `end` where there is none. */
  readonly head: number;
  readonly end: number;
  readonly header: Header;
  /** Lines of its members, where it is a container that has some. */
  readonly body?: { readonly start: number; readonly end: number };
}

const COMMENT: Header = { blockType: "comment", isContainer: false };

/** The blocks in the lines from `start` to before `end`, in order; together they have every line that is not blank. */
export function unitsOf(
  lines: readonly SourceLine[],
  start: number,
  end: number,
  language: CodeLanguage,
  parent: string | undefined,
): CodeBlock[] {
  const scanner = new Scanner(lines, end, language);
  const units: CodeBlock[] = [];
  for (let at = scanner.skipBlank(start); at < end; ) {
    const head = scanner.headFrom(at);
    const unit: CodeBlock =
      head === undefined
        ? { start: at, head: scanner.endOfComments(at), end: scanner.endOfComments(at), header: COMMENT }
        : scanner.unit(at, head, parent);
    units.push(unit);
    at = scanner.skipBlank(unit.end);
  }
  return units;
}

export function isBlank({ text }: SourceLine): boolean {
  return text.trim() === "";
}

function isComment(line: SourceLine): boolean {
  return !isBlank(line) && line.code.trim() === "";
}

/** `@Test`, `#[derive(…)]`, `[Fact]`, `template <…>`: they belong to what follows. */
const ANNOTATION = /^(?:@[\w.]+(?:\(.*\))?|#!?\[.*\]|\[[\w., ()"=:]+\]|template\s*<.*>)$/;

/** What goes on with the block before it. */
const CONTINUES =
  /^(?:\{|(?:\}\s*)?(?:else|elseif|elif|elsif|catch|except|finally|rescue|ensure|then)\b|[)\]}]|\.\w|\?[^\w]|&&|\|\||->|=>|:\s)/i;

/** What is not finished. */
const UNFINISHED = /(?:[,=+*/%&|<({[\\?]|(?<![-+])-|=>|->|\b(?:and|or|extends|implements|returns?))$/;

/** Lines looked at for the bracket that opens a container's body. */
const HEADER_LINES_MAX = 40;

class Scanner {
  constructor(
    private readonly lines: readonly SourceLine[],
    private readonly end: number,
    private readonly language: CodeLanguage,
  ) {}

  skipBlank(from: number): number {
    let at = from;
    while (at < this.end && isBlank(this.lines[at]!)) at += 1;
    return at;
  }

  /** The line behind comments and annotations that follow each other without a blank line; undefined: only comments. */
  headFrom(from: number): number | undefined {
    let at = from;
    for (; at < this.end; at++) {
      const line = this.lines[at]!;
      if (isBlank(line) && !line.startsInside) return undefined;
      if (!isComment(line) && !isBlank(line) && !ANNOTATION.test(line.code.trim())) return at;
    }
    return undefined;
  }

  /** The line after the comments from `from` on; at least one line. */
  endOfComments(from: number): number {
    let at = from + 1;
    while (at < this.end && (!isBlank(this.lines[at]!) || this.lines[at]!.startsInside)) at += 1;
    return at;
  }

  unit(start: number, head: number, parent: string | undefined): CodeBlock {
    const header = headerOf(this.#visible(head), this.language, parent);
    const end = this.#endOf(head, header);
    const body = header.isContainer ? this.#bodyOf(head, end) : undefined;
    return { start, head, end, header, ...(body === undefined ? {} : { body }) };
  }

  /** A line without its comments. */
  #visible(at: number): string {
    const { text, code } = this.lines[at]!;
    const visible = Array.from({ length: Math.min(text.length, HEADER_CHARS_MAX) }, (_, i) =>
      code[i] === " " ? " " : text[i]!,
    );
    return visible.join("");
  }

  #endOf(head: number, header: Header): number {
    const { layout } = this.language;
    if (layout.type === "indentation") return this.#endByIndent(head, header);
    if (layout.type === "rules") return this.#endOfRule(head);
    const base = this.lines[head]!.depthBefore;
    for (let at = head; at < this.end; at++) {
      const line = this.lines[at]!;
      if (line.depthAfter > base || this.lines[at + 1]?.startsInside) continue;
      if (layout.type === "statements" ? /;\s*$|^\s*(?:go|\/)\s*$/i.test(line.code) : !this.#continues(at))
        return at + 1;
    }
    return this.end;
  }

  /** Whether the statement goes on behind a line at its own depth. */
  #continues(at: number): boolean {
    const { layout } = this.language;
    if (layout.type === "elements" || (layout.type === "brackets" && layout.entries)) return false;
    if (UNFINISHED.test(this.lines[at]!.code.trimEnd())) return true;
    const next = this.skipBlank(at + 1);
    const line = this.lines[next];
    if (next >= this.end || line === undefined) return false;
    return CONTINUES.test(line.code.trim()) && (next === at + 1 || !line.code.trim().startsWith("{"));
  }

  /** To the next line that is indented no deeper. */
  #endByIndent(head: number, header: Header): number {
    const indent = indentOf(this.lines[head]!);
    const isInside = (at: number) => {
      const line = this.lines[at]!;
      if (line.startsInside || line.depthBefore > this.lines[head]!.depthBefore || isBlank(line)) return true;
      if (indentOf(line) > indent) return true;
      const code = line.code.trim();
      // In YAML the items of a list may stand as far left as its key.
      if (header.blockType === "key" && indentOf(line) === indent && /^-(?:\s|$)/.test(code)) return true;
      return indentOf(line) === indent && /^(?:(?:else|elif|except|finally)\b|[)\]}])/.test(code);
    };
    let at = head + 1;
    while (at < this.end && isInside(at)) at += 1;
    while (isBlank(this.lines[at - 1]!) && at - 1 > head) at -= 1;
    return at;
  }

  #endOfRule(head: number): number {
    let at = head + 1;
    while (at < this.end && !RULE.test(this.lines[at]!.code) && !isComment(this.lines[at]!)) at += 1;
    return at;
  }

  #bodyOf(head: number, end: number): CodeBlock["body"] {
    if (this.language.layout.type === "indentation") return this.#bodyByIndent(head, end);
    const base = this.lines[head]!.depthBefore;
    const last = Math.min(end, head + HEADER_LINES_MAX);
    let opening = head;
    while (opening < last && this.lines[opening]!.depthAfter <= base) opening += 1;
    if (opening >= last) return undefined;
    const isClosed = /^\s*(?:[)\]}>;,]+|end\b)\s*(?:;\s*)?$/.test(this.lines[end - 1]!.code);
    const start = opening + 1;
    const bodyEnd = isClosed ? end - 1 : end;
    return start < bodyEnd ? { start, end: bodyEnd } : undefined;
  }

  #bodyByIndent(head: number, end: number): CodeBlock["body"] {
    const indent = indentOf(this.lines[head]!);
    for (let at = head + 1; at < end; at++) {
      const line = this.lines[at]!;
      if (!isBlank(line) && !line.startsInside && indentOf(line) > indent && line.depthBefore === 0)
        return { start: at, end };
    }
    return undefined;
  }
}

const HEADER_CHARS_MAX = 300;

/** The beginning of a grammar's rule. */
export const RULE = /^\s*(?:<[^>]+>|[\w-]+)\s*(?:::=|:=|=\/?|:(?!:))/;

function indentOf({ text }: SourceLine): number {
  return text.search(/\S|$/);
}
