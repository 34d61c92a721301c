/** Which language a sentence is in, by its most frequent words. */
import { type Language, STOP_WORDS, TELLING_WORDS } from "../words/polarity.js";
import { QUESTION_WORDS } from "../words/questions.js";

type Vocabulary = ReadonlyMap<string, readonly Language[]>;

const KNOWN = byWord([STOP_WORDS], asWritten);

/** A question is often put without accents. */
const ASKED = byWord([STOP_WORDS, QUESTION_WORDS, TELLING_WORDS], withoutAccents);

/** The language, or `undefined` where too few words tell or two languages are as likely. */
export function languageOf(text: string): Language | undefined {
  return likeliest(text, KNOWN, asWritten);
}

/** As `languageOf`, of something that is asked, ordered or said in passing. */
export function languageOfQuestion(text: string): Language | undefined {
  return likeliest(text, ASKED, withoutAccents);
}

function likeliest(text: string, known: Vocabulary, folded: (word: string) => string): Language | undefined {
  const sample = text.slice(0, SAMPLE_CHARS_MAX);
  const hits = new Map<Language, number>();
  // Each word once: "W" in every row of a table of oils is one Polish word at the most.
  const words = new Set(sample.toLowerCase().match(WORD) ?? []);
  for (const word of words) {
    for (const language of known.get(folded(word)) ?? []) hits.set(language, (hits.get(language) ?? 0) + 1);
  }
  for (const [language, letters] of NOT_ASCII.test(sample) ? LETTERS : []) {
    const count = sample.split(/\s+/).filter((word) => letters.test(word)).length;
    if (count > 0) hits.set(language, (hits.get(language) ?? 0) + count);
  }
  const [best, second] = [...hits].sort((a, b) => b[1] - a[1]);
  if (best === undefined || best[1] < Math.min(HITS_MIN, words.size / 2)) return undefined;
  return second !== undefined && second[1] === best[1] ? undefined : best[0];
}

/** Not the letter of a code: "D3" has no French "d". */
const WORD = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]+(?![\p{L}\p{M}\p{N}])/gu;
/** The beginning of a text tells its language. */
const SAMPLE_CHARS_MAX = 600;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const NOT_ASCII = /[^\x00-\x7f]/;

/** Words that must speak for a language; of a short sentence, half. */
const HITS_MIN = 2;

/** Letters that only one of the languages uses: each word that has one speaks for it. */
const LETTERS: readonly (readonly [Language, RegExp])[] = [
  ["es", /[ñ¿¡]/iu],
  ["fr", /[çœèêëâîû]/iu],
  ["de", /[ßäü]/iu],
  ["pl", /[ąćęłńśźż]/iu],
  ["uk", /[а-яіїєґ]/iu],
];

function byWord(
  lists: readonly Readonly<Record<Language, readonly string[]>>[],
  folded: (word: string) => string,
): Vocabulary {
  const known = new Map<string, Language[]>();
  for (const [language, words] of lists.flatMap((one) => Object.entries(one)) as [Language, string[]][]) {
    for (const word of words.map(folded)) {
      const languages = known.get(word) ?? [];
      if (!languages.includes(language)) known.set(word, [...languages, language]);
    }
  }
  return known;
}

function asWritten(word: string): string {
  return word;
}

function withoutAccents(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}
