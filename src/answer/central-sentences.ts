/**
 * The sentences of a text that say most of what it is about, word for word: those most like all the others, by the
 * terms that they share (as LexRank does, Erkan and Radev 2004, by degree), less what was chosen already. Pure.
 */

import { termsOf } from "../extractive/terms.js";
import { pause } from "../lib/pause.js";

/** Indices of at most `countMax` sentences, in the order of the text. */
export async function centralSentences(
  sentences: readonly string[],
  countMax: number,
): Promise<readonly number[]> {
  const terms: ReadonlySet<string>[] = [];
  for (const sentence of sentences) {
    await pause();
    terms.push(new Set(termsOf(sentence)));
  }
  const frequency = new Map<string, number>();
  for (const own of terms) for (const term of own) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const weight = (term: string) => Math.log(1 + sentences.length / frequency.get(term)!);
  const totals = terms.map((own) => [...own].reduce((sum, term) => sum + weight(term), 0));
  const norms = totals.map(Math.sqrt);
  // What the sentences that hold a term add to the centrality of each other one that holds it.
  const shares = new Map<string, number>();
  for (const [at, own] of terms.entries())
    for (const term of own) shares.set(term, (shares.get(term) ?? 0) + 1 / norms[at]!);
  const centrality = terms.map((own, at) => {
    const norm = norms[at]!;
    return (
      [...own].reduce((sum, term) => sum + weight(term) * (shares.get(term)! - 1 / norm), 0) / (norm || 1)
    );
  });
  const likeness = (a: number, b: number): number => {
    const shared = [...terms[a]!].filter((term) => terms[b]!.has(term));
    const norm = norms[a]! * norms[b]!;
    return norm === 0 ? 0 : shared.reduce((sum, term) => sum + weight(term), 0) / norm;
  };
  const left = new Set(sentences.keys());
  const repeated = sentences.map(() => 0);
  // The beginning of a text tells what it is about.
  const worth = (at: number) => (centrality[at]! + FIRST_BONUS / (1 + at)) * (1 - repeated[at]!);
  const chosen: number[] = [];
  while (chosen.length < countMax && left.size > 0) {
    const best = [...left].reduce((a, b) => (worth(b) > worth(a) ? b : a));
    left.delete(best);
    chosen.push(best);
    await pause();
    for (const at of left) repeated[at] = Math.max(repeated[at]!, likeness(at, best));
  }
  return chosen.sort((a, b) => a - b);
}

/** What the first sentence is worth more than another, in likenesses; later ones less and less. */
const FIRST_BONUS = 1;
