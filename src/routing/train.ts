/**
 * Trains the classifier: multinomial logistic regression by AdaGrad (J. Duchi, E. Hazan, Y. Singer, JMLR 12, 2011) with
 * an L2 penalty, then one temperature fitted on predictions for utterances that the predicting model had not seen. The
 * same rows give the same model: chance comes from a fixed seed.
 */
import { seededRandom } from "../lib/random.js";
import { type ClassifierModel, RouteClassifier, softmax, textHash } from "./classifier.js";
import { BUCKETS, type Features, featuresOf } from "./features.js";
import type { LabelledUtterance } from "./labelled-data.js";
import { utterance } from "./normalized-message.js";

/** Rows of each route that training needs at the least. */
export const ROWS_PER_ROUTE_MIN = 5;

const SEED = 20_260_501;
const EPOCHS = 60;
const LEARNING_RATE = 0.5;
const PENALTY = 1e-4;
const FOLDS = 5;

interface Example {
  readonly features: Features;
  readonly route: number;
}

/** Throws an error for people when there is too little to learn from. */
export function trainClassifier(rows: readonly LabelledUtterance[]): ClassifierModel {
  const routes = [...new Set(rows.map(({ route }) => route))].sort();
  checkEnough(rows, routes);
  const ordered = rows.toSorted((a, b) => textHash(a.text) - textHash(b.text));
  const examples = ordered.map(({ text, route }) => ({
    features: featuresOf(utterance(text).core),
    route: routes.indexOf(route),
  }));
  return {
    ...fitWeights(examples, routes),
    temperature: fitTemperature(unseenScores(examples, routes)),
    trainedOn: Uint32Array.from(ordered, ({ text }) => textHash(text)),
  };
}

function checkEnough(rows: readonly LabelledUtterance[], routes: readonly string[]): void {
  if (routes.length < 2) throw new Error("Training needs utterances of at least two routes.");
  for (const name of routes) {
    const count = rows.filter(({ route }) => route === name).length;
    if (count < ROWS_PER_ROUTE_MIN)
      throw new Error(
        `There are only ${count} utterances of ${name} to learn from; training needs ${ROWS_PER_ROUTE_MIN}.`,
      );
  }
}

function fitWeights(examples: readonly Example[], routes: readonly string[]): ClassifierModel {
  const count = routes.length;
  const weights = new Float32Array(BUCKETS * count);
  const bias = new Float32Array(count);
  const weightSquares = new Float64Array(weights.length).fill(1e-2);
  const biasSquares = new Float64Array(count).fill(1e-2);
  const model = { routes, weights, bias, temperature: 1, trainedOn: new Uint32Array() };
  const classifier = new RouteClassifier(model);
  const random = seededRandom(SEED);
  const order = examples.map((_, i) => i);
  const step = (values: Float32Array, squares: Float64Array, at: number, gradient: number) => {
    squares[at]! += gradient * gradient;
    values[at]! -= (LEARNING_RATE * gradient) / Math.sqrt(squares[at]!);
  };
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, () => random.fraction());
    for (const i of order) {
      const { features, route } = examples[i]!;
      const errors = softmax(classifier.scores(features), 1);
      errors[route]! -= 1;
      for (let k = 0; k < count; k++) {
        step(bias, biasSquares, k, errors[k]!);
        for (let j = 0; j < features.buckets.length; j++) {
          const at = features.buckets[j]! * count + k;
          step(weights, weightSquares, at, errors[k]! * features.values[j]! + PENALTY * weights[at]!);
        }
      }
    }
  }
  return model;
}

interface RouteScores {
  readonly scores: Float64Array;
  readonly route: number;
}

/** Each example as a model scores it that was trained on the other folds. */
function unseenScores(examples: readonly Example[], routes: readonly string[]): readonly RouteScores[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const model = new RouteClassifier(
      fitWeights(
        examples.filter((_, i) => i % FOLDS !== fold),
        routes,
      ),
    );
    return examples
      .filter((_, i) => i % FOLDS === fold)
      .map(({ features, route }) => ({ scores: model.scores(features), route }));
  }).flat();
}

const TEMPERATURE = { min: 0.05, max: 20, steps: 60 } as const;

/** The temperature of the least log loss, by golden-section search on its logarithm, where the loss has one valley. */
function fitTemperature(scored: readonly RouteScores[]): number {
  const loss = (logTemperature: number) =>
    scored.reduce((sum, { scores, route }) => {
      const probability = softmax(scores, Math.exp(logTemperature))[route]!;
      return sum - Math.log(Math.max(probability, Number.MIN_VALUE));
    }, 0);
  const section = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [Math.log(TEMPERATURE.min), Math.log(TEMPERATURE.max)];
  for (let i = 0; i < TEMPERATURE.steps; i++) {
    const [left, right] = [high - section * (high - low), low + section * (high - low)];
    if (loss(left) < loss(right)) high = right;
    else low = left;
  }
  return Math.exp((low + high) / 2);
}

function shuffle(values: number[], fraction: () => number): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(fraction() * (i + 1));
    [values[i], values[j]] = [values[j]!, values[i]!];
  }
}
