/** What was said, and what things are called, as words and numbers: "P-102" and "p one oh two" are the same. Pure. */
import { NumberReader } from "../../locale/commands/numbers.js";
import { type CommandWord, wordsOf } from "../../locale/commands/words.js";
import { NUMBER_WORDS } from "../../words/number-words.js";
import { byLanguage, type Language } from "../../words/polarity.js";
import { soundCost, soundOf } from "../../words/sound.js";
import { tokenize } from "../../words/tokens.js";

/** Words that are looked at: as many as a set of bits has places for. */
export const WORDS_MAX = 30;

export interface SpokenWord {
  /** Lower case, without accents; of a number its digits. */
  readonly text: string;
  /** Whether it is a number, or written as letters that may be said one by one: "AGV", "B". */
  readonly kind: "word" | "number" | "letters";
  /** As it was said in the plural; `text` is then the singular. */
  readonly plural?: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** The first thirty words and numbers of a text. Number words count in these languages, the first that knows one. */
export function spokenWords(text: string, languages: readonly Language[]): readonly SpokenWord[] {
  const words = wordsOf(text);
  const numbers = new NumberReader(tokenize(text, 0, words.at(-1)?.end ?? 0), words, languages);
  const spoken: SpokenWord[] = [];
  for (let at = 0; at < words.length && spoken.length < WORDS_MAX; ) {
    const number = numbers.at(at);
    if (number !== undefined && Number.isInteger(number.value)) {
      const [{ start }, { end }] = [words[at]!, words[number.end - 1]!];
      spoken.push({ text: String(number.value), kind: "number", start, end });
      at = number.end;
    } else spoken.push(...apart(words[at++]!, text));
  }
  return spoken.slice(0, WORDS_MAX);
}

/** "tk1" are letters and a number. */
function apart({ text, start, end }: CommandWord, whole: string): readonly SpokenWord[] {
  const pieces = text.match(/\d+|[^\d]+/g) ?? [];
  const isLetters = pieces.length > 1 || text.length === 1 || LETTERS.test(whole.slice(start, end));
  return pieces.map((piece) => {
    if (/^\d/.test(piece)) return { text: String(Number(piece)), kind: "number", start, end };
    return { text: piece, kind: isLetters ? "letters" : "word", start, end };
  });
}

/** What is written in capitals is short for something, and may be said letter by letter. */
const LETTERS = /^\p{Lu}{1,4}s?$/u;

/** A name of a place as it is compared: "Hall 2" and "hall two" are one. */
export function placeWords(name: string): string {
  const words = spokenWords(name, NAME_LANGUAGES);
  return words.map(({ text }) => text).join(" ");
}

/** Names of one site are in several languages, and a name does not tell its own. */
export const NAME_LANGUAGES: readonly Language[] = ["en", "de", "es", "fr", "pl", "uk"];

/** How much a word may sound different from the word for a number that is meant: for each sound, and in all. */
const NUMBER_COST_PER_SOUND_MAX = 0.25;
const NUMBER_COST_MAX = 0.8;
/** And how much nearer it has to be to it than to the next number, all of it together. */
const NUMBER_MARGIN = 0.2;

const NUMBER_SOUNDS = byLanguage((language) => {
  const { small, tens } = NUMBER_WORDS[language];
  return [...small, ...tens].map(([word, value]) => ({ digits: String(value), sound: soundOf(word) }));
});

/** The number that a word sounds like, where one is expected: "to", "won", "tree", "fife". */
export function numberByEar(word: string, language: Language): string | undefined {
  const said = soundOf(word);
  const [first, ...others] = NUMBER_SOUNDS[language]
    .map(({ digits, sound }) => ({ digits, sound, cost: soundCost(said, sound) }))
    .sort((one, other) => one.cost - other.cost);
  const { cost, digits, sound } = first!;
  const perSound = NUMBER_COST_PER_SOUND_MAX * Math.max(sound.length, said.length);
  if (cost > Math.min(NUMBER_COST_MAX, perSound)) return undefined;
  const isClear = others.every((other) => other.digits === digits || other.cost - cost >= NUMBER_MARGIN);
  return isClear ? digits : undefined;
}

/** The letter that a word sounds like: "bee", "see"; in other languages than English it is said with an e: "be", "em". */
export function letterByEar(word: string, language: Language): string | undefined {
  if (word.length > 3) return undefined;
  if (language !== "en") return /^(?:([bcdgptvw])e|e([flmnrs]))$/.exec(word)?.slice(1).join("");
  return ALPHABET.get(soundOf(word));
}

const ALPHABET = new Map([..."zyxwvutsrqponmlkjihgfedcba"].map((one) => [soundOf(one), one] as const));
