/**
 * The sentences of a text that say most of what it is about, word for word: those most like all the others, by the
 * terms that they share (as LexRank does, Erkan and Radev 2004, by degree), less what was chosen already. Pure.
 */
import { termsOf } from "../llm/terms.js";

/** Indices of at most `countMax` sentences, in the order of the text. */
export function centralSentences(sentences: readonly string[], countMax: number): readonly number[] {
  const terms = sentences.map((sentence) => new Set(termsOf(sentence)));
  const frequency = new Map<string, number>();
  for (const own of terms) for (const term of own) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const weight = (term: string) => Math.log(1 + sentences.length / frequency.get(term)!);
  const total = (own: ReadonlySet<string>) => [...own].reduce((sum, term) => sum + weight(term), 0);
  const totals = terms.map(total);
  const likeness = (a: number, b: number): number => {
    const shared = [...terms[a]!].filter((term) => terms[b]!.has(term));
    const norm = Math.sqrt(totals[a]! * totals[b]!);
    return norm === 0 ? 0 : shared.reduce((sum, term) => sum + weight(term), 0) / norm;
  };
  const centrality = sentences.map((_, at) =>
    sentences.reduce((sum, _other, other) => (other === at ? sum : sum + likeness(at, other)), 0),
  );
  const left = new Set(sentences.keys());
  const chosen: number[] = [];
  while (chosen.length < countMax && left.size > 0) {
    const worth = (at: number) => {
      const repeated = chosen.reduce((most, other) => Math.max(most, likeness(at, other)), 0);
      // The beginning of a text tells what it is about.
      return (centrality[at]! + FIRST_BONUS / (1 + at)) * (1 - repeated);
    };
    const best = [...left].reduce((a, b) => (worth(b) > worth(a) ? b : a));
    left.delete(best);
    chosen.push(best);
  }
  return chosen.sort((a, b) => a - b);
}

/** What the first sentence is worth more than another, in likenesses; later ones less and less. */
const FIRST_BONUS = 1;
