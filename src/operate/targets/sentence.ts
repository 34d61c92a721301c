/**
 * A sentence around the names in it: its language, the words that make up every sentence, and what is said as one word
 * or in the plural. Pure.
 */
import type { Grammar } from "../../locale/commands/file.js";
import { cardinalWords } from "../../words/number-words.js";
import type { Language } from "../../words/polarity.js";
import type { NameIndex } from "./forms.js";
import { type SpokenWord, spokenWords } from "./spoken-words.js";

/** The language that has the most of the words around things; the first of those that have as many. */
export function languageSpoken(text: string, grammars: readonly Grammar[], usual: Language): Grammar {
  const words = spokenWords(text, []).map((word) => word.text);
  const own = grammars.find(({ language }) => language === usual);
  let [best, most] = [own ?? grammars[0]!, own === undefined ? -1 : frameOf(words, own)];
  for (const grammar of grammars) {
    const some = frameOf(words, grammar);
    if (some > most) [best, most] = [grammar, some];
  }
  return best;
}

function frameOf(words: readonly string[], { language, lists }: Grammar): number {
  const numbers = new Set(cardinalWords(language as Language));
  return words.filter(
    (word, i) =>
      numbers.has(word) || FRAME_LISTS.some((list) => (lists.get(list)?.at(words, i).length ?? 0) > 0),
  ).length;
}

/** Lists of the commands whose words make a sentence and name no thing. */
export const FRAME_LISTS: readonly string[] = [
  "state",
  "quantity",
  "fault",
  "measure_word",
  "asking",
  "being",
  "joint",
  "reply_filler",
  "place",
  "every",
  "other",
  "pronoun",
  "near",
];

export const ARTICLES =
  /^(?:the|a|an|der|die|das|den|dem|des|el|la|los|las|le|les|l|un|una|une|this|that|my|our)$/;

/** "The other one", "the second one": the number stands for a thing that was spoken of. */
export function isPronoun(words: readonly SpokenWord[], at: number, grammar: Grammar): boolean {
  const { kind, text } = words[at]!;
  if (kind !== "number" || text !== "1" || at === 0) return false;
  const texts = words.map((word) => word.text);
  return ["other", "place", "pronoun"].some(
    (list) => (grammar.lists.get(list)?.at(texts, at - 1).length ?? 0) > 0,
  );
}

/** "Online three" is "on line three" where a line is counted. */
export function withSplits(words: readonly SpokenWord[], index: NameIndex): readonly SpokenWord[] {
  return words
    .map((word) => singular(word, index))
    .flatMap((word, i) => {
      const next = words[i + 1];
      if (word.kind !== "word" || next === undefined) return [word];
      const rest = JOINED.exec(word.text);
      const isCounted = rest !== null && [...index.counted].some(({ text }) => text === rest[2]);
      return isCounted
        ? [
            { ...word, text: rest[1]! },
            { ...word, text: rest[2]! },
          ]
        : [word];
    });
}

/** "Pumps" is "pump" where that is a name, and "Kassen" is "Kasse". */
function singular(word: SpokenWord, { texts }: NameIndex): SpokenWord {
  if (word.kind === "number" || texts.has(word.text)) return word;
  for (const ending of PLURALS) {
    const text = word.text.slice(0, -ending.length);
    if (word.text.endsWith(ending) && text.length >= SINGULAR_LETTERS_MIN && texts.has(text))
      return { ...word, text, isPlural: true };
  }
  return word;
}

const PLURALS: readonly string[] = ["s", "es", "n", "en", "e"];
const SINGULAR_LETTERS_MIN = 3;

const JOINED = /^(on|in|at|im|am|en|zu)(\p{L}{3,})$/u;
