/** A logistic model as data, and the probability that it gives. */

/** Weights of standardized features: `(value - mean) / deviation`. */
export interface LogisticModel {
  readonly bias: number;
  readonly features: readonly {
    readonly mean: number;
    readonly deviation: number;
    readonly weight: number;
  }[];
}

export function probabilityOf(
  features: readonly number[],
  { bias, features: weights }: LogisticModel,
): number {
  const sum = weights.reduce(
    (total, { deviation, mean, weight }, i) => total + (weight * (features[i]! - mean)) / deviation,
    bias,
  );
  return 1 / (1 + Math.exp(-sum));
}
