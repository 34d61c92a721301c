/** Which sentences of the evidence a sentence rests on, and how much of it they carry. */

import { compareAmounts, type Quantity } from "../../words/quantity/quantity.js";
import type { EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { sentencesWithAmount, sentencesWithCode } from "../evidence-index.js";
import { excludes } from "../sentence/opposition.js";
import type { Sentence } from "../sentence/sentence.js";

export interface Alignment {
  /** The sentence that carries most; then those that carry what is left. */
  readonly window: readonly EvidenceSentence[];
  /** Share of the sentence's weight that the window carries, 0–1. */
  readonly coverage: number;
}

/** What a term weighs: the rarer in the evidence, the more. */
export interface Weights {
  readonly of: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Sentences that may carry one sentence together. */
const WINDOW_MAX = 4;
/** What a further sentence must add, as a share of the whole weight. */
const GAIN_MIN = 0.06;
/** How many first sentences are tried, and how good they must be, beside the best. */
const CANDIDATES_MAX = 4;
const CANDIDATE_SHARE_MIN = 0.9;

const QUANTITY_WEIGHT = 1.5;
const CODE_WEIGHT = 2;
const LIGHT_WEIGHT = 0.3;
/** A word and its opposite are about the same thing. */
const OPPOSITE_SHARE = 0.8;
/** A term in the title or a heading, where its sentence does not repeat it. */
const AROUND_SHARE = 0.7;
/** Sentences further on in the same text go together sooner than those of two texts. */
const OTHER_TEXT_SHARE = 0.6;

/** Possible places, best first; empty where no term of the sentence occurs. */
export function align(claim: Sentence, weights: Weights, evidence: PreparedEvidence): Alignment[] {
  const scores = new Float64Array(evidence.sentences.length);
  addTerms(scores, claim, weights, evidence);
  addFigures(scores, claim, evidence);
  const order = [...scores.keys()]
    .filter((i) => scores[i]! > 0)
    .sort((a, b) => scores[b]! - scores[a]! || a - b);
  const best = scores[order[0] ?? 0] ?? 0;
  return order
    .slice(0, CANDIDATES_MAX)
    .filter((i) => scores[i]! >= best * CANDIDATE_SHARE_MIN)
    .map((i) => extend(evidence.sentences[i]!, claim, weights, evidence));
}

export function weightsOf(claim: Sentence, evidence: PreparedEvidence): Weights {
  const of = new Map<string, number>();
  let total = 0;
  const count = evidence.sentences.length;
  for (const term of claim.terms) {
    const frequency = evidence.byTerm.get(term)?.length ?? 0;
    const weight = Math.min(WEIGHT_MAX, Math.log(1 + (count + 1) / (frequency + 1)));
    of.set(term, weight);
    total += weight;
  }
  return { of, total };
}

const WEIGHT_MAX = 3;

function addTerms(scores: Float64Array, claim: Sentence, weights: Weights, evidence: PreparedEvidence): void {
  for (const [term, weight] of weights.of)
    for (const index of evidence.byTerm.get(term) ?? []) scores[index]! += weight;
  for (const { info, term } of claim.words) {
    if (info.weight === "function") continue;
    if (info.weight === "light")
      for (const index of evidence.byLightTerm.get(term) ?? []) scores[index]! += LIGHT_WEIGHT;
    for (const { axis, sign } of info.poles)
      for (const index of evidence.byAxis.get(axis) ?? []) {
        const sentence = evidence.sentences[index]!;
        if (sentence.terms.has(term)) continue;
        if (
          sentence.words.some(({ info: { poles } }) =>
            poles.some((pole) => pole.axis === axis && pole.sign === -sign),
          )
        )
          scores[index]! += (weights.of.get(term) ?? 0.3) * OPPOSITE_SHARE;
      }
  }
  for (const part of evidence.parts) {
    let around = 0;
    for (const [term, weight] of weights.of) if (part.around.has(term)) around += weight * 0.15;
    if (around > 0) for (const { index } of part.sentences) if (scores[index]! > 0) scores[index]! += around;
  }
}

function addFigures(scores: Float64Array, claim: Sentence, evidence: PreparedEvidence): void {
  for (const said of claim.quantities)
    for (const index of sentencesWithAmount(said, evidence))
      scores[index]! += said.use === "idiom" ? 0.1 : QUANTITY_WEIGHT;
  for (const { key } of claim.codes)
    for (const index of sentencesWithCode(key, evidence)) scores[index]! += CODE_WEIGHT;
}

/** Adds the sentences that carry most of what is left. */
function extend(
  first: EvidenceSentence,
  claim: Sentence,
  weights: Weights,
  evidence: PreparedEvidence,
): Alignment {
  const window = [first];
  const around = evidence.parts[first.part]!.around;
  const left = new Map(
    [...weights.of].filter(([term]) => !first.terms.has(term) && !isOpposed(term, claim, first)),
  );
  const figures = claim.quantities.filter(
    (said) =>
      said.use !== "idiom" &&
      !hasRival(said, claim, first) &&
      !first.quantities.some((known) => compareAmounts(said, known) === "same"),
  );
  while (window.length < WINDOW_MAX && (left.size > 0 || figures.length > 0)) {
    const next = bestAddition(first, left, figures, window, evidence);
    if (next === undefined || next.gain < GAIN_MIN * Math.max(weights.total, 1)) break;
    window.push(next.sentence);
    for (const term of [...left.keys()]) if (next.sentence.terms.has(term)) left.delete(term);
    for (let i = figures.length - 1; i >= 0; i--)
      if (next.sentence.quantities.some((known) => compareAmounts(figures[i]!, known) === "same"))
        figures.splice(i, 1);
  }
  let missing = 0;
  for (const [term, weight] of left) missing += around.has(term) ? weight * (1 - AROUND_SHARE) : weight;
  return { window, coverage: weights.total === 0 ? 1 : 1 - missing / weights.total };
}

/** The sentence has the opposite instead: looking for the word elsewhere would only hide that. */
function isOpposed(term: string, claim: Sentence, first: EvidenceSentence): boolean {
  const word = claim.words.find((one) => one.term === term);
  return (
    word !== undefined &&
    first.words.some(
      (other) => excludes(word.info, other.info) && !claim.words.some((one) => one.term === other.term),
    )
  );
}

/** The sentence has another amount of the same kind, which the claim does not say: that is the one to compare with. */
function hasRival(said: Quantity, claim: Sentence, first: EvidenceSentence): boolean {
  return first.quantities.some(
    (known) =>
      known.dimension === said.dimension &&
      known.use === said.use &&
      (said.dimension !== "count" || labelOf(known, first) === labelOf(said, claim)) &&
      !claim.quantities.some((own) => compareAmounts(own, known) === "same"),
  );
}

/** What a number names or counts: "channel" of "channel 4", "people" of "two people". */
function labelOf({ use, firstToken, lastToken }: Quantity, { infos }: Sentence): string | undefined {
  return infos[use === "label" ? firstToken - 1 : lastToken + 1]?.term;
}

function bestAddition(
  first: EvidenceSentence,
  left: ReadonlyMap<string, number>,
  figures: Sentence["quantities"],
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
): { sentence: EvidenceSentence; gain: number } | undefined {
  const gains = new Map<number, number>();
  for (const [term, weight] of left)
    for (const index of evidence.byTerm.get(term) ?? []) gains.set(index, (gains.get(index) ?? 0) + weight);
  const places = figures
    .flatMap((said) => [...sentencesWithAmount(said, evidence)])
    .filter((index) => evidence.sentences[index]!.part === first.part);
  for (const index of places.sort((a, b) => a - b))
    gains.set(index, (gains.get(index) ?? 0) + 0.5 * QUANTITY_WEIGHT);
  let best: { sentence: EvidenceSentence; gain: number } | undefined;
  for (const [index, weight] of gains) {
    const sentence = evidence.sentences[index]!;
    if (window.includes(sentence)) continue;
    const distance = Math.abs(sentence.index - first.index);
    const gain =
      sentence.part === first.part ? weight * (1 - 0.01 * Math.min(distance, 10)) : weight * OTHER_TEXT_SHARE;
    if (best === undefined || gain > best.gain) best = { sentence, gain };
  }
  return best;
}
