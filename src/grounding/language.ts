/** Which language a sentence is in, by its most frequent words. */
import { type Language, STOP_WORDS } from "./words/polarity.js";

const KNOWN: ReadonlyMap<string, readonly Language[]> = byWord();

/** The language, or `undefined` where too few words tell or two languages are as likely. */
export function languageOf(text: string): Language | undefined {
  const sample = text.slice(0, SAMPLE_CHARS_MAX);
  const hits = new Map<Language, number>();
  let words = 0;
  for (const [word] of sample.toLowerCase().matchAll(/[\p{L}\p{M}]+/gu)) {
    words += 1;
    for (const language of KNOWN.get(word) ?? []) hits.set(language, (hits.get(language) ?? 0) + 1);
  }
  for (const [language, letters] of NOT_ASCII.test(sample) ? LETTERS : []) {
    const count = sample.match(letters)?.length ?? 0;
    if (count > 0) hits.set(language, (hits.get(language) ?? 0) + count);
  }
  const [best, second] = [...hits].sort((a, b) => b[1] - a[1]);
  if (best === undefined || best[1] < Math.min(HITS_MIN, words / 2)) return undefined;
  return second !== undefined && second[1] === best[1] ? undefined : best[0];
}

/** The beginning of a text tells its language. */
const SAMPLE_CHARS_MAX = 600;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const NOT_ASCII = /[^\x00-\x7f]/;

/** Words that must speak for a language; of a short sentence, half. */
const HITS_MIN = 2;

/** Letters that only one of the languages uses. */
const LETTERS: readonly (readonly [Language, RegExp])[] = [
  ["es", /[ñ¿¡]/giu],
  ["fr", /[çœèêëâîû]/giu],
  ["de", /[ßäü]/giu],
  ["pl", /[ąćęłńśźż]/giu],
  ["uk", /[а-яіїєґ]/giu],
];

function byWord(): Map<string, Language[]> {
  const known = new Map<string, Language[]>();
  for (const [language, words] of Object.entries(STOP_WORDS) as [Language, readonly string[]][])
    for (const word of words) known.set(word, [...(known.get(word) ?? []), language]);
  return known;
}
