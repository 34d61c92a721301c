/** What an answer came to, put together from what the gate saw: outcome, claims, uncertainties, confidence. Pure. */
import type { Phrases } from "../answer/phrases.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { Answer, AnswerClaim, Outcome, RouteDecision, Uncertainty } from "../domain/answer.js";
import { withAge } from "../grounding/age.js";
import type { CheckedSentence, Checker, Conclusion } from "../grounding/checker.js";
import { answerConfidence } from "../grounding/confidence/confidence.js";
import { pause } from "../lib/pause.js";
import { type NoAnswer, outcomeOf } from "./outcome.js";
import type { Release } from "./release.js";
import { spokenWords } from "./spoken-words.js";

/** What a draft tells of its search: passed on as it is. */
export type SearchEvent = Extract<
  DraftEvent,
  { readonly type: "queries" | "passages" | "step" | "proposed" }
>;

const TOLD: readonly SearchEvent["type"][] = ["queries", "passages", "step", "proposed"];

export function isSearchEvent(draft: DraftEvent): draft is SearchEvent {
  return TOLD.some((type) => type === draft.type);
}

export interface AnswerParts {
  readonly question: string;
  readonly phrases: Phrases;
  readonly route: RouteDecision;
  /** Absent: that the documents do not answer. */
  readonly notFound?: NoAnswer | undefined;
  /** What somebody is told last who may be in danger, where the documents gave nothing; nothing for all others. */
  readonly caution?: (() => string | undefined) | undefined;
  readonly end: DraftEnd;
  readonly found: readonly SearchEvent[];
  readonly conclusions: ReadonlyMap<Checker, Conclusion>;
}

export interface AnswerSoFar {
  readonly answer: Omit<Answer, "text" | "spoken">;
  /** What is still to be said: fixed phrases, small talk, or a question back. */
  readonly closing: readonly string[];
}

/** `nowMs`: when it is said, in Unix milliseconds. */
export function answerOf(parts: AnswerParts, release: Release, nowMs: number): AnswerSoFar {
  const { conclusions, end, found, route } = parts;
  const { brokenOff, doubts, fillers, judged, questions, refused, withheld } = release;
  const said = judged.filter((one) => one.said).length;
  const dropped = judged.length - said;
  // Words without content answer no question; where nothing was to be looked up they may be all that there is to say.
  const talked = fillers.length > 0 && end.searched === "not_needed" && dropped === 0 && !refused;
  const askedBack = questions.length > 0 && !refused;
  const conflicting = doubts.length > 0;
  const notFound = (end.emergency === undefined && parts.notFound?.outcome) || "not_in_documents";
  const tally = { said, dropped, askedBack, talked, conflicting, withheld, brokenOff, notFound };
  const outcome = outcomeOf(tally, end);
  const claims = judged.map((one) => asClaim(one, nowMs));
  const answerability = relevanceOf(judged, conclusions);
  const { degraded } = end;
  const passages = found.flatMap((one) => (one.type === "passages" ? one.passages : []));
  return {
    answer: {
      outcome,
      route,
      queries: found.flatMap((one) => (one.type === "queries" ? one.queries : [])),
      passages: [...new Map(passages.map((passage) => [passage.chunkId, passage])).values()],
      claims,
      uncertainties: uncertaintiesOf(outcome, parts, release, claims),
      confidence: answerConfidence({ claims, answerability, dropped, degraded, outcome }),
      degraded,
    },
    closing: [...closingOf(outcome, said, dropped, parts, release), ...cautionOf(outcome, said, parts)],
  };
}

/** The same with everything that was told, in order. */
export async function withText(
  answer: AnswerSoFar["answer"],
  told: readonly string[],
  language: string | undefined,
): Promise<Answer> {
  const spoken: string[] = [];
  for (const sentence of told) {
    await pause();
    spoken.push(spokenWords(sentence, language));
  }
  return { ...answer, text: told.join(" "), spoken: spoken.filter((words) => words !== "").join(" ") };
}

/** How likely the evidence holds what was asked for: that which bore something out, or, where none did, any. */
function relevanceOf(
  judged: readonly CheckedSentence[],
  conclusions: ReadonlyMap<Checker, Conclusion>,
): number {
  const boreOut = [...conclusions].filter(([checker]) =>
    judged.some(({ by, said }) => said && by === checker),
  );
  const counting = boreOut.length > 0 ? boreOut : [...conclusions];
  return Math.max(0, ...counting.map(([, { relevance = 0 }]) => relevance));
}

/** A report may be one of an emergency, in words that nothing here knows: it never ends with a mere refusal. */
function cautionOf(outcome: Outcome, said: number, { caution, end }: AnswerParts): readonly string[] {
  const isRefused = said === 0 && outcome !== "answered" && outcome !== "conflicting";
  const text = end.emergency === undefined && (isRefused || end.degraded) ? caution?.() : undefined;
  return text === undefined ? [] : [text];
}

/** What is said after, or instead of, what was let through. */
function closingOf(
  outcome: Outcome,
  said: number,
  dropped: number,
  { end, notFound, phrases }: AnswerParts,
  { brokenOff, fillers, questions, withheld }: Release,
): readonly string[] {
  if (withheld || brokenOff) return [];
  if (said > 0) {
    const leftOut = outcome === "partial" && dropped > 0 && end.outcome === undefined;
    return leftOut ? [phrases.restNotCovered] : [];
  }
  if (end.asks !== undefined) return [questions[0]?.text ?? end.asks];
  // The capability has said so itself.
  if (outcome === end.outcome) return [];
  switch (outcome) {
    case "search_unavailable":
      return [phrases.searchUnavailable];
    case "not_in_documents":
    case "not_offered":
      return [end.emergency ?? notFound?.text ?? phrases.notInDocuments];
    case "ambiguous":
      return questions.slice(0, 1).map(({ text }) => text);
    case "answered":
      return fillers;
    default:
      return [];
  }
}

function asClaim(sentence: CheckedSentence, nowMs: number): AnswerClaim {
  const { dated, judgement, said, saidAtMs = nowMs, text, verified } = sentence;
  const { confidence, reasons, rule, verdict } = judgement;
  const evidence = judgement.evidence.map((one) => {
    const { ageMs, source, takenAtMs, type, value } = withAge(one, saidAtMs);
    return { type, source, value, ageMs, takenAtMs };
  });
  return { text, verdict, evidence, reasons, confidence, said, verified, rule, dated };
}

/** Outcomes in which the question itself is uncertain, and how its user may find out. */
const UNCERTAIN: Partial<Record<Outcome, readonly [Uncertainty["reason"], "later" | "person" | "rephrase"]>> =
  {
    search_unavailable: ["search_unavailable", "later"],
    ambiguous: ["ambiguous_question", "rephrase"],
    not_in_documents: ["no_data", "person"],
    not_offered: ["not_offered", "person"],
  };

function uncertaintiesOf(
  outcome: Outcome,
  { phrases: { verify }, question }: AnswerParts,
  { doubts, judged }: Release,
  claims: readonly AnswerClaim[],
): readonly Uncertainty[] {
  const about = (reason: Uncertainty["reason"], suggestion: string): Uncertainty => {
    return { claim: question, reason, confidence: 0, suggestion };
  };
  const unsaid = claims.flatMap(({ confidence, said, text }, i): Uncertainty[] => {
    const { reason, suggestion } = judged[i]?.judgement.doubt ?? {
      reason: "inference",
      suggestion: verify.person,
    };
    return said ? [] : [{ claim: text, reason, confidence, suggestion }];
  });
  if (outcome === "conflicting")
    return [...doubts.map(({ reason, suggestion }) => about(reason, suggestion)), ...unsaid];
  const [reason, how = "person"] = UNCERTAIN[outcome] ?? [];
  if (reason === undefined) return unsaid;
  const isUnjudged = outcome === "search_unavailable" || outcome === "ambiguous";
  return [about(reason, verify[how]), ...(isUnjudged ? [] : unsaid)];
}
