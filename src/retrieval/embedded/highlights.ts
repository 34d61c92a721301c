/** The sentences of a passage that say most of what was asked. */
import { findTerms } from "../../lib/english-analyzer.js";
import { splitSentences } from "../../lib/sentence-end.js";

/** Sentences that one passage is marked with at the most. */
export const HIGHLIGHTS_MAX = 3;

/**
 * The sentences of `text` that hold terms of the query, best first: a sentence is worth the sum of the weights (idf)
 * of the different terms in it, and the earlier of two equals comes first.
 */
export function highlights(text: string, termWeights: ReadonlyMap<string, number>): string[] {
  const wanted = new Set(termWeights.keys());
  const found = wanted.size === 0 ? [] : findTerms(text, wanted);
  if (found.length === 0) return [];
  let next = 0;
  let end = 0;
  return splitSentences(text)
    .map((sentence) => {
      end += sentence.length;
      const terms = new Set<string>();
      for (; next < found.length && found[next]!.start < end; next++) terms.add(found[next]!.term);
      return { sentence: sentence.trim(), worth: worth(terms, termWeights) };
    })
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, HIGHLIGHTS_MAX)
    .map(({ sentence }) => sentence);
}

function worth(terms: ReadonlySet<string>, termWeights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const term of terms) sum += termWeights.get(term)!;
  return sum;
}
