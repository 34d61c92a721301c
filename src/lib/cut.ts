/** Text cut to a length that can be worked with. */

/** The beginning of `text`, at most `charsMax` UTF-16 units, cut between words where one begins in its second half. */
export function cutToChars(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  let end = charsMax;
  while (end > charsMax / 2 && !/\s/.test(text[end]!)) end -= 1;
  if (end > charsMax / 2) return text.slice(0, end).trimEnd();
  // No half of a surrogate pair is left over.
  const isSplit = /[\uD800-\uDBFF]/.test(text[charsMax - 1]!);
  return text.slice(0, isSplit ? charsMax - 1 : charsMax);
}
