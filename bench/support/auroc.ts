/** How well scores tell what can be answered from what cannot, printed beside a peer's: AUROC with its interval. */
import { auroc, bootstrap, type Interval } from "./logistic.js";

/** 1: it can be answered. */
export type Labels = readonly (0 | 1)[];

/** `figure`: where it is known better than from these scores, such as a mean over several splits. */
export function printAuroc(name: string, scores: readonly number[], labels: Labels, figure?: number): void {
  const { high, low } = intervalOf(scores, labels);
  const value = figure ?? auroc(scores, labels);
  console.log(`${name.padEnd(22)} AUROC ${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`);
}

/** By the paired bootstrap. */
export function printGain(
  scores: readonly number[],
  peer: readonly number[],
  labels: Labels,
  figure = auroc(scores, labels),
): void {
  const { high, low } = bootstrap(
    labels.length,
    (sample) => auroc(...drawn(scores, labels, sample)) - auroc(...drawn(peer, labels, sample)),
  );
  const gain = figure - auroc(peer, labels);
  console.log(`gain over the peer ${gain.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`);
}

function intervalOf(scores: readonly number[], labels: Labels): Interval {
  return bootstrap(labels.length, (sample) => auroc(...drawn(scores, labels, sample)));
}

function drawn(scores: readonly number[], labels: Labels, sample: readonly number[]): [number[], (0 | 1)[]] {
  return [sample.map((i) => scores[i]!), sample.map((i) => labels[i]!)];
}
