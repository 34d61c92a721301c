/**
 * Fits the model of `src/grounding/answerability.ts` and writes it, with the background that its features weigh terms
 * by: `npm run build && node dist/bench/train-answerability.js`, twice when the background changes, for features are
 * computed with the one that is built in. The same data give the same files.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FEATURES } from "../src/grounding/answerability/features.js";
import { analyze } from "../src/lib/english-analyzer.js";
import type { CorpusDocument } from "../src/retrieval/benchmark/data-set.js";
import { clapNq, handbook } from "./support/answerability-data.js";
import { examplesOf, FOLDS, outOfFold, RIDGE, SEEDS } from "./support/answerability-training.js";
import { auroc, fitLogistic } from "./support/logistic.js";

const target = (name: string) =>
  fileURLToPath(new URL(`../../src/grounding/answerability/${name}`, import.meta.url));

const LINE_CHARS_MAX = 110;

/** Terms of fewer documents are left out: they count as rare in any case. */
const FREQUENCY_MIN = 4;

const { corpus, found } = await clapNq();
const ofHandbook = await handbook();
writeFileSync(target("background.ts"), background(corpus));
writeFileSync(target("model.ts"), model());

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
  const rows = features.map(
    ({ deviation, mean, weight }, i) =>
      `    // ${FEATURES[i]}\n    { mean: ${short(mean)}, deviation: ${short(deviation)}, weight: ${short(weight)} },`,
  );
  return `/**
 * Written by \`bench/train-answerability.ts\` from ClapNQ's ${found.length} questions and ${ofHandbook.length} on the handbook, ridge ${RIDGE}.
 * AUROC by ${FOLDS}-fold cross-validation over questions, mean of ${SEEDS.length} splits: ${figure(0, found.length)} on ClapNQ, ${figure(found.length, examples.length)} on the handbook.
 */
import type { LogisticModel } from "./logistic.js";

export const MODEL: LogisticModel = {
  bias: ${short(bias)},
  features: [
${rows.join("\n")}
  ],
};
`;
}

function short(value: number): string {
  return String(Number(value.toFixed(4)));
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
    .map(([frequency, terms]) => `${frequency} ${terms.sort().join(" ")}`);
  const length = texts.reduce((sum, terms) => sum + terms.length, 0) / texts.length;
  return `/**
 * How many of ${documents.length} passages of Wikipedia hold a term: those of ClapNQ's development set, see
 * bench/data/clapnq. Written by \`bench/train-answerability.ts\`. Terms of fewer than ${FREQUENCY_MIN} passages are left out.
 */
export const DOCUMENTS = ${documents.length};

/** Terms of a passage on average, with its title. */
export const TERMS_PER_DOCUMENT = ${Math.round(length)};

/** What a term has that is not among those below. */
const RARE = 1.5;

/** A count, and the terms that have it. */
const TERMS_BY_FREQUENCY = \`
${wrapped(rows)}
\`;

const FREQUENCIES: ReadonlyMap<string, number> = read();

function read(): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  let frequency = RARE;
  for (const word of TERMS_BY_FREQUENCY.trim().split(/\\s+/)) {
    const count = Number(word);
    if (Number.isNaN(count)) frequencies.set(word, frequency);
    else frequency = count;
  }
  return frequencies;
}

/** Of DOCUMENTS passages, how many hold this term. */
export function documentFrequency(term: string): number {
  return FREQUENCIES.get(term) ?? RARE;
}
`;
}

function wrapped(rows: readonly string[]): string {
  const lines: string[] = [];
  for (const word of rows.join(" ").split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > LINE_CHARS_MAX) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
