/**
 * How well the service can tell what the documents answer from what they do not. ClapNQ: 300 answerable and 300
 * unanswerable questions over one pool of all their passages; the unanswerable ones have a passage in the pool as well,
 * on their subject, so that finding something is no sign of an answer. The handbook of the examples: the questions that
 * the offline answerer is held to, forbidden ones among the unanswerable. Both are searched as turns are, by words and by
 * vectors, five passages. The model is judged on questions that it was not fitted on: each half of ClapNQ by one that has
 * not seen it, each list of the handbook likewise, and each set by one that has seen the other set alone. Its peer is the
 * best score of BM25 by the weight of the query (the sum of its terms' idf).
 */
import { probabilityOf } from "../src/lib/logistic.js";
import type { FoundFor, Searched } from "./support/answerability-data.js";
import { clapNq, handbook } from "./support/answerability-data.js";
import { examplesOf, heldOut, RIDGE } from "./support/answerability-training.js";
import { type Labels, printAuroc, printGain } from "./support/auroc.js";
import { normalizedBm25 } from "./support/bm25.js";
import { auroc, calibrationError, fitLogistic } from "./support/logistic.js";
import { verdict } from "./support/stats.js";

/** Of each half of ClapNQ. */
const AIM = 0.85;
/** Shares of all questions that are answered, surest first. */
const COVERAGES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8] as const;

export async function run(): Promise<void> {
  const [wikipedia, site] = [await clapNq(), await handbook()];
  const all = [...wikipedia.found, ...site.found];
  const probabilities = heldOut(all, examplesOf(all));
  const peers = [...peerOf(wikipedia), ...peerOf(site)];
  console.log("Refusal, on questions that the model was not fitted on");
  for (const part of ["ClapNQ, half 0", "ClapNQ, half 1", "handbook"]) {
    const own = [...all.keys()].filter((i) => all[i]!.part.startsWith(part));
    const at = <T>(values: readonly T[]) => own.map((i) => values[i]!);
    const figure = report(part, at(probabilities), at(peers), labelsOf(at(all)));
    if (part !== "handbook") console.log(`aim ${AIM}: ${verdict(-figure, -AIM)}`);
  }
  report("handbook, fitted on ClapNQ alone", fromOther(site, wikipedia), peerOf(site), labelsOf(site.found));
  const ofClapNq = fromOther(wikipedia, site);
  report("ClapNQ, fitted on the handbook alone", ofClapNq, peerOf(wikipedia), labelsOf(wikipedia.found));
}

function peerOf({ corpus, found }: Searched): readonly number[] {
  return normalizedBm25(
    corpus,
    found.map(({ question }) => question),
  );
}

function fromOther({ found }: Searched, other: Searched): readonly number[] {
  const model = fitLogistic(examplesOf(other.found), RIDGE);
  return examplesOf(found).map(({ features }) => probabilityOf(features, model));
}

function labelsOf(found: readonly FoundFor[]): Labels {
  return found.map(({ isAnswerable }) => (isAnswerable ? 1 : 0));
}

/** Prints what there is to say of one set of questions, and returns the model's AUROC. */
function report(
  name: string,
  probabilities: readonly number[],
  peer: readonly number[],
  labels: Labels,
): number {
  const answerable = labels.filter((label) => label === 1).length;
  console.log(`\n${name}: ${answerable} answerable, ${labels.length - answerable} unanswerable questions`);
  printAuroc("answerability", probabilities, labels);
  printAuroc("BM25 by query weight", peer, labels);
  printGain(probabilities, peer, labels);
  console.log(`calibration error of the probabilities ${calibrationError(probabilities, labels).toFixed(3)}`);
  printRisk("answerability", probabilities, labels);
  printRisk("BM25 by query weight", peer, labels);
  return auroc(probabilities, labels);
}

/** Risk: the share of what is answered that has no answer. */
function printRisk(name: string, scores: readonly number[], labels: Labels): void {
  const surest = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  const points = COVERAGES.map((coverage) => {
    const answered = surest.slice(0, Math.round(coverage * surest.length));
    const risk = answered.reduce((sum, i) => sum + 1 - labels[i]!, 0) / answered.length;
    return `${(100 * coverage).toFixed(0)} %: ${(100 * risk).toFixed(1)} %`;
  });
  console.log(`${name.padEnd(22)} risk by coverage  ${points.join("   ")}`);
}
