/** What all checkers together say of a sentence: what none bears out is not borne out, and one that contradicts counts. */
import type { Steps } from "../lib/steps.js";
import { claimsNothing, type SentenceCheck, type SentenceContext } from "./check/check.js";
import { NOTHING_FOUND, outOfTime, unsupported } from "./check/check-sentence.js";
import { type Checker, type DraftedSentence, isInstruction, type Judgement } from "./checker.js";
import { claimConfidence } from "./confidence/confidence.js";

/** A judgement with the checker whose word it is; nobody's where none had anything to say. */
export interface AttributedJudgement {
  readonly judgement: Judgement;
  readonly by: Checker | undefined;
}

export function* judgeInSteps(
  sentence: DraftedSentence,
  context: SentenceContext,
  checkers: readonly Checker[],
): Steps<AttributedJudgement> {
  const all: AttributedJudgement[] = [];
  for (const by of checkers) {
    const judgement = yield* by.check(sentence, context);
    if (judgement !== undefined) all.push({ judgement, by });
  }
  return joined(all) ?? { judgement: UNKNOWN, by: undefined };
}

/** Where one checker finds a claim, that another takes it for words without content does not count. */
function joined(all: readonly AttributedJudgement[]): AttributedJudgement | undefined {
  const claims = all.filter(({ judgement }) => !claimsNothing(judgement));
  const withVerdict = (wanted: Judgement["verdict"]) =>
    claims.find(({ judgement }) => judgement.verdict === wanted);
  const contradiction = withVerdict("contradicted");
  if (contradiction === undefined) return withVerdict("supported") ?? mostSure(claims) ?? all[0];
  const instruction = claims.find(({ judgement }) => isInstruction(judgement)) ?? contradiction;
  if (instruction === contradiction) return contradiction;
  // A step that is contradicted takes its procedure along, whoever contradicts it.
  const { role, waits } = instruction.judgement;
  return { ...contradiction, judgement: { ...contradiction.judgement, role, waits: waits === true } };
}

/** The one by which it is most nearly borne out. */
function mostSure(claims: readonly AttributedJudgement[]): AttributedJudgement | undefined {
  return claims.toSorted((a, b) => b.judgement.confidence - a.judgement.confidence)[0];
}

/** The judgement that a check of the words alone comes to. */
export function judgementOf(check: SentenceCheck): Judgement {
  const { evidence, reasons, role, verdict } = check;
  return { role, verdict, evidence, reasons, confidence: claimConfidence(check) };
}

/** Of a sentence for which no computing time is left. */
export function unjudged(sentence: DraftedSentence): AttributedJudgement {
  return { judgement: judgementOf(outOfTime(sentence.text)), by: undefined };
}

/** The judgement of a sentence that the rules let through and the second reader denies. */
export function denied({ confidence, before: _, ...judgement }: Judgement): Judgement {
  const text = "the second reader says that the source does not say this";
  const reasons = [{ code: "denied", text } as const];
  return { ...judgement, verdict: "unsupported", reasons, confidence: Math.min(confidence, DENIED_MAX) };
}

/** As sure as of a sentence of which nothing was found. */
const DENIED_MAX = claimConfidence({ verdict: "unsupported", score: 0 });

const UNKNOWN = judgementOf(unsupported("claim", NOTHING_FOUND));
