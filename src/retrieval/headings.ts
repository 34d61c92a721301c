/** The headings that a document's chunks stand under, as an outline shows them. Pure. */

/** The innermost heading of each chunk in order, each once, `headingsMax` at the most. */
export function innermostHeadings(
  chunks: Iterable<readonly string[] | undefined>,
  headingsMax: number,
): readonly string[] {
  const found = new Set<string>();
  for (const headings of chunks) {
    if (found.size >= headingsMax) break;
    const innermost = headings?.at(-1)?.trim() ?? "";
    if (innermost !== "") found.add(innermost);
  }
  return [...found].slice(0, headingsMax);
}
