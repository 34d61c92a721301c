/**
 * Context precision as RAGAS has it: Σ_k (precision@k · v_k) / (Σ_k v_k + 1e-10), where v_k is 1 when the k-th passage
 * was useful for arriving at the reference answer, and precision@k is the share of useful ones among the first k. In
 * RAGAS's code `metrics/collections/context_precision`, which refuses an empty list.
 */

/** Keeps the fraction defined when nothing is useful, as in RAGAS: such a list scores 0. */
const EPSILON = 1e-10;

/** Whether each passage was useful, best rank first; `undefined` where there is no passage. */
export function contextPrecision(useful: readonly boolean[]): number | undefined {
  if (useful.length === 0) return undefined;
  let usefulSoFar = 0;
  let sum = 0;
  for (const [i, isUseful] of useful.entries()) {
    if (!isUseful) continue;
    usefulSoFar += 1;
    sum += usefulSoFar / (i + 1);
  }
  return sum / (usefulSoFar + EPSILON);
}
