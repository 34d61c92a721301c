/** Texts that are looked at sentence after sentence, the question and what was said before, are taken apart once. */
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { parseSentence, type Sentence } from "./sentence.js";

const parsed = new Map<string, Sentence>();
const PARSED_MAX = 64;

/** `parseSentence` of an English text, as far as the bounds of a sentence reach. */
export function parsedText(whole: string): Sentence {
  const text = whole.slice(0, SENTENCE_CHARS_MAX);
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const sentence = parseSentence(text);
  if (parsed.size >= PARSED_MAX) parsed.clear();
  parsed.set(text, sentence);
  return sentence;
}
