/**
 * Whether the evidence carries a sentence of an answer. The sentence is aligned with the sentences of the evidence that
 * it can rest on; then everything that can be decided without understanding it is compared with them.
 */
import { type Alignment, align, type Weights, weightsOf } from "./align.js";
import type { SentenceCheck, SentenceContext, SentenceRole, Support } from "./check.js";
import { checkQuantities } from "./check-quantities.js";
import { checkWords } from "./check-words.js";
import type { EvidenceSentence, PreparedEvidence } from "./evidence.js";
import { type Finding, gap } from "./finding.js";
import { parseSentence, type Sentence } from "./sentence.js";

/** Checks one sentence of an answer. Pure: the same arguments give the same result. */
export function checkSentence(
  sentence: string,
  evidence: PreparedEvidence,
  context: SentenceContext,
): SentenceCheck {
  const claim = parseSentence(sentence);
  const question = parseSentence(context.question);
  return checkClaim(claim, question, evidence, "claim");
}

function checkClaim(
  claim: Sentence,
  question: Sentence,
  evidence: PreparedEvidence,
  role: SentenceRole,
): SentenceCheck {
  const weights = weightsOf(claim, evidence);
  const tried = align(claim, weights, evidence).map((alignment) =>
    tryAlignment(claim, alignment, weights, evidence, question),
  );
  const best = tried.find(({ findings }) => findings.length === 0) ?? tried[0];
  if (best === undefined)
    return {
      role,
      verdict: "unsupported",
      evidence: [],
      reasons: [gap("words_not_found", "no source speaks of this").reason],
      score: 0,
    };
  const { findings, alignment } = best;
  const verdict =
    findings.length === 0
      ? "supported"
      : findings.some((one) => one.verdict === "contradicted")
        ? "contradicted"
        : "unsupported";
  return {
    role: role === "claim" && alignment.window[0]!.step !== undefined ? "step" : role,
    verdict,
    evidence: alignment.window.map((one) => supportOf(one, evidence)),
    reasons: findings.map(({ reason }) => reason),
    score: findings.length === 0 ? alignment.coverage : alignment.coverage / 2 ** findings.length,
  };
}

function tryAlignment(
  claim: Sentence,
  alignment: Alignment,
  weights: Weights,
  evidence: PreparedEvidence,
  question: Sentence,
): { alignment: Alignment; findings: Finding[] } {
  const { window } = alignment;
  const findings = [
    ...checkQuantities(claim, window, evidence, question),
    ...checkWords(claim, alignment, weights, evidence, question),
  ];
  return { alignment, findings };
}

export function supportOf({ part, start, end, step }: EvidenceSentence, evidence: PreparedEvidence): Support {
  const { source } = evidence.parts[part]!;
  return {
    source: source.source,
    type: source.type,
    value: source.text.slice(start, end),
    start,
    end,
    ...(step === undefined ? {} : { step }),
  };
}
