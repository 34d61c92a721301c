/** Whether what was made ready of a sentence, while that was still being written or read again, is how it begins. */
import { spokenWords } from "./spoken-words.js";

/**
 * What of `sentence` is left to be spoken after `clause`; undefined where the sentence does not begin exactly so, or
 * where its two parts would not sound like the whole, as when a figure or a mark of emphasis stands on both sides.
 */
export function restAfter(clause: string, sentence: string, language?: string): string | undefined {
  if (!sentence.startsWith(clause)) return undefined;
  const rest = sentence.slice(clause.length);
  const whole = spokenWords(sentence, language);
  const [first, second] = [spokenWords(clause, language), spokenWords(rest, language)];
  // Some scripts have no blanks between words.
  const isSame = [" ", ""].some((blank) => `${first}${blank}${second}`.trim() === whole);
  return isSame ? rest : undefined;
}
