/** What a voice says of a sentence that passed the gate: no marks, and in English units in words. */
import { languageOf } from "../grounding/language.js";
import { englishUnits } from "../speech/english-units.js";
import { speakable } from "../speech/speakable.js";

/** The words to be spoken; empty when there is nothing to say. */
export function spokenWords(sentence: string): string {
  const words = speakable(sentence);
  const language = languageOf(words) ?? "en";
  return language === "en" ? englishUnits(words) : words;
}
