/** Texts that are looked at sentence after sentence, the question and what was said before, are taken apart once. */
import { lately } from "../../lib/lately.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { parseSentence, type Sentence } from "./sentence.js";

const PARSED_MAX = 64;

const parsed = lately((text) => parseSentence(text), { textsMax: PARSED_MAX, charsMax: SENTENCE_CHARS_MAX });

/** `parseSentence` of an English text, as far as the bounds of a sentence reach. */
export function parsedText(whole: string): Sentence {
  return parsed(whole.slice(0, SENTENCE_CHARS_MAX));
}
