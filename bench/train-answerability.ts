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
import { examplesOf, heldOut, RIDGE } from "./support/answerability-training.js";
import { auroc, fitLogistic } from "./support/logistic.js";

/** Terms of fewer documents are left out: they count as rare in any case. */
const FREQUENCY_MIN = 4;

const wikipedia = await clapNq();
const found = [...wikipedia.found, ...(await handbook()).found];
writeFileSync(shippedPath("models/background.txt"), background(wikipedia.corpus));
writeFileSync(shippedPath("models/answerability.json"), model());

function model(): string {
  const examples = examplesOf(found);
  const probabilities = heldOut(found, examples);
  const figure = (part: string) => {
    const own = [...found.keys()].filter((i) => found[i]!.part.startsWith(part));
    return auroc(
      own.map((i) => probabilities[i]!),
      own.map((i) => examples[i]!.label),
    ).toFixed(3);
  };
  const { bias, features } = fitLogistic(examples, RIDGE);
  const file = {
    fitted_on: `ClapNQ's ${wikipedia.found.length} questions and ${found.length - wikipedia.found.length} on the handbook, ridge ${RIDGE}`,
    auroc:
      `on parts that it was not fitted on: ${figure("ClapNQ, half 0")} and ${figure("ClapNQ, half 1")} on the halves ` +
      `of ClapNQ, ${figure("handbook")} on the handbook's lists`,
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
  return `# How many of the passages of Wikipedia in ClapNQ's development set (bench/data/clapnq) hold a term, and the terms that as
# many hold. Written by bench/train-answerability.ts. Terms of fewer than ${FREQUENCY_MIN} passages are left out.

passages: ${documents.length}
${rows.join("\n")}
`;
}
