/** Which guide, or which step of one, somebody means by what they say. Pure. */

import { lookUp, negatesIn } from "../../grounding/sentence/lexicon.js";
import { excludes } from "../../grounding/sentence/opposition.js";
import { wordsOf } from "../../locale/commands/words.js";
import { commands } from "../../routing/commands.js";
import { utterance } from "../../routing/normalized-message.js";
import { isAlike } from "../../routing/take.js";
import { isNumbered } from "../../words/labels.js";
import { byLanguage, type Language, STOP_WORDS } from "../../words/polarity.js";
import { numeralAt } from "../../words/quantity/numerals.js";
import { tokenize } from "../../words/tokens.js";

/** Words that are looked at, of what was said and of what a guide is called. */
const WORDS_MAX = 24;
/** Shorter words tell nothing, but for numbers, and letters behind what is numbered. */
const WORD_CHARS_MIN = 3;
/** More than this share of the words said is in a name that is asked about. */
const NEAR_MIN = 0.5;

/** Those that somebody means, or else those that are near to it, which may be asked about and no more. */
export interface NameMatch<T> {
  readonly sure: readonly T[];
  readonly near: readonly T[];
  /** Whether all that the names of the sure ones tell was said. */
  readonly isWhole: boolean;
}

/**
 * Those whose names bear out every word of what was said, in the order given; one whose name is said as it is fits better
 * than all others. Another number or letter, another verb, its opposite or a denial makes it near at the most. The first of
 * `namesOf` is the name itself.
 */
export function named<T>(
  said: string,
  all: readonly T[],
  namesOf: (one: T) => readonly string[],
  languageOf: (one: T) => Language,
): NameMatch<T> {
  const plain = utterance(said).core;
  const exact = all.filter((one) => utterance(namesOf(one)[0] ?? "").text === plain);
  if (exact.length > 0) return { sure: exact, near: [], isWhole: true };
  const rated = all.map((one) => ({ one, ...fitOf(plain, namesOf(one), languageOf(one)) }));
  const those = (fits: (rating: (typeof rated)[number]) => boolean) =>
    rated.filter(fits).map(({ one }) => one);
  const whole = those(({ isSure, isWhole }) => isSure && isWhole);
  const sure = whole.length > 0 ? whole : those(({ isSure }) => isSure);
  const best = Math.max(...rated.map(({ share }) => share));
  const near = sure.length > 0 ? [] : those(({ share }) => share > NEAR_MIN && share === best);
  return { sure, near, isWhole: whole.length > 0 };
}

/** Whether the names bear out all that was said, whether all that the name tells was said, and the share that they have. */
function fitOf(plain: string, names: readonly string[], language: Language) {
  const said = wordsIn(plain, language);
  const [name = [], ...others] = names.map((one) => wordsIn(utterance(one).text, language));
  const own = [...name, ...others.flat()];
  const isIn = (words: readonly Word[]) => (word: Word) => words.some((one) => isSame(word, one, language));
  const telling = said.filter(({ isTelling }) => isTelling);
  const known = telling.filter(isIn(own));
  // "Checklist" says what kind of thing is wanted.
  const isGenre = ({ text }: Word) => commands.listed("procedure", [text], 0) !== undefined;
  const counted = telling.filter((word) => known.includes(word) || !isGenre(word));
  const isTurned = said.some((word) => !isIn(own)(word) && turns(word, own, language));
  return {
    isSure: known.length > 0 && known.length === telling.length && !isTurned,
    isWhole: name.filter(({ isTelling }) => isTelling).every(isIn(said)),
    share: known.length / Math.max(1, counted.length),
  };
}

/** Whether a word denies, or is the opposite of one of these: "off" of "on". */
function turns({ text }: Word, words: readonly Word[], language: Language): boolean {
  const info = lookUp(text);
  return info.negates || negatesIn(text, language) || words.some((one) => excludes(info, lookUp(one.text)));
}

interface Word {
  /** In lower case, without accents; a number in digits. */
  readonly text: string;
  /** Whether it says what something is about. */
  readonly isTelling: boolean;
}

function isSame(one: Word, other: Word, language: Language): boolean {
  if (one.text === other.text) return true;
  if (/\d/.test(one.text + other.text)) return false;
  return language === "en"
    ? lookUp(one.text).stem === lookUp(other.text).stem
    : isAlike(one.text, other.text);
}

/** Words that tell nothing, as messages are normalized. */
const FILLERS = byLanguage(
  (language) => new Set(STOP_WORDS[language].flatMap((word) => wordsOf(word).map(({ text }) => text))),
);

function wordsIn(plain: string, language: Language): readonly Word[] {
  const tokens = tokenize(plain).slice(0, WORDS_MAX);
  const words: Word[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { lower } = tokens[at]!;
    const before = tokens[at - 1]?.lower;
    const isFiller = lookUp(lower).weight !== "content" || FILLERS[language].has(lower);
    // "Line one", but not "the one": behind a word that tells nothing a one is a pronoun, or an article.
    const isPronoun = isFiller && words.at(-1)?.isTelling !== true;
    const read = numeralAt(tokens, at, language) ?? numeralAt(tokens, at);
    const numeral = isPronoun && read?.form === "words" && read.value === 1 ? undefined : read;
    const isLetter = lower.length === 1 && isNumbered(before);
    const isTelling = isLetter || /\d/.test(lower) || (!isFiller && lower.length >= WORD_CHARS_MIN);
    words.push(
      numeral === undefined ? { text: lower, isTelling } : { text: `${numeral.value}`, isTelling: true },
    );
    at = numeral?.next ?? at + 1;
  }
  return words;
}
