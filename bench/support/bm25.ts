/** BM25 with Lucene's formula and English analysis over a pool, as a peer: the best score, by the weight of the query. */
import { analyze } from "../../src/lib/english-analyzer.js";
import type { CorpusDocument } from "../../src/retrieval/benchmark/data-set.js";
import { queryTerms } from "../../src/retrieval/query-terms.js";

const K1 = 1.2;
const B = 0.75;

/**
 * For each question the best document's score, divided by the sum of the idf of the question's terms. Without the words
 * that only make it a question, and with the title as a part of the text, which is the strongest way of several.
 */
export function normalizedBm25(
  corpus: readonly CorpusDocument[],
  questions: readonly string[],
): readonly number[] {
  const documents = corpus.map(({ text, title }) => countsOf(analyze(`${title} . ${text}`)));
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const having = new Map<string, number>();
  for (const { counts } of documents)
    for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1);
  const idf = (term: string) => {
    const count = having.get(term) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };
  return questions.map((question) => {
    const terms = [...queryTerms(question).keys()];
    const mass = terms.reduce((sum, term) => sum + idf(term), 0);
    const scores = documents.map(({ counts, length }) =>
      terms.reduce((sum, term) => {
        const count = counts.get(term) ?? 0;
        return sum + (idf(term) * count) / (count + K1 * (1 - B + (B * length) / average));
      }, 0),
    );
    return mass === 0 ? 0 : Math.max(...scores) / mass;
  });
}

function countsOf(terms: readonly string[]): {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
} {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}
