/** Takes running heads, running feet and page numbers off the pages of a document. */
import { commonest, type Page, type PdfLine, sizesOf } from "./pdf-lines.js";

/** In parts of the page's height, from its upper and lower edge. */
const MARGIN_RATIO = 0.08;
/** A line runs when so many pages have it, and a third of all: odd and even pages may have different ones. */
const PAGES_MIN = 3;
const PAGES_RATIO = 1 / 3;
/** In points: lines at the same place differ by less. */
const PLACE_TOLERANCE = 3;

const PAGE_NUMBER = /^(?:page)?[-–—|[(\s]*#[-–—|\]) ]*(?:(?:of|\/|von|de|sur)\s*#)?$/i;

export function withoutRunning(pages: readonly Page[]): Page[] {
  const bodySize = commonest(sizesOf(pages.flatMap(bodyLines)));
  const counts = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(marginLines(page).map((line) => keyOf(line, bodySize))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  return pages.map((page) => {
    const inMargin = new Set(marginLines(page));
    const lines = page.lines.filter((line) => {
      if (!inMargin.has(line)) return true;
      const count = counts.get(keyOf(line, bodySize)) ?? 0;
      if (pages.length > 1 && PAGE_NUMBER.test(numbered(line, bodySize))) return false;
      return count < PAGES_MIN || count < pages.length * PAGES_RATIO;
    });
    return { ...page, lines };
  });
}

function marginLines({ lines, top, bottom }: Page): readonly PdfLine[] {
  const margin = (top - bottom) * MARGIN_RATIO;
  return lines.filter(({ y }) => y > top - margin || y < bottom + margin);
}

function bodyLines(page: Page): readonly PdfLine[] {
  const inMargin = new Set(marginLines(page));
  return page.lines.filter((line) => !inMargin.has(line));
}

function keyOf(line: PdfLine, bodySize: number): string {
  return `${Math.round(line.y / PLACE_TOLERANCE)} ${numbered(line, bodySize)}`;
}

/**
 * The text with `#` for what may be a page's number. What is larger than the text of the page, or names a step, keeps
 * its number: "Step 3" at the top of page 3 is no running head.
 */
function numbered({ text, fontSize }: PdfLine, bodySize: number): string {
  if (fontSize > bodySize || /\bstep\b/i.test(text) || /^\d{1,3}[.)] /.test(text)) return text;
  return text.replace(/\d+/g, "#");
}
