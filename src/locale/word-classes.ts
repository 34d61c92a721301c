/**
 * Words that mean the same to the router: which pump it is does not matter, that it is a machine does. The classifier
 * sees an utterance as these classes too, so that it need not have met every machine and every verb.
 */
import { shippedEntries } from "../lib/shipped-files.js";

const CLASS_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(shippedEntries("locales/words/classes.txt")).flatMap(([name, words]) =>
    words.split(" ").map((word) => [word, name]),
  ),
);

/** The class of a word in lower case without accents; `undefined` for words that are about something. */
export function wordClass(word: string): string | undefined {
  return CLASS_OF.get(word);
}
