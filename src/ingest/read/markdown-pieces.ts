/**
 * Cuts Markdown into pieces that can be parsed one by one, and flattens absurd nesting. The parser takes more than
 * linear time and memory on some texts, so no piece is long: it is cut before a heading or paragraph that follows a
 * blank line, where nothing can be open, or when it must be, at any line, and what is open then is opened anew.
 */

/** A piece is cut from this length on where that changes nothing, and at the second length everywhere. */
const PIECE_CHARS_TARGET = 8_192;
const PIECE_CHARS_MAX = 32_768;

/** Quotes and lists in one another; deeper ones are taken to be this deep. */
const NESTING_MAX = 16;
/** Indentation at the most: what nests at 4 columns a level up to the limit. */
const INDENT_COLUMNS_MAX = 64;

/** Blank lines in a row; more say no more. */
const BLANK_LINES_MAX = 2;

export interface Piece {
  readonly text: string;
  /** The piece before was cut inside of something: a list goes on counting. */
  readonly continues: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/;
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** What goes on over blank lines, and what ends it. */
const RAW_HTML: readonly (readonly [start: RegExp, end: string])[] = [
  [/^ {0,3}<!--/, "-->"],
  [/^ {0,3}<script\b/i, "</script>"],
  [/^ {0,3}<style\b/i, "</style>"],
  [/^ {0,3}<pre\b/i, "</pre>"],
  [/^ {0,3}<textarea\b/i, "</textarea>"],
];

type Open =
  | { readonly type: "none" }
  | { readonly type: "fence"; readonly mark: string; readonly opening: string }
  | { readonly type: "html"; readonly end: string; readonly opening: string }
  | { readonly type: "table"; readonly opening: string };

export function* markdownPieces(text: string): Generator<Piece, void, undefined> {
  let open: Open = { type: "none" };
  let previous = "";
  let piece: string[] = [];
  let chars = 0;
  let continues = false;
  let blankCount = 0;
  for (const raw of linesOf(text)) {
    const isBoundary = open.type === "none" && previous.trim() === "" && /^(?:#{1,6} |\p{L})/u.test(raw);
    if (chars > 0 && (chars + raw.length > PIECE_CHARS_MAX || (isBoundary && chars >= PIECE_CHARS_TARGET))) {
      yield { text: piece.join("\n"), continues };
      continues = !isBoundary;
      piece = open.type === "none" ? [] : [open.opening];
      chars = 0;
    }
    const isVerbatim = open.type === "fence" || open.type === "html";
    const line = isVerbatim ? raw : flattened(raw).replace(/^(\s*)[•–](?=[ \t])/, "$1-");
    open = next(open, line, previous);
    blankCount = line.trim() === "" && !isVerbatim ? blankCount + 1 : 0;
    previous = line;
    if (blankCount > BLANK_LINES_MAX) continue;
    piece.push(line);
    chars += line.length + 1;
  }
  if (piece.length > 0) yield { text: piece.join("\n"), continues };
}

/** Lines, the endless ones in parts. */
function* linesOf(text: string): Generator<string, void, undefined> {
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.length <= PIECE_CHARS_MAX) yield line;
    else yield* partsOf(line);
  }
}

/** Parts of an endless line, each ending behind a space if there is one in its second half. */
function* partsOf(line: string): Generator<string, void, undefined> {
  const charsMax = PIECE_CHARS_MAX;
  let from = 0;
  while (from < line.length) {
    let to = Math.min(line.length, from + charsMax);
    if (to < line.length) {
      const space = line.lastIndexOf(" ", to);
      if (space > from + charsMax / 2) to = space + 1;
      else if (/[\uD800-\uDBFF]/.test(line[to - 1]!)) to -= 1;
    }
    yield line.slice(from, to);
    from = to;
  }
}

function next(open: Open, line: string, previous: string): Open {
  switch (open.type) {
    case "fence": {
      const closing = line.trim();
      const closes = closing.startsWith(open.mark) && closing.replaceAll(open.mark[0]!, "") === "";
      return closes ? { type: "none" } : open;
    }
    case "html":
      return line.toLowerCase().includes(open.end) ? { type: "none" } : open;
    case "table":
      if (line.includes("|")) return open;
  }
  const [, mark, info] = FENCE.exec(line) ?? [];
  if (mark !== undefined && !(mark.startsWith("`") && info!.includes("`")))
    return { type: "fence", mark, opening: line };
  for (const [start, end] of RAW_HTML) {
    const found = start.exec(line);
    if (found !== null && !line.toLowerCase().includes(end, found[0].length))
      return { type: "html", end, opening: found[0].startsWith("<!") ? found[0] : `${found[0]}>` };
  }
  const isTable = previous.includes("|") && line.includes("-") && TABLE_RULE.test(line);
  return isTable ? { type: "table", opening: `${previous}\n${line}` } : { type: "none" };
}

const MARK = /(?:>|[-+*•–](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]?/y;

/** A line without the marks of quotes and lists beyond the deepest level, and without indentation deeper than that. */
function flattened(line: string): string {
  let at = 0;
  let marks = 0;
  let spaces = 0;
  let kept = "";
  while (at < line.length) {
    if (line[at] === " " || line[at] === "\t") {
      spaces += line[at] === "\t" ? 4 : 1;
      if (spaces <= INDENT_COLUMNS_MAX) kept += line[at];
      at += 1;
      continue;
    }
    MARK.lastIndex = at;
    const mark = MARK.exec(line)?.[0];
    if (mark === undefined) break;
    marks += 1;
    if (marks <= NESTING_MAX) kept += mark;
    at += mark.length;
  }
  return marks <= NESTING_MAX && spaces <= INDENT_COLUMNS_MAX ? line : kept + line.slice(at);
}
