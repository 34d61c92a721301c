/**
 * Several rankings of the same passages become one. Pure functions.
 *
 * By ranks: reciprocal rank fusion, which asks nothing of the scores. G. V. Cormack, C. L. A. Clarke, S. Büttcher:
 * "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009.
 *
 * By scores: each ranking's scores are brought to the range from 0 to 1 and added up, so that a leg which is sure of its
 * first weighs more than one that hardly tells it from the rest. S. Bruch, S. Gai, A. Ingber: "An Analysis of Fusion
 * Functions for Hybrid Retrieval", ACM TOIS 42 (2023); each counts the same, but for one that is known to be weaker.
 */

export interface FusedItem<T> {
  /** As it stands in the ranking that has it highest; of several such, in the first of them. */
  readonly item: T;
  readonly score: number;
}

/**
 * Every item of the rankings once, best first, by the sum over rankings of 1 / (constant + rank), ranks from 1. An item
 * that a ranking lacks gets nothing from it, and one that a ranking repeats counts at its best rank there. Equal sums:
 * the one with the better best rank is first, then the one whose id is less, unit by unit. So the order of the rankings
 * never matters to the order of the outcome.
 */
export function fuseByRanks<T>(
  rankings: readonly (readonly T[])[],
  idOf: (item: T) => string,
  constant: number,
): readonly FusedItem<T>[] {
  return fuse(rankings, idOf, () => (_item, rank) => 1 / (constant + rank));
}

/**
 * As `fuseByRanks`, by the sum over rankings of (score − least) / (greatest − least), each within its ranking. In a
 * ranking whose scores are all the same, each counts 1. The scores have to be finite, and best first. What a ranking gives
 * counts `weightOf` it.
 */
export function fuseByScores<T>(
  rankings: readonly (readonly T[])[],
  idOf: (item: T) => string,
  scoreOf: (item: T) => number,
  weightOf: (ranking: readonly T[]) => number = () => 1,
): readonly FusedItem<T>[] {
  return fuse(rankings, idOf, (ranking) => {
    const [greatest, least] = [scoreOf(ranking[0]!), scoreOf(ranking.at(-1)!)];
    const weight = weightOf(ranking);
    return (item) => weight * (greatest > least ? (scoreOf(item) - least) / (greatest - least) : 1);
  });
}

/** What an item gets from one ranking. */
type Share<T> = (item: T, rank: number) => number;

interface RankedItem<T> {
  readonly id: string;
  readonly item: T;
  readonly bestRank: number;
  readonly shares: readonly number[];
}

function fuse<T>(
  rankings: readonly (readonly T[])[],
  idOf: (item: T) => string,
  sharesOf: (ranking: readonly T[]) => Share<T>,
): readonly FusedItem<T>[] {
  const gathered = new Map<string, RankedItem<T>>();
  for (const ranking of rankings.filter(({ length }) => length > 0)) {
    const shareOf = sharesOf(ranking);
    for (const [id, { item, rank }] of bestRanks(ranking, idOf)) {
      const known = gathered.get(id) ?? { id, item, bestRank: rank, shares: [] };
      const best = rank < known.bestRank ? { item, bestRank: rank } : {};
      gathered.set(id, { ...known, ...best, shares: [...known.shares, shareOf(item, rank)] });
    }
  }
  return [...gathered.values()]
    .map((one) => ({ ...one, score: sum(one.shares) }))
    .sort((a, b) => b.score - a.score || a.bestRank - b.bestRank || (a.id < b.id ? -1 : 1))
    .map(({ item, score }) => ({ item, score }));
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

/** From the greatest down: sums of floating-point numbers depend on their order, and the outcome must not. */
function sum(shares: readonly number[]): number {
  return [...shares].sort((a, b) => b - a).reduce((total, share) => total + share, 0);
}
