/** Text that every server takes: JSON can spell halves of surrogate pairs, and many parsers refuse them. */

/** `text` with each half of a surrogate pair that stands alone replaced by U+FFFD, and cut to so many UTF-16 units. */
export function wellFormed(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Whether no half of a surrogate pair stands alone in `text`. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
