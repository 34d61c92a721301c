/**
 * Whether one ranking is better than another, or was lucky with these queries: the paired bootstrap. B. Efron,
 * R. J. Tibshirani: "An Introduction to the Bootstrap", 1993, chapter 13 (percentile interval); T. Sakai: "Evaluating
 * evaluation metrics based on the bootstrap", SIGIR 2006.
 */
import { seededRandom } from "../../lib/random.js";

/** A mean of differences, and the ends of its 95% interval. */
export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export const RESAMPLES = 10_000;
const SEED = 1;
const CONFIDENCE = 0.95;

/**
 * The mean of `a[i] - b[i]` over queries, with an interval from so many samples of the queries, drawn with replacement.
 * The same input gives the same interval: the seed is fixed. Throws when the two are not of one length, or empty.
 */
export function pairedBootstrap(
  a: readonly number[],
  b: readonly number[],
  resamples: number = RESAMPLES,
): Difference {
  if (a.length !== b.length || a.length === 0)
    throw new Error(`cannot pair ${a.length} figures with ${b.length}`);
  const differences = Float64Array.from(a, (value, i) => value - b[i]!);
  const random = seededRandom(SEED);
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < differences.length; i++)
      sum += differences[Math.floor(random.fraction() * differences.length)]!;
    return sum / differences.length;
  }).sort();
  const tail = (1 - CONFIDENCE) / 2;
  return {
    mean: differences.reduce((sum, value) => sum + value, 0) / differences.length,
    low: means[Math.floor(tail * (resamples - 1))]!,
    high: means[Math.ceil((1 - tail) * (resamples - 1))]!,
  };
}
