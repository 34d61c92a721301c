/** Which guide somebody means by what they say. Pure. */
import { utterance } from "../../routing/normalized-message.js";
import { isAlike } from "../../routing/take.js";
import { FUNCTION_WORDS } from "../../words/function-words.js";
import type { Guide } from "../schema/guide.js";

/** Words that are looked at, of what was said and of what a guide is called. */
const WORDS_MAX = 24;
/** Shorter words tell nothing, but for numbers and codes. */
const WORD_CHARS_MIN = 3;
/** Share of the words said that a guide has to have. */
const FITS_MIN = 0.5;

/** Those that fit best, in the order given; one whose name is said as it is fits better than all others. */
export function guidesNamed(said: string, guides: readonly Guide[]): readonly Guide[] {
  const plain = utterance(said).core;
  const exact = guides.filter(({ id, name }) => utterance(name).text === plain || id === said.trim());
  if (exact.length > 0) return exact;
  const words = tellingWords(plain);
  if (words.length === 0) return [];
  const rated = guides.map((guide) => ({ guide, share: shareOf(words, guide) }));
  const best = Math.max(FITS_MIN, ...rated.map(({ share }) => share));
  return rated.filter(({ share }) => share >= best).map(({ guide }) => guide);
}

function shareOf(words: readonly string[], { name, tags, categories }: Guide): number {
  const own = tellingWords(utterance([name, ...tags, ...categories].join(" ")).text);
  return words.filter((word) => own.some((one) => isAlike(word, one))).length / words.length;
}

function tellingWords(plain: string): readonly string[] {
  return plain
    .split(" ")
    .filter((word) => !FUNCTION_WORDS.has(word) && (word.length >= WORD_CHARS_MIN || /\d/.test(word)))
    .slice(0, WORDS_MAX);
}
