/** Texts that are looked at sentence after sentence, the question and what was said before, are taken apart once. */
import { parseSentence, type Sentence } from "./sentence.js";

const parsed = new Map<string, Sentence>();
const PARSED_MAX = 64;
/** Longer texts are not kept. */
const CHARS_MAX = 2_000;

/** `parseSentence` of a whole English text. */
export function parsedText(text: string): Sentence {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const sentence = parseSentence(text);
  if (text.length > CHARS_MAX) return sentence;
  if (parsed.size >= PARSED_MAX) parsed.clear();
  parsed.set(text, sentence);
  return sentence;
}
