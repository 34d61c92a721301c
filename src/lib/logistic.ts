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

export function probabilityOf(features: readonly number[], model: LogisticModel): number {
  return 1 / (1 + Math.exp(-logitOf(features, model)));
}

/** The logarithm of the odds, which is a weighted sum: differences of it compare what is likelier. */
export function logitOf(features: readonly number[], { bias, features: weights }: LogisticModel): number {
  return weights.reduce(
    (total, { deviation, mean, weight }, i) => total + (weight * (features[i]! - mean)) / deviation,
    bias,
  );
}
