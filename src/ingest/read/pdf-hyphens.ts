/** Lines of print to running text: words that were parted at the end of a line are put together again. */
import type { Page } from "./pdf-lines.js";

/** The words of a document as they stand inside its lines, in lower case, those with hyphens whole. */
export function wordsOf(pages: readonly Page[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { lines } of pages)
    for (const { text } of lines)
      for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:-\p{L}+)*/gu)) words.add(word);
  return words;
}

/**
 * A hyphen at the end of a line goes when it only parted a word. It stays when the document has the word with a hyphen
 * elsewhere and never without, and before a capital or a digit, as in "X-ray" or "P-101".
 */
export function joinLines(lines: readonly string[], words: ReadonlySet<string>): string {
  let text = "";
  let previous = "";
  for (const line of lines) {
    text = previous === "" ? line : joined(text, previous, line, words);
    previous = line;
  }
  return text;
}

function joined(text: string, previous: string, line: string, words: ReadonlySet<string>): string {
  if (previous.endsWith("\u00AD")) return text.slice(0, -1) + line;
  const before = /(?<![\p{L}\p{N}])([\p{L}\p{N}]+)[-\u2010]$/u.exec(previous)?.[1]?.toLowerCase();
  if (before === undefined) return `${text} ${line}`;
  const after = /^\p{Ll}+/u.exec(line)?.[0];
  if (after === undefined) return /^[\p{L}\p{N}]/u.test(line) ? text + line : `${text} ${line}`;
  const keepsHyphen =
    /\p{N}/u.test(before) || (words.has(`${before}-${after}`) && !words.has(before + after));
  return keepsHyphen ? text + line : text.slice(0, -1) + line;
}
