/**
 * Whether the evidence carries a sentence of an answer. The sentence is aligned with the sentences of the evidence that
 * it can rest on; then everything that can be decided without understanding it is compared with them.
 */
import { atOnce, type Steps } from "../../lib/steps.js";
import type { EvidencePart, EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { languageOf } from "../language.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { parsedText, parseSentence, type Sentence } from "../sentence/sentence.js";
import { type Assent, assentOf, denied } from "./assent.js";
import { type Attempt, bestOf } from "./basis.js";
import {
  type Finding,
  gap,
  type SentenceCheck,
  type SentenceContext,
  type SentenceRole,
  type Support,
} from "./check.js";
import type { ClaimJob } from "./compare.js";
import { behindReport, isLeadIn } from "./frame.js";
import { checkQuestion } from "./question.js";
import { claimBeside, roleOf } from "./role.js";
import { verbatimIn } from "./verbatim.js";

/** Checks one sentence of an answer. Pure: the same arguments give the same result. */
export function checkSentence(
  sentence: string,
  evidence: PreparedEvidence,
  context: SentenceContext,
): SentenceCheck {
  return atOnce(checkInSteps(sentence, evidence, context));
}

/** As `checkSentence`, place by place where the evidence may say it. */
export function* checkInSteps(
  whole: string,
  evidence: PreparedEvidence,
  context: SentenceContext,
): Steps<SentenceCheck> {
  const sentence = behindReport(whole);
  const language = languageOf(sentence);
  const claim = parseSentence(sentence, 0, sentence.length, language ?? "en");
  if (claim.excess !== undefined) return notChecked(`has ${claim.excess}`, claim);
  const question = parsedText(context.question);
  const job = { claim, question, evidence, language, said: context.said };
  const assent = assentOf(sentence, context.question);
  if (assent !== undefined) return yield* checkAssent(assent, job);
  const role = roleOf(claim);
  if (role === "filler" || isLeadIn(claim, question, evidence)) return harmless("filler");
  if (role === "question") return checkQuestion(claim, question, evidence);
  if (role === "refusal") {
    const rest = claimBeside(sentence);
    if (rest === undefined) return harmless(role);
    return yield* checkClaim({ ...job, claim: parseSentence(rest) }, "claim");
  }
  return yield* checkClaim(job, role);
}

/** What is said besides must hold, and what is assented to: by itself, or at least not against the evidence. */
function* checkAssent({ statement, denies, rest }: Assent, job: ClaimJob): Steps<SentenceCheck> {
  const said = statement === undefined ? undefined : denies ? denied(statement) : statement;
  const whole =
    said === undefined ? undefined : yield* checkClaim({ ...job, claim: parseSentence(said) }, "claim");
  if (rest === undefined)
    return whole ?? unsupported("claim", gap("words_not_found", "assents to what the sources do not say"));
  const claim = parseSentence(rest);
  if (whole?.verdict === "contradicted") return whole;
  const check = yield* checkClaim({ ...job, claim }, roleOf(claim));
  const isBorneOut = said === undefined || denies || whole?.verdict === "supported";
  if (check.verdict !== "supported" || isBorneOut) return check;
  const { reason } = gap("words_not_found", `assents to "${said}", which the source does not say`);
  return { ...check, verdict: "unsupported", reasons: [reason] };
}

/** The check of a sentence that is too long to be looked at whole. */
export function tooLong(beginning: string): SentenceCheck {
  const text = beginning.slice(0, ROLE_CHARS);
  return notChecked(`has more than ${SENTENCE_CHARS_MAX} characters`, parseSentence(text));
}

/** The check of a sentence for which no computing time is left. */
export function outOfTime(sentence: string): SentenceCheck {
  return notChecked("comes when the time for checking is over", parseSentence(sentence.slice(0, ROLE_CHARS)));
}

/** The beginning of a sentence tells whether it is an instruction, in UTF-16 units. */
const ROLE_CHARS = 200;

/** What is not looked at is not borne out: `why` is for a person who audits the answer. */
function notChecked(why: string, claim: Sentence): SentenceCheck {
  const role = roleOf(claim);
  // An instruction takes its procedure along; everything else is a claim, whatever it begins with.
  const counts = role === "step" || role === "warning" ? role : "claim";
  return unsupported(counts, gap("not_checked", `is not checked, since it ${why}`));
}

export function unsupported(role: SentenceRole, { reason }: Finding): SentenceCheck {
  return { role, verdict: "unsupported", evidence: [], reasons: [reason], score: 0 };
}

export function harmless(role: SentenceRole): SentenceCheck {
  return { role, verdict: "supported", evidence: [], reasons: [], score: 1 };
}

function* checkClaim(job: ClaimJob, role: SentenceRole): Steps<SentenceCheck> {
  const { claim, evidence } = job;
  yield;
  const verbatim = verbatimIn(claim.text, evidence);
  if (verbatim !== undefined)
    return { ...restingOn(verbatim, role, evidence), verdict: "supported", reasons: [], score: 1 };
  const best = yield* bestOf(job);
  return best === undefined ? unsupported(role, NOTHING_FOUND) : resultOf(best, role, evidence);
}

export const NOTHING_FOUND = gap("words_not_found", "no source speaks of this");

/** Below this, a sentence that differs speaks of something else: it is not contradicted, just not known. */
const SAME_SUBJECT_MIN = 0.4;

function resultOf(best: Attempt, role: SentenceRole, evidence: PreparedEvidence): SentenceCheck {
  const { units, findings, carried } = best;
  const contradicts = carried >= SAME_SUBJECT_MIN && findings.some((one) => one.verdict === "contradicted");
  const verdict = findings.length === 0 ? "supported" : contradicts ? "contradicted" : "unsupported";
  const sentences = [...new Map(units.map(({ says }) => [says.index, says])).values()];
  return {
    ...restingOn(sentences, role, evidence),
    verdict,
    reasons: findings.map(({ reason }) => reason),
    score: carried / 2 ** findings.length,
  };
}

function restingOn(sentences: readonly EvidenceSentence[], role: SentenceRole, evidence: PreparedEvidence) {
  const { isWarning, step } = sentences[0]!;
  const byEvidence: SentenceRole = isWarning ? "warning" : step === undefined ? "claim" : "step";
  return {
    role: role === "claim" ? byEvidence : role,
    evidence: sentences.map((one) => supportAt(evidence.parts[one.part]!, one.start, one.end, one.step)),
  };
}

/** The words of a source from `start` to `end` as support. */
export function supportAt(
  { source: { source, takenAtMs, text, type } }: EvidencePart,
  start: number,
  end: number,
  step?: number,
): Support {
  return {
    source,
    type,
    value: text.slice(start, end),
    start,
    end,
    ...(step === undefined ? {} : { step }),
    ...(takenAtMs === undefined ? {} : { takenAtMs }),
  };
}
