/**
 * Reciprocal rank fusion: several rankings of passages become one, by ranks alone, since the scores of different legs
 * do not compare. A pure function. G. V. Cormack, C. L. A. Clarke, S. Büttcher: "Reciprocal Rank Fusion outperforms
 * Condorcet and individual Rank Learning Methods", SIGIR 2009: score(d) = Σ over rankings 1 / (constant + rank(d)).
 */

export interface Fused<T> {
  /** As it stands in the ranking that has it highest; of several such, in the first of them. */
  readonly item: T;
  readonly score: number;
}

/**
 * Every item of the rankings once, best first. Ranks count from 1; an item that a ranking lacks gets nothing from it,
 * and one that a ranking repeats counts at its best rank there. Equal scores: the one with the better best rank is
 * first, then the one whose id is less, unit by unit. So the order of the rankings never matters to the order of the
 * outcome.
 */
export function fuse<T>(
  rankings: readonly (readonly T[])[],
  idOf: (item: T) => string,
  constant: number,
): readonly Fused<T>[] {
  const gathered = new Map<string, Gathered<T>>();
  for (const ranking of rankings) {
    for (const [id, { item, rank }] of bestRanks(ranking, idOf)) {
      const known = gathered.get(id);
      if (known === undefined) gathered.set(id, { id, item, best: rank, ranks: [rank] });
      else gathered.set(id, better(known, item, rank));
    }
  }
  return [...gathered.values()]
    .map((one) => ({ ...one, score: scoreOf(one.ranks, constant) }))
    .sort((a, b) => b.score - a.score || a.best - b.best || (a.id < b.id ? -1 : 1))
    .map(({ item, score }) => ({ item, score }));
}

interface Gathered<T> {
  readonly id: string;
  readonly item: T;
  readonly best: number;
  readonly ranks: readonly number[];
}

function bestRanks<T>(
  ranking: readonly T[],
  idOf: (item: T) => string,
): ReadonlyMap<string, { readonly item: T; readonly rank: number }> {
  const ranks = new Map<string, { item: T; rank: number }>();
  for (const [index, item] of ranking.entries()) {
    if (!ranks.has(idOf(item))) ranks.set(idOf(item), { item, rank: index + 1 });
  }
  return ranks;
}

function better<T>(known: Gathered<T>, item: T, rank: number): Gathered<T> {
  const ranks = [...known.ranks, rank];
  return rank < known.best ? { id: known.id, item, best: rank, ranks } : { ...known, ranks };
}

/** Summed from the best rank down: floating-point sums depend on their order, and the outcome must not. */
function scoreOf(ranks: readonly number[], constant: number): number {
  return [...ranks].sort((a, b) => a - b).reduce((sum, rank) => sum + 1 / (constant + rank), 0);
}
