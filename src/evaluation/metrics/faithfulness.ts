/**
 * Faithfulness as RAGAS has it: statements of the answer that the passages support / statements of the answer.
 * S. Es et al.: "RAGAS: Automated Evaluation of Retrieval Augmented Generation", EACL 2024, section 3; in RAGAS's code
 * `metrics/collections/faithfulness`, where an answer without a statement is NaN.
 */

/** Whether each statement is supported, to the share that is; `undefined` where there is no statement. */
export function faithfulness(supported: readonly boolean[]): number | undefined {
  if (supported.length === 0) return undefined;
  return supported.filter(Boolean).length / supported.length;
}
