/**
 * How sure we are, as probabilities: of one checked sentence, and of a whole answer. Sentences go through curves that
 * were fitted on data (`confidence-curves.ts`); an answer is as sure as all that was said, and as the passages are
 * likely to hold what was asked for.
 */
import type { Outcome, Verdict } from "../../domain/answer.js";
import { calibrated } from "./confidence-curve.js";
import { CLAIM_CURVES } from "./confidence-curves.js";

export interface CheckedClaim {
  readonly verdict: Verdict;
  /** How well the best evidence fits, 0–1, as the check gives it. */
  readonly score: number;
}

/** How likely the evidence says what the sentence says, 0–1: near 1 only where the verdict is `supported`. */
export function claimConfidence({ verdict, score }: CheckedClaim): number {
  return calibrated(score, CLAIM_CURVES[verdict]);
}

export interface CheckedAnswer {
  readonly claims: readonly { readonly confidence: number; readonly said: boolean }[];
  /** How likely the passages hold the answer, 0–1. */
  readonly answerability: number;
  /** Sentences that were not let through. */
  readonly dropped: number;
  /** A passage read aloud for want of a model, or an answer that broke off. */
  readonly degraded: boolean;
  /** Decides what an answer without a claim is worth: by default it is a refusal. */
  readonly outcome?: Outcome;
}

/**
 * How likely all that was said is right, and is what was asked for, 0–1. Where nothing was said of the documents, that
 * is how likely the refusal is right; 0 when they could not even be searched, or when
 * nothing tells what became of an order.
 */
export function answerConfidence(answer: CheckedAnswer): number {
  const said = answer.claims.filter((claim) => claim.said).map(({ confidence }) => confidence);
  if (answer.outcome === "search_unavailable" || answer.outcome === "unknown") return 0;
  if (said.length === 0) return 1 - probability(answer.answerability);
  const right = allRight(said.map(probability));
  const kept = (said.length + 1) / (said.length + Math.max(0, answer.dropped) + 1);
  const whole = answer.degraded ? DEGRADED_FACTOR : 1;
  return right * probability(answer.answerability) * kept * whole;
}

/**
 * How much of the way from "all err together" (the least sure sentence counts) to "each errs on its own" (the product
 * counts) sentences of one answer are: they come from one model and mostly from one passage.
 */
const INDEPENDENCE = 0.5;

/**
 * What is read aloud is the best passage, which is the right one in so many cases: R@1 of lexical search on ClapNQ
 * (`npm run bench -- quality`).
 */
const DEGRADED_FACTOR = 0.9;

function allRight(confidences: readonly number[]): number {
  const least = Math.min(...confidences);
  const product = confidences.reduce((all, one) => all * one, 1);
  return least ** (1 - INDEPENDENCE) * product ** INDEPENDENCE;
}

/** Within 0–1; what is no number counts as no confidence. */
function probability(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value));
}
