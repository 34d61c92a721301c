/**
 * Fitting a logistic model, and judging one on questions that it was not fitted on: ridge regression by Newton's
 * method, cross-validation, and the area under the ROC curve with its bootstrap interval.
 */
import type { LogisticModel } from "../../src/lib/logistic.js";
import { probabilityOf } from "../../src/lib/logistic.js";
import { seededRandom } from "../../src/lib/random.js";

export interface Example {
  readonly features: readonly number[];
  readonly label: 0 | 1;
}

const ITERATIONS_MAX = 50;
const STEP_MIN = 1e-9;

/** The model with the least log loss plus `ridge / 2` times the squares of its weights (not of the bias). */
export function fitLogistic(examples: readonly Example[], ridge: number): LogisticModel {
  const scales = scalesOf(examples);
  const rows = examples.map(({ features }) => [
    1,
    ...features.map((value, i) => (value - scales[i]!.mean) / scales[i]!.deviation),
  ]);
  const size = scales.length + 1;
  const weights = new Array<number>(size).fill(0);
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
    const { gradient, hessian } = derivatives(rows, examples, weights, ridge);
    const step = solve(hessian, gradient);
    for (let i = 0; i < size; i++) weights[i]! += step[i]!;
    if (Math.max(...step.map(Math.abs)) < STEP_MIN) break;
  }
  return { bias: weights[0]!, features: scales.map((scale, i) => ({ ...scale, weight: weights[i + 1]! })) };
}

function scalesOf(examples: readonly Example[]): { mean: number; deviation: number }[] {
  return examples[0]!.features.map((_, i) => {
    const values = examples.map(({ features }) => features[i]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
}

function derivatives(
  rows: readonly (readonly number[])[],
  examples: readonly Example[],
  weights: readonly number[],
  ridge: number,
): { readonly gradient: number[]; readonly hessian: number[][] } {
  const size = weights.length;
  const gradient = weights.map((weight, i) => (i === 0 ? 0 : -ridge * weight));
  const hessian = weights.map((_, i) => weights.map((_w, k) => (i === k && i > 0 ? ridge : 0)));
  for (const [row, { label }] of rows.map((one, i) => [one, examples[i]!] as const)) {
    const sum = row.reduce((total, value, i) => total + value * weights[i]!, 0);
    const probability = 1 / (1 + Math.exp(-sum));
    const spread = probability * (1 - probability);
    for (let i = 0; i < size; i++) {
      gradient[i]! += (label - probability) * row[i]!;
      for (let k = 0; k < size; k++) hessian[i]![k]! += spread * row[i]! * row[k]!;
    }
  }
  return { gradient, hessian };
}

/** Gauss–Jordan with pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    const pivot = rows
      .slice(i)
      .reduce((best, row, k) => (Math.abs(row[i]!) > Math.abs(rows[best]![i]!) ? i + k : best), i);
    [rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!];
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = rows[k]![i]! / rows[i]![i]!;
      for (let column = i; column <= size; column++) rows[k]![column]! -= factor * rows[i]![column]!;
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!);
}

/** For each example the probability by a model that was fitted on the examples of the other folds, which have names. */
export function crossValidated(
  examples: readonly Example[],
  ridge: number,
  foldOf: readonly string[],
): number[] {
  const models = new Map(
    [...new Set(foldOf)].map((fold) => [
      fold,
      fitLogistic(
        examples.filter((_, i) => foldOf[i] !== fold),
        ridge,
      ),
    ]),
  );
  return examples.map(({ features }, i) => probabilityOf(features, models.get(foldOf[i]!)!));
}

/** How often a positive example scores higher than a negative one; ties count half. */
export function auroc(scores: readonly number[], labels: readonly (0 | 1)[]): number {
  const sorted = scores.map((score, i) => ({ score, label: labels[i]! })).sort((a, b) => a.score - b.score);
  let ranks = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to++;
    for (let i = from; i < to; i++) if (sorted[i]!.label === 1) ranks += (from + to + 1) / 2;
    from = to;
  }
  const positives = labels.filter((label) => label === 1).length;
  const negatives = labels.length - positives;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * negatives);
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;

/** The 95 % interval of a figure over samples of the examples, drawn with replacement. */
export function bootstrap(count: number, figure: (sample: readonly number[]) => number, seed = 1): Interval {
  const random = seededRandom(seed);
  // A sample of few questions may lack one of the two labels, and has no figure then.
  const figures = Array.from({ length: RESAMPLES }, () =>
    figure(Array.from({ length: count }, () => Math.floor(random.fraction() * count))),
  )
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b);
  const at = (share: number) => figures[Math.floor(share * (figures.length - 1))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}

const BINS = 10;

/** Expected calibration error: how far probabilities are from what happened, in bins of equal width, weighed by size. */
export function calibrationError(probabilities: readonly number[], labels: readonly (0 | 1)[]): number {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, said: 0, happened: 0 }));
  for (const [i, probability] of probabilities.entries()) {
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))]!;
    bin.count += 1;
    bin.said += probability;
    bin.happened += labels[i]!;
  }
  return bins.reduce((sum, { happened, said }) => sum + Math.abs(said - happened), 0) / probabilities.length;
}
