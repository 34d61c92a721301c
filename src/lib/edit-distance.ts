/** How far a word is from another one, in edits, and how many may be a slip: as Elasticsearch's fuzziness AUTO. Pure. */

/** Another word, and how far it is. */
export interface Like {
  readonly term: string;
  readonly edits: number;
}

/** The words of `vocabulary`, in its order, that are others than `word` and may be what it was to be; some of very many. */
export function likesOf(word: string, vocabulary: Iterable<string>): readonly Like[] {
  const [max, letters] = [slipsIn(word), lettersOf(word)];
  const likes: Like[] = [];
  for (const term of max === 0 ? [] : vocabulary) {
    // Each edit takes a letter away and brings another one.
    if (bitsIn(letters ^ lettersOf(term)) > 2 * max) continue;
    const edits = editsBetween(word, term, max);
    if (edits !== undefined && edits > 0) likes.push({ term, edits });
    if (likes.length === LIKES_MAX) break;
  }
  return likes;
}

const LIKES_MAX = 1_000;

/** Whether `one` becomes `other` by so few edits. */
export function isWithin(edits: number, one: string, other: string): boolean {
  return editsBetween(one, other, edits) !== undefined;
}

/** The known word that is spelt most like `word`, with `editsMax` edits between them at the most. */
export function nearest(word: string, known: readonly string[], editsMax: number): string | undefined {
  for (let edits = 0; edits <= editsMax; edits += 1) {
    const found = known.find((other) => isWithin(edits, word, other));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Edits that may be a slip in a word, by its length in characters: none up to 2, one up to 5, two beyond. A number is no
 * slip of another one.
 */
export function slipsIn(word: string): 0 | 1 | 2 {
  if (/\p{N}/u.test(word)) return 0;
  const { length } = word;
  return length < 3 || length > WORD_LENGTH_MAX ? 0 : length < 6 ? 1 : SLIPS_MAX;
}

/** The most that `slipsIn` gives. */
export const SLIPS_MAX = 2;

/** Longer words are no words of a language, and are not compared. */
const WORD_LENGTH_MAX = 64;

/**
 * The edits that make one word the other: characters put in, left out, replaced, or swapped with the next; each
 * character is edited once at most. `undefined` where there are more than `max`, which takes time in proportion to
 * the length of the words.
 */
export function editsBetween(one: string, other: string, max: number): number | undefined {
  if (Math.abs(one.length - other.length) > max) return undefined;
  const width = other.length + 1;
  let [before, last, row] = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)];
  for (let at = 0; at < width; at++) last[at] = Math.min(at, FAR);
  for (let i = 1; i <= one.length; i++) {
    row.fill(FAR);
    if (i <= max) row[0] = i;
    let least = row[0]!;
    const end = Math.min(other.length, i + max);
    for (let j = Math.max(1, i - max); j <= end; j++) {
      const same = one.charCodeAt(i - 1) === other.charCodeAt(j - 1);
      let edits = Math.min(last[j - 1]! + (same ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      const swapped =
        i > 1 &&
        j > 1 &&
        one.charCodeAt(i - 1) === other.charCodeAt(j - 2) &&
        one.charCodeAt(i - 2) === other.charCodeAt(j - 1);
      if (swapped) edits = Math.min(edits, before[j - 2]! + 1);
      row[j] = Math.min(edits, FAR);
      least = Math.min(least, row[j]!);
    }
    if (least > max) return undefined;
    [before, last, row] = [last, row, before];
  }
  return last[other.length]! <= max ? last[other.length] : undefined;
}

/** More edits than anybody asks for, and few enough for a byte. */
const FAR = 100;

/** Which letters a word has, each as one of 32 bits. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bitsIn(value: number): number {
  let rest = value;
  let bits = 0;
  for (; rest !== 0; bits++) rest &= rest - 1;
  return bits;
}
