/** Which guide, or which step of one, somebody means by what they say. Pure. */
import { utterance } from "../../routing/normalized-message.js";
import { isAlike } from "../../routing/take.js";
import { FUNCTION_WORDS } from "../../words/function-words.js";

/** Words that are looked at, of what was said and of what a guide is called. */
const WORDS_MAX = 24;
/** Shorter words tell nothing, but for numbers and codes. */
const WORD_CHARS_MIN = 3;
/** Share of the words said that a name has to have. */
const FITS_MIN = 0.5;

/**
 * Those that somebody means by these words, the best in the order given; one whose name is said as it is fits better than
 * all others. The first of `namesOf` is the name itself.
 */
export function named<T>(
  said: string,
  all: readonly T[],
  namesOf: (one: T) => readonly string[],
): readonly T[] {
  const plain = utterance(said).core;
  const exact = all.filter((one) => utterance(namesOf(one)[0] ?? "").text === plain);
  if (exact.length > 0) return exact;
  const words = tellingWords(plain);
  if (words.length === 0) return [];
  const rated = all.map((one) => ({ one, share: shareOf(words, namesOf(one)) }));
  const best = Math.max(FITS_MIN, ...rated.map(({ share }) => share));
  return rated.filter(({ share }) => share >= best).map(({ one }) => one);
}

function shareOf(words: readonly string[], names: readonly string[]): number {
  const own = tellingWords(utterance(names.join(" ")).text);
  return words.filter((word) => own.some((one) => isAlike(word, one))).length / words.length;
}

function tellingWords(plain: string): readonly string[] {
  return plain
    .split(" ")
    .filter((word) => !FUNCTION_WORDS.has(word) && (word.length >= WORD_CHARS_MIN || /\d/.test(word)))
    .slice(0, WORDS_MAX);
}
