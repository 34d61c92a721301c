/** What a voice says of a sentence that passed the gate: no marks, and everything in words of its language. */
import { languageOf } from "../grounding/language.js";
import { lately } from "../lib/lately.js";
import { speakable } from "../speech/speakable.js";
import { speakableIn } from "../speech/spoken/speakable-in.js";

/** By language and sentence: one is asked for by its voice, by what may be its beginning, and by its answer. */
const worked = lately(
  (asked) => {
    const end = asked.indexOf("\n");
    const sentence = asked.slice(end + 1);
    return speakableIn(sentence, languageOf(speakable(sentence)) ?? asked.slice(0, end));
  },
  { textsMax: 512, charsMax: 2_000 },
);

/**
 * The words to be spoken; empty when there is nothing to say. A sentence is spoken in the language that it tells
 * itself, since one from a document may be in another than the rest of the answer; one that does not tell ("14:30.")
 * in `language`, the BCP 47 tag of the turn's, and where that is unknown in English.
 */
export function spokenWords(sentence: string, language = "en"): string {
  return worked(`${language}\n${sentence.trim()}`);
}
