/**
 * How well the service can tell what the documents answer from what they do not. ClapNQ: 300 answerable and 300
 * unanswerable questions over one pool of all their passages; the unanswerable ones have a passage in the pool as well,
 * on their subject, so that finding something is no sign of an answer. The handbook of the examples: the questions that
 * the offline answerer is held to, forbidden ones among the unanswerable. Both are searched as turns are, by the lexical
 * leg, five passages. The model is judged on questions that it was not fitted on; its peer is the best score of BM25 by
 * the weight of the query (the sum of its terms' idf).
 */
import { FEATURES } from "../src/grounding/answerability/features.js";
import type { FoundFor } from "./support/answerability-data.js";
import { clapNq, handbook } from "./support/answerability-data.js";
import { examplesOf, FOLDS, outOfFold, SEEDS } from "./support/answerability-training.js";
import { type Labels, printAuroc, printGain } from "./support/auroc.js";
import { normalizedBm25 } from "./support/bm25.js";
import { auroc, calibrationError } from "./support/logistic.js";
import { verdict } from "./support/stats.js";

/** Of ClapNQ. */
const AIM = 0.85;
/** Shares of all questions that are answered, surest first. */
const COVERAGES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8] as const;

export async function run(): Promise<void> {
  const { corpus, found } = await clapNq();
  const ofHandbook = await handbook();
  const all = [...found, ...ofHandbook];
  const examples = examplesOf(all);
  const runs = SEEDS.map((seed) => outOfFold(all, examples, seed));
  const peer = normalizedBm25(
    corpus,
    found.map(({ question }) => question),
  );
  const bm25 = examples.map(({ features }) => features[FEATURES.indexOf("bm25")]!);
  console.log(`Refusal, ${FOLDS}-fold cross-validation over questions, ${SEEDS.length} splits`);
  const ofClapNq = runs.map((scores) => scores.slice(0, found.length));
  const figure = report("ClapNQ", ofClapNq, peer, labelsOf(found));
  console.log(`aim on ClapNQ ${AIM}: ${verdict(-figure, -AIM)}`);
  const rest = runs.map((scores) => scores.slice(found.length));
  report("handbook", rest, bm25.slice(found.length), labelsOf(ofHandbook));
}

function labelsOf(found: readonly FoundFor[]): Labels {
  return found.map(({ isAnswerable }) => (isAnswerable ? 1 : 0));
}

/** Prints what there is to say of one set of questions, and returns the model's AUROC, mean of all splits. */
function report(
  name: string,
  runs: readonly (readonly number[])[],
  peer: readonly number[],
  labels: Labels,
): number {
  const [first] = runs as [readonly number[]];
  const answerable = labels.filter((label) => label === 1).length;
  console.log(`\n${name}: ${answerable} answerable, ${labels.length - answerable} unanswerable questions`);
  const figure = mean(runs.map((scores) => auroc(scores, labels)));
  printAuroc("answerability", first, labels, figure);
  printAuroc("BM25 by query weight", peer, labels);
  printGain(first, peer, labels, figure);
  console.log(`calibration error of the probabilities ${calibrationError(first, labels).toFixed(3)}`);
  printRisk("answerability", first, labels);
  printRisk("BM25 by query weight", peer, labels);
  return figure;
}

/** Risk: the share of what is answered that has no answer. */
function printRisk(name: string, scores: readonly number[], labels: Labels): void {
  const surest = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  const points = COVERAGES.map((coverage) => {
    const answered = surest.slice(0, Math.round(coverage * surest.length));
    const risk = mean(answered.map((i) => 1 - labels[i]!));
    return `${(100 * coverage).toFixed(0)} %: ${(100 * risk).toFixed(1)} %`;
  });
  console.log(`${name.padEnd(22)} risk by coverage  ${points.join("   ")}`);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
