/** Phrases of two or three words that mean one: "put on" is "wear", "at once" is "immediately". */
import { lookUp, type WordInfo } from "./lexicon.js";
import type { Token } from "./tokens.js";
import { SYNONYMS } from "./words/synonyms.js";

/** First word to the phrases that begin with it, as words and the term that they stand for. */
const phrases = build();

function build(): Map<string, { words: readonly string[]; info: WordInfo }[]> {
  const found = new Map<string, { words: readonly string[]; info: WordInfo }[]>();
  for (const row of SYNONYMS) {
    const [head, ...others] = row.split(" ");
    for (const phrase of others.filter((word) => word.includes("-"))) {
      const words = phrase.split("-");
      const list = found.get(words[0]!) ?? [];
      found.set(words[0]!, [...list, { words, info: lookUp(head!) }]);
    }
  }
  return found;
}

/** The words with phrases put together: the first word stands for all, the others say nothing. */
export function joinPhrases(tokens: readonly Token[], infos: WordInfo[]): WordInfo[] {
  for (let at = 0; at < tokens.length; at++) {
    const phrase = phrases
      .get(tokens[at]!.lower)
      ?.find(({ words }) => words.every((word, i) => tokens[at + i]?.lower === word));
    if (phrase === undefined) continue;
    infos[at] = phrase.info;
    for (let i = 1; i < phrase.words.length; i++) infos[at + i] = NOTHING;
    at += phrase.words.length - 1;
  }
  return infos;
}

const NOTHING: WordInfo = { ...lookUp("the"), poles: [] };
