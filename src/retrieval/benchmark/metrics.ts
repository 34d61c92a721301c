/**
 * How good a ranking is, by the judgements of a data set; pure functions. A ranking is the ids of documents, best first,
 * each once; judgements say how relevant a document is, and what they do not name, or name with 0 or less, is not
 * relevant. Each figure is between 0 and 1; of a query without relevant documents it is not defined (NaN).
 */

export type RelevanceJudgements = ReadonlyMap<string, number>;

/**
 * Normalized discounted cumulative gain of the first `k`, as in trec_eval's `ndcg_cut` and BEIR: the gain is the
 * relevance itself, divided by log2(rank + 1), and the sum by that of the best possible ranking. K. Järvelin,
 * J. Kekäläinen: "Cumulated Gain-based Evaluation of IR Techniques", ACM TOIS 20 (2002).
 */
export function ndcgAt(k: number, ranking: readonly string[], judgements: RelevanceJudgements): number {
  const gains = ranking.map((id) => gainOf(id, judgements));
  const ideal = [...judgements.keys()].map((id) => gainOf(id, judgements)).sort((a, b) => b - a);
  return discountedSum(gains.slice(0, k)) / discountedSum(ideal.slice(0, k));
}

/** The share of the relevant documents that are among the first `k`. */
export function recallAt(k: number, ranking: readonly string[], judgements: RelevanceJudgements): number {
  return relevantAmong(ranking.slice(0, k), judgements) / relevantAmong([...judgements.keys()], judgements);
}

/** One over the rank of the first relevant document, 0 when it is not among the first `k`. */
export function reciprocalRankAt(
  k: number,
  ranking: readonly string[],
  judgements: RelevanceJudgements,
): number {
  if (relevantAmong([...judgements.keys()], judgements) === 0) return Number.NaN;
  const at = ranking.slice(0, k).findIndex((id) => gainOf(id, judgements) > 0);
  return at < 0 ? 0 : 1 / (at + 1);
}

function gainOf(id: string, judgements: RelevanceJudgements): number {
  return Math.max(0, judgements.get(id) ?? 0);
}

function discountedSum(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

function relevantAmong(ids: readonly string[], judgements: RelevanceJudgements): number {
  return ids.filter((id) => gainOf(id, judgements) > 0).length;
}
