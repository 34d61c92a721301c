/**
 * The words that a consent to something disruptive has to have: `locales/challenge/<language>.txt`. No recogniser is told
 * of them, so that none can be heard that was not said.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { shippedPath, shippedRows } from "../lib/shipped-files.js";
import { wordsOf } from "./commands/words.js";

const DIRECTORY = "locales/challenge/";

/** Of each language. */
export const CHALLENGE_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(shippedPath(DIRECTORY)).map((name) => [
    basename(name, ".txt"),
    shippedRows(`${DIRECTORY}${name}`),
  ]),
);

const ALL = [...CHALLENGE_WORDS.values()].flat().flatMap((word) => wordsOf(word).map(({ text }) => text));

/** Whether a word of a name or term is such a word of any language, or begins with one, as "volcanoes" does. */
export function holdsChallengeWord(text: string): boolean {
  return wordsOf(text).some((word) => ALL.some((challenge) => word.text.startsWith(challenge)));
}
