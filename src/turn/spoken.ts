/** What a voice says of a sentence that passed the gate: no marks, and everything in words of its language. */
import { languageOf } from "../grounding/language.js";
import { speakable } from "../speech/speakable.js";
import { speakableIn } from "../speech/spoken/speakable-in.js";

/**
 * The words to be spoken; empty when there is nothing to say. `language` is the BCP 47 tag of the answer where it is
 * known; otherwise the sentence tells, and one that does not is taken for English.
 */
export function spokenWords(sentence: string, language?: string): string {
  return speakableIn(sentence, language ?? languageOf(speakable(sentence)) ?? "en");
}
