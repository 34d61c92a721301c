/**
 * Words that turn what a sentence says into something else: negations, modals, exceptions, quantities, order, and
 * opposites. Texts that differ in one of them never count as near-duplicates. A word too many here keeps two passages
 * apart that could have been one; a word too few hides an instruction.
 * Besides English the negations and modals of the languages that share its alphabet and are most common on sites.
 */
import { shippedRows } from "../lib/shipped-files.js";
import { cardinalWords, NUMBER_WORDS } from "../words/number-words.js";

export const DECIDING_WORDS: ReadonlySet<string> = new Set([
  ...shippedRows("locales/words/deciding.txt").flatMap((row) => row.split(" ")),
  ...cardinalWords("en"),
  ...NUMBER_WORDS.en.ordinals.keys(),
]);
