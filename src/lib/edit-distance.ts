/** How far two words are apart in spelling, counted in letters to put in, leave out or change (Levenshtein). */

/** Whether so few letters have to be put in, left out or changed. Words are short. */
export function isWithin(errors: number, one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > errors) return false;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    if (Math.min(...next) > errors) return false;
    row = next;
  }
  return row[other.length]! <= errors;
}

/** The known word that is spelt most like `word`, with `errorsMax` letters between them at the most. */
export function nearest(word: string, known: readonly string[], errorsMax: number): string | undefined {
  for (let errors = 0; errors <= errorsMax; errors += 1) {
    const found = known.find((other) => isWithin(errors, word, other));
    if (found !== undefined) return found;
  }
  return undefined;
}
