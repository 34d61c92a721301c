/** What an answer came to, put together from what the gate saw: outcome, claims, uncertainties, confidence. Pure. */
import type { Phrases } from "../answer/phrases.js";
import { sourceAloud } from "../answer/source.js";
import type { DraftEnd } from "../capability/draft.js";
import type { Answer, AnswerClaim, Outcome, RouteDecision, Uncertainty } from "../domain/answer.js";
import type { Passage } from "../domain/passage.js";
import { answerability } from "../grounding/answerability/answerability.js";
import { answerConfidence, claimConfidence } from "../grounding/confidence/confidence.js";
import type { CheckedSentence } from "./checked-sentence.js";
import { outcomeOf } from "./outcome.js";

export interface AnswerParts {
  readonly question: string;
  readonly phrases: Phrases;
  readonly route: RouteDecision;
  /** What is said where the documents do not answer; absent: that they do not. */
  readonly notFound?: string | undefined;
  readonly end: DraftEnd;
  readonly queries: readonly string[];
  readonly passages: readonly Passage[];
  /** Everything that claims something, said or not. */
  readonly checked: readonly CheckedSentence[];
  readonly questions: readonly CheckedSentence[];
  readonly fillers: readonly string[];
  /** The writer said itself that the documents do not answer. */
  readonly refused: boolean;
  /** The user was told that documents disagree. */
  readonly conflicting: boolean;
  /** The user asked about a revision that does not hold any more, and was told what this one says instead. */
  readonly superseding: Passage | undefined;
  /** The user was told that steps are not read out, and where they are. */
  readonly withheld: boolean;
  /** The writer did not come to its end, and the user was told so. */
  readonly brokenOff: boolean;
}

export interface AnswerSoFar {
  readonly answer: Omit<Answer, "text" | "spoken">;
  /** What is still to be said: fixed phrases, small talk, or a question back. */
  readonly closing: readonly string[];
}

export function answerOf(parts: AnswerParts): AnswerSoFar {
  const { brokenOff, checked, conflicting, end, passages, queries, question, route, withheld } = parts;
  const said = checked.filter((one) => one.said).length;
  const dropped = checked.length - said;
  // Words without content answer no question; where nothing was to be looked up they may be all that there is to say.
  const isTalk = end.searched === "not_needed" && dropped === 0 && !parts.refused;
  const talked = parts.fillers.length > 0 && isTalk;
  const askedBack = parts.questions.length > 0 && !parts.refused;
  const superseding = parts.superseding !== undefined;
  const outcome = outcomeOf(
    { said, dropped, askedBack, talked, conflicting, superseding, withheld, brokenOff },
    end,
  );
  const claims = checked.map(asClaim);
  const { probability } = answerability(question, passages);
  const confidence = answerConfidence({
    claims,
    answerability: probability,
    dropped,
    degraded: end.degraded,
    outcome,
  });
  return {
    answer: {
      outcome,
      route,
      queries,
      passages,
      claims,
      uncertainties: uncertaintiesOf(outcome, claims, parts),
      confidence,
      degraded: end.degraded,
    },
    closing: closingOf(outcome, said, dropped, parts),
  };
}

/** What is said after, or instead of, what was let through. */
function closingOf(
  outcome: Outcome,
  said: number,
  dropped: number,
  { brokenOff, end, fillers, notFound, phrases, questions, withheld }: AnswerParts,
): readonly string[] {
  if (withheld || brokenOff) return [];
  if (said > 0) {
    const leftOut = outcome === "partial" && dropped > 0 && end.outcome === undefined;
    return leftOut ? [phrases.restNotCovered] : [];
  }
  // The capability has said so itself.
  if (outcome === end.outcome) return [];
  switch (outcome) {
    case "search_unavailable":
      return [phrases.searchUnavailable];
    case "not_in_documents":
      return [notFound ?? phrases.notInDocuments];
    case "ambiguous":
      return questions.slice(0, 1).map(({ text }) => text);
    case "answered":
      return fillers;
    default:
      return [];
  }
}

function asClaim({ text, check, said }: CheckedSentence): AnswerClaim {
  const evidence = check.evidence.map(({ type, source, value }) => ({ type, source, value }));
  const { verdict, reasons } = check;
  return { text, verdict, evidence, reasons, confidence: claimConfidence(check), said };
}

function uncertaintiesOf(
  outcome: Outcome,
  claims: readonly AnswerClaim[],
  { conflicting, passages, phrases, question, superseding }: AnswerParts,
): readonly Uncertainty[] {
  const { locale, verify } = phrases;
  const byChunk = new Map(passages.map((passage) => [passage.chunkId, passage]));
  const about = (reason: Uncertainty["reason"], confidence: number, suggestion: string): Uncertainty[] => [
    { claim: question, reason, confidence, suggestion },
  ];
  const unsaid = claims.filter(({ said }) => !said).map((claim) => asUncertainty(claim, byChunk, phrases));
  switch (outcome) {
    case "search_unavailable":
      return about("search_unavailable", 0, verify.later);
    case "ambiguous":
      return about("ambiguous_question", 0, verify.rephrase);
    case "conflicting":
      return [
        ...(conflicting ? about("conflicting_documents", 0, verify.person) : []),
        ...(superseding === undefined
          ? []
          : about("superseded_revision", 0, verify.source(sourceAloud(superseding, locale)))),
        ...unsaid,
      ];
    case "not_in_documents":
      return [...about("no_data", 0, verify.person), ...unsaid];
    default:
      return unsaid;
  }
}

/** A sentence that was not said: why, and where to look instead. */
function asUncertainty(
  claim: AnswerClaim,
  passages: ReadonlyMap<string, Passage>,
  { locale, verify }: Phrases,
): Uncertainty {
  const passage = passages.get(claim.evidence[0]?.source ?? "");
  const isNumber = claim.reasons.some(({ code }) => /^(?:number|unit)_/.test(code));
  return {
    claim: claim.text,
    reason: isNumber ? "unverified_number" : "inference",
    confidence: claim.confidence,
    suggestion: passage === undefined ? verify.person : verify.source(sourceAloud(passage, locale)),
  };
}
