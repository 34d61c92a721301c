/**
 * A reader looks at one place of a text and says what stands there, or passes. Readers never look at what other
 * readers said, so nothing is read twice; what they match is bounded by one run of characters, so a text takes time
 * in proportion to its length.
 */
export interface SpokenSpan {
  readonly words: string;
  /** Index behind the last character that was read. */
  readonly end: number;
}

export type Reader = (text: string, at: number) => SpokenSpan | undefined;

/** The match of a sticky pattern at `at`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** How far back a reader looks for the words that tell what a number is. */
const LOOK_BACK_CHARS = 48;

/** Up to three words that stand before `at` in the same sentence, in lower case, the nearest last; "" when none does. */
export function wordsBefore(text: string, at: number): string {
  const behind = text.slice(Math.max(0, at - LOOK_BACK_CHARS), at).toLowerCase();
  return (/(?<![\p{L}\p{M}'’])(?:[\p{L}\p{M}'’]+\.?[\s:]+){1,3}[(]?$/u.exec(behind)?.[0] ?? "").trim();
}

/** The last of `wordsBefore`, without what is not a letter. */
export function wordBefore(text: string, at: number): string {
  return /[\p{L}\p{M}'’]+(?=[^\p{L}.]*$)/u.exec(wordsBefore(text, at))?.[0] ?? "";
}

/** Whether a word or a number goes on to the left of `at`. */
export function isInsideWord(text: string, at: number): boolean {
  return at > 0 && /[\p{L}\p{N}_]/u.test(text[at - 1]!);
}

/** A pattern that matches any of the texts, the longest first. */
export function anyOf(texts: Iterable<string>): string {
  return [...texts]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("|");
}

/** The end of a short word, with its full stop where that ends no sentence. */
export function dotted(text: string, end: number, word: string | undefined): number {
  if (word === undefined || text[end] !== "." || !/^\s?\p{L}+$/u.test(word)) return end;
  return /^\.(?:[,;)]|\s+(?:\p{Ll}(?!\p{Lu})|[\d(\p{Sc}]))/u.test(text.slice(end, end + 5)) ? end + 1 : end;
}
