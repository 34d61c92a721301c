/**
 * Context recall as RAGAS has it: statements of the reference answer that can be attributed to the passages / statements
 * of the reference answer. In RAGAS's code `metrics/collections/context_recall`; without a statement it is NaN.
 */

/** Whether each statement of the reference is in the passages, to the share that is; `undefined` without statements. */
export function contextRecall(attributed: readonly boolean[]): number | undefined {
  if (attributed.length === 0) return undefined;
  return attributed.filter(Boolean).length / attributed.length;
}
