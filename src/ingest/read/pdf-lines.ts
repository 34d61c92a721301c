/** The runs of text on a PDF page to its lines. Places are in points from the page's lower left corner. */

export interface PdfLine {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Of the baseline. */
  readonly y: number;
  readonly fontSize: number;
}

export interface Page {
  /** From 1. */
  readonly number: number;
  readonly bottom: number;
  readonly top: number;
  /** In the order of the file, which is that of reading in all but odd ones. */
  readonly lines: readonly PdfLine[];
}

/** What the library says about a run; it has others without text. */
interface Run {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  /** The matrix of ISO 32000-1, 9.4.4: scale and turn, then x and y. */
  readonly transform: readonly number[];
}

/** In parts of the font size: runs whose baselines differ by less are on one line (sub- and superscripts are). */
const BASELINE_TOLERANCE = 0.4;
/** … and runs this far apart have a space between them. */
const WORD_GAP_MIN = 0.15;
/** … and so far back is the beginning of another line. */
const BACK_MIN = 1;

export function linesOf(items: readonly object[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let open: { text: string; left: number; right: number; y: number; sizes: Map<number, number> } | undefined;
  const close = () => {
    const text = open?.text.replace(/[\s\u00A0]+/g, " ").trim() ?? "";
    if (open !== undefined && text !== "")
      lines.push({ text, left: open.left, right: open.right, y: open.y, fontSize: commonest(open.sizes) });
    open = undefined;
  };
  for (const item of items) {
    if (!isRun(item) || item.str === "") continue;
    const [x, y] = [item.transform[4] ?? 0, item.transform[5] ?? 0];
    const size = fontSizeOf(item);
    if (open !== undefined) {
      const tolerance = BASELINE_TOLERANCE * Math.max(size, commonest(open.sizes));
      if (Math.abs(y - open.y) > tolerance || x < open.right - BACK_MIN * size) close();
    }
    if (item.str.trim() === "") {
      if (open !== undefined) open.text += " ";
      continue;
    }
    if (open === undefined) open = { text: "", left: x, right: x, y, sizes: new Map() };
    else if (x - open.right > WORD_GAP_MIN * size) open.text += " ";
    open.text += item.str;
    open.right = Math.max(open.right, x + item.width);
    open.sizes.set(size, (open.sizes.get(size) ?? 0) + item.str.length);
  }
  close();
  return lines;
}

function isRun(item: object): item is Run {
  return "str" in item && typeof item.str === "string" && "transform" in item;
}

/** In points, to a tenth: the length of the turned unit vector. */
function fontSizeOf({ transform, height }: Run): number {
  const size = Math.hypot(transform[2] ?? 0, transform[3] ?? 0) || height;
  return Math.round(size * 10) / 10;
}

/** How many characters are in each size of type. */
export function sizesOf(lines: readonly PdfLine[]): Map<number, number> {
  const chars = new Map<number, number>();
  for (const { fontSize, text } of lines) chars.set(fontSize, (chars.get(fontSize) ?? 0) + text.length);
  return chars;
}

/** The key with the largest count, of equals the first; 0 of none. */
export function commonest(counts: ReadonlyMap<number, number>): number {
  let [best, bestCount] = [0, 0];
  for (const [key, count] of counts) if (count > bestCount) [best, bestCount] = [key, count];
  return best;
}
