/** The sentences of a passage that say most of what was asked. */
import { analyze } from "../../lib/english-analyzer.js";
import { splitSentences } from "../../lib/sentence-end.js";

/** Sentences that one passage is marked with at the most. */
export const HIGHLIGHTS_MAX = 3;

/**
 * The sentences of `text` that hold terms of the query, best first: a sentence is worth the sum of the weights (idf)
 * of the different terms in it, and the earlier of two equals comes first.
 */
export function highlights(text: string, termWeights: ReadonlyMap<string, number>): string[] {
  if (termWeights.size === 0) return [];
  return splitSentences(text)
    .map((sentence) => sentence.trim())
    .map((sentence) => ({ sentence, worth: worth(sentence, termWeights) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, HIGHLIGHTS_MAX)
    .map(({ sentence }) => sentence);
}

function worth(sentence: string, termWeights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const term of new Set(analyze(sentence))) sum += termWeights.get(term) ?? 0;
  return sum;
}
