/**
 * Fits the model of `src/grounding/answerability/` and writes it, with the background that its features weigh terms
 * by: `npm run build && node dist/bench/train-answerability.js`, twice when the background changes, for features are
 * computed with the one that is there. The same data give the same files.
 */
import { writeFileSync } from "node:fs";
import { FEATURES } from "../src/grounding/answerability/features.js";
import { analyze } from "../src/lib/english-analyzer.js";
import { shippedPath } from "../src/lib/shipped-files.js";
import type { CorpusDocument } from "../src/retrieval/benchmark/data-set.js";
import { clapNq, handbook } from "./support/answerability-data.js";
import { examplesOf, FOLDS, outOfFold, RIDGE, SEEDS } from "./support/answerability-training.js";
import { auroc, fitLogistic } from "./support/logistic.js";

/** Terms of fewer documents are left out: they count as rare in any case. */
const FREQUENCY_MIN = 4;

const { corpus, found } = await clapNq();
const ofHandbook = await handbook();
writeFileSync(shippedPath("models/background.txt"), background(corpus));
writeFileSync(shippedPath("models/answerability.json"), model());

function model(): string {
  const all = [...found, ...ofHandbook];
  const examples = examplesOf(all);
  const runs = SEEDS.map((seed) => outOfFold(all, examples, seed));
  const figure = (from: number, to: number) => {
    const labels = examples.slice(from, to).map(({ label }) => label);
    const sum = runs.reduce((total, scores) => total + auroc(scores.slice(from, to), labels), 0);
    return (sum / runs.length).toFixed(3);
  };
  const { bias, features } = fitLogistic(examples, RIDGE);
  const file = {
    fitted_on: `ClapNQ's ${found.length} questions and ${ofHandbook.length} on the handbook, ridge ${RIDGE}`,
    auroc:
      `by ${FOLDS}-fold cross-validation over questions, mean of ${SEEDS.length} splits: ` +
      `${figure(0, found.length)} on ClapNQ, ${figure(found.length, examples.length)} on the handbook`,
    bias: short(bias),
    features: features.map(({ deviation, mean, weight }, i) => ({
      feature: FEATURES[i],
      mean: short(mean),
      deviation: short(deviation),
      weight: short(weight),
    })),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function short(value: number): number {
  return Number(value.toFixed(4));
}

function background(documents: readonly CorpusDocument[]): string {
  const texts = documents.map(({ text, title }) => analyze(`${title} . ${text}`));
  const frequencies = new Map<string, number>();
  for (const terms of texts)
    for (const term of new Set(terms)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const groups = new Map<number, string[]>();
  for (const [term, frequency] of frequencies) {
    if (frequency < FREQUENCY_MIN || !/^[a-z]+$/.test(term)) continue;
    groups.set(frequency, [...(groups.get(frequency) ?? []), term]);
  }
  const rows = [...groups]
    .sort(([a], [b]) => b - a)
    .map(([frequency, terms]) => `${frequency}: ${terms.sort().join(" ")}`);
  const length = texts.reduce((sum, terms) => sum + terms.length, 0) / texts.length;
  return `# How many of the passages of Wikipedia in ClapNQ's development set (bench/data/clapnq) hold a term, and the terms that as
# many hold. Written by bench/train-answerability.ts. Terms of fewer than ${FREQUENCY_MIN} passages are left out.

passages: ${documents.length}
terms per passage: ${Math.round(length)}
${rows.join("\n")}
`;
}
