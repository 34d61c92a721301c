/**
 * What of a source text is code: the same text, line by line, with comments blanked and strings covered, so that
 * brackets and words in them count for nothing; and how deep each line lies. One generic lexer for all languages, driven
 * by their rows in languages.ts. It is lenient: whatever the text holds, it goes on, in time in proportion to the text.
 */
import type { CodeLanguage, StringStyle } from "./languages.js";

export interface SourceLine {
  readonly text: string;
  /** Without comments; every character of a string is `"`. As long as the text. */
  readonly code: string;
  /** It begins inside a string or a comment that an earlier line opened. */
  readonly startsInside: boolean;
  /** Brackets (and opening words) that are open before and after it. */
  readonly depthBefore: number;
  readonly depthAfter: number;
}

export function lex(text: string, language: CodeLanguage): SourceLine[] {
  const covered = cover(text, language);
  const codeLines = covered.code.split("\n");
  let depth = 0;
  return text.split("\n").map((line, index) => {
    const code = codeLines[index]!;
    const depthBefore = depth;
    depth = Math.max(0, depth + depthChange(code, language));
    return { text: line, code, startsInside: covered.inside[index]!, depthBefore, depthAfter: depth };
  });
}

function depthChange(code: string, { layout }: CodeLanguage): number {
  const count = (pattern: RegExp | undefined) =>
    pattern === undefined ? 0 : (code.match(pattern)?.length ?? 0);
  switch (layout.type) {
    case "brackets":
      return count(/[([{]/g) - count(/[)\]}]/g) + count(layout.opens) - count(layout.closes);
    case "elements":
      return count(/<[A-Za-z_]/g) - count(/<\/|\/>/g);
    case "statements":
      return count(/\(/g) - count(/\)/g) + count(SQL_OPENS) - count(SQL_CLOSES);
    default:
      return count(/[([{]/g) - count(/[)\]}]/g);
  }
}

/** `begin` of a transaction opens nothing, and `end if` closes what was not counted. */
const SQL_OPENS = /\bbegin\b(?!\s*(?:;|transaction|tran\b|work))|\bcase\b/gi;
const SQL_CLOSES = /\bend\b(?!\s*(?:if|loop|while|repeat)\b)/gi;

interface MaskedCode {
  readonly code: string;
  /** For each line. */
  readonly inside: readonly boolean[];
}

function cover(text: string, language: CodeLanguage): MaskedCode {
  const code: string[] = [];
  const insideAt = new Set<number>();
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; ) {
    const found = tokenAt(text, at, language, unclosed);
    if (found === undefined) {
      // Everything up to the next character that could begin a string or a comment.
      // A pattern with `u` that begins within a pair of surrogates would step back to its beginning, for ever.
      const next = at + String.fromCodePoint(text.codePointAt(at)!).length;
      PLAIN.lastIndex = next;
      const end = PLAIN.test(text) ? PLAIN.lastIndex : next;
      code.push(text.slice(at, end));
      at = end;
      continue;
    }
    const token = text.slice(at, found.end);
    code.push(token.replace(/[^\n]/g, found.type === "comment" ? " " : '"'));
    for (
      let feed = text.indexOf("\n", at);
      feed >= 0 && feed < found.end;
      feed = text.indexOf("\n", feed + 1)
    ) {
      insideAt.add(feed + 1);
    }
    at = found.end;
  }
  return { code: code.join(""), inside: lineStarts(text).map((start) => insideAt.has(start)) };
}

/** Letters, digits and spaces begin neither. */
const PLAIN = /[\p{L}\p{N}_ ]*/uy;

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) starts.push(feed + 1);
  return starts;
}

interface Lexeme {
  readonly type: "string" | "comment";
  readonly end: number;
}

/** `unclosed`: heredoc tags that no later line closes, so that nobody looks twice. */
function tokenAt(
  text: string,
  at: number,
  language: CodeLanguage,
  unclosed: Set<string>,
): Lexeme | undefined {
  for (const [open, close] of language.blockComments) {
    if (!startsAt(text, at, open)) continue;
    const end = text.indexOf(close, at + open.length);
    return { type: "comment", end: end < 0 ? text.length : end + close.length };
  }
  const mark = language.lineComments.find((one) => text.startsWith(one, at));
  if (mark !== undefined && !(language.commentsBeginWords && /[^\s;(]/.test(text[at - 1] ?? " ")))
    return { type: "comment", end: lineEnd(text, at) };
  const end =
    heredocEnd(text, at, language, unclosed) ??
    stringEnd(text, at, language.strings) ??
    regexEnd(text, at, language);
  return end === undefined ? undefined : { type: "string", end };
}

/** A mark that begins with a line feed stands at the beginning of a line. */
function startsAt(text: string, at: number, mark: string): boolean {
  return mark.startsWith("\n")
    ? text.startsWith(mark.slice(1), at) && (at === 0 || text[at - 1] === "\n")
    : text.startsWith(mark, at);
}

function lineEnd(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  return feed < 0 ? text.length : feed;
}

function stringEnd(text: string, at: number, styles: readonly StringStyle[]): number | undefined {
  const style = styles.find(({ open }) => text.startsWith(open, at));
  if (style === undefined) return undefined;
  const { open, close, escapes, multiline, isChar } = style;
  if (isChar) {
    CHAR_LITERAL.lastIndex = at;
    return CHAR_LITERAL.test(text) ? CHAR_LITERAL.lastIndex : undefined;
  }
  for (let index = at + open.length; index < text.length; index++) {
    if (escapes && text[index] === "\\") index += 1;
    else if (text.startsWith(close, index)) return index + close.length;
    else if (!multiline && text[index] === "\n") return index;
  }
  return text.length;
}

const CHAR_LITERAL = /'(?:\\[^\n]{1,8}?|[^\\'\n]{1,2})'/y;

const HEREDOC = /<<[<~-]?[ \t]*(["']?)([A-Z_][A-Z0-9_]*)\1/y;

/** The place after the line that ends it, if there is one. */
function heredocEnd(
  text: string,
  at: number,
  { heredocs }: CodeLanguage,
  unclosed: Set<string>,
): number | undefined {
  if (!heredocs || !text.startsWith("<<", at)) return undefined;
  HEREDOC.lastIndex = at;
  const tag = HEREDOC.exec(text)?.[2];
  if (tag === undefined || unclosed.has(tag)) return undefined;
  const closing = new RegExp(`^[ \\t]*${tag}\\b`, "gm");
  closing.lastIndex = lineEnd(text, at);
  if (closing.test(text)) return closing.lastIndex;
  unclosed.add(tag);
  return undefined;
}

const REGEX_LITERAL = /\/(?![*/])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\[\n])+\//y;

function regexEnd(text: string, at: number, { regexLiterals }: CodeLanguage): number | undefined {
  if (!regexLiterals || text[at] !== "/") return undefined;
  const before = text.slice(Math.max(0, at - OPERAND_CHARS), at).trimEnd();
  if (!/(?:^|[(,=:[!&|?{};+\-*%<>~]|\b(?:return|typeof|case|in|of|if|unless|when))$/.test(before))
    return undefined;
  REGEX_LITERAL.lastIndex = at;
  return REGEX_LITERAL.test(text) ? REGEX_LITERAL.lastIndex : undefined;
}

/** Characters looked at before a slash. */
const OPERAND_CHARS = 24;
