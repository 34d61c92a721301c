/**
 * A piece of an answer, synthesized while its sentence is still being written or read a second time. Its packets stay
 * here until the sentence has passed the gate: then its unit takes its place among the others, else it is thrown away.
 */
import type { SpeechUnit } from "./speech-unit.js";
import { spokenWords } from "./spoken-words.js";

export interface EarlyClause {
  readonly text: string;
  readonly unit: SpeechUnit;
  /** Its sentence has passed: from here on it counts as any other unit. */
  adopt(): void;
}

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
