/** What a voice says of a sentence that passed the gate: no marks, and everything in words of its language. */
import { languageOf } from "../grounding/language.js";
import { speakable } from "../speech/speakable.js";
import { speakableIn } from "../speech/spoken/speakable-in.js";

/** Sentences of which the words are kept: each is asked for by its voice, by what may be its beginning, and by its answer. */
const KEPT_MAX = 512;

/** The one that was worked out first, first. */
const kept = new Map<string, string>();

/**
 * The words to be spoken; empty when there is nothing to say. A sentence is spoken in the language that it tells
 * itself, since one from a document may be in another than the rest of the answer; one that does not tell ("14:30.")
 * in `language`, the BCP 47 tag of the turn's, and where that is unknown in English.
 */
export function spokenWords(sentence: string, language?: string): string {
  const key = `${language} ${sentence.trim()}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const words = speakableIn(sentence, languageOf(speakable(sentence)) ?? language ?? "en");
  kept.set(key, words);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX) kept.delete(oldest!);
  return words;
}
