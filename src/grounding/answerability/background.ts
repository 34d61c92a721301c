/** How many passages of Wikipedia hold a term, of those that `bench/train-answerability.ts` counted. */
import { shippedEntries } from "../../lib/shipped-files.js";

const { passages, ...termsByFrequency } = shippedEntries("models/background.txt");

export const DOCUMENTS = Number(passages);

/** What a term has that is too rare to be counted. */
const RARE = 1.5;

const FREQUENCIES: ReadonlyMap<string, number> = new Map(
  Object.entries(termsByFrequency).flatMap(([frequency, terms]) =>
    terms.split(" ").map((term) => [term, Number(frequency)]),
  ),
);

/** Of DOCUMENTS passages, how many hold this term. */
export function documentFrequency(term: string): number {
  return FREQUENCIES.get(term) ?? RARE;
}
