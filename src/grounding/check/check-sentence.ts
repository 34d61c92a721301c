/**
 * Whether the evidence carries a sentence of an answer. The sentence is aligned with the sentences of the evidence that
 * it can rest on; then everything that can be decided without understanding it is compared with them.
 */
import { atOnce, type Steps } from "../../lib/steps.js";
import type { EvidencePart, EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { languageOf } from "../language.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { parsedText } from "../sentence/parse-cache.js";
import { parseSentence, type Sentence } from "../sentence/sentence.js";
import { type Alignment, align, type Weights, weightsOf } from "./align.js";
import type { SentenceCheck, SentenceContext, SentenceRole, Support } from "./check.js";
import { checkConditions } from "./conditions.js";
import { checkExclusive } from "./exclusive.js";
import { type Finding, gap } from "./finding.js";
import { checkFragment } from "./fragment.js";
import { checkModality } from "./modality.js";
import { checkNameSlots } from "./name-slots.js";
import { checkNames } from "./names.js";
import { checkPolarity } from "./polarity.js";
import { checkQuantifiers } from "./quantifiers.js";
import { checkQuantities } from "./quantities.js";
import { checkQuestion } from "./question.js";
import { claimBeside, roleOf } from "./role.js";
import { checkRoles } from "./roles.js";
import { checkSlots } from "./slots.js";
import { verbatimIn } from "./verbatim.js";
import { checkWhole } from "./whole.js";
import { carriedShare, checkWords } from "./words.js";

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
  sentence: string,
  evidence: PreparedEvidence,
  context: SentenceContext,
): Steps<SentenceCheck> {
  const language = languageOf(sentence);
  const claim = parseSentence(sentence, 0, sentence.length, language ?? "en");
  if (claim.excess !== undefined) return notChecked(`has ${claim.excess}`, claim);
  const question = parsedText(context.question);
  const around = new Set([
    ...question.terms,
    ...context.said.slice(-SAID_MAX).flatMap((text) => [...parsedText(text).terms]),
  ]);
  const role = roleOf(claim);
  if (role === "filler") return harmless(role);
  if (role === "question") return checkQuestion(claim, question, evidence);
  if (role === "refusal") {
    const rest = claimBeside(sentence);
    if (rest === undefined) return harmless(role);
    return yield* checkClaim({ claim: parseSentence(rest), question, evidence, language, around }, "claim");
  }
  return yield* checkClaim({ claim, question, evidence, language, around }, role);
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
  const { reason } = gap("not_checked", `is not checked, since it ${why}`);
  // An instruction takes its procedure along; everything else is a claim, whatever it begins with.
  const counts = role === "step" || role === "warning" ? role : "claim";
  return { role: counts, verdict: "unsupported", evidence: [], reasons: [reason], score: 0 };
}

function harmless(role: SentenceRole): SentenceCheck {
  return { role, verdict: "supported", evidence: [], reasons: [], score: 1 };
}

interface Job {
  readonly claim: Sentence;
  readonly question: Sentence;
  readonly evidence: PreparedEvidence;
  readonly language: string | undefined;
  /** Terms of the question and of the sentences before, in which a condition may have been said. */
  readonly around: ReadonlySet<string>;
}

interface Attempt {
  readonly alignment: Alignment;
  readonly findings: readonly Finding[];
  readonly carried: number;
}

function* checkClaim(job: Job, role: SentenceRole): Steps<SentenceCheck> {
  const { claim, evidence } = job;
  yield;
  const verbatim = verbatimIn(claim.text, evidence);
  if (verbatim !== undefined) return saidVerbatim(verbatim, role, evidence);
  const weights = weightsOf(claim, evidence);
  const attempts: Attempt[] = [];
  for (const alignment of align(claim, weights, evidence)) {
    yield;
    const attempt = yield* tryAlignment(job, alignment, weights, role === "step" || role === "warning");
    attempts.push(attempt);
    if (attempt.findings.length === 0) break;
  }
  const best = attempts.find(({ findings }) => findings.length === 0) ?? attempts[0];
  if (best === undefined) {
    const { reason } = gap("words_not_found", "no source speaks of this");
    return { role, verdict: "unsupported", evidence: [], reasons: [reason], score: 0 };
  }
  return resultOf(best, role, evidence);
}

function saidVerbatim(
  window: readonly EvidenceSentence[],
  role: SentenceRole,
  evidence: PreparedEvidence,
): SentenceCheck {
  return {
    role: role === "claim" ? roleByEvidence(window[0]!) : role,
    verdict: "supported",
    evidence: window.map((one) => supportOf(one, evidence)),
    reasons: [],
    score: 1,
  };
}

/** Below this, a sentence that differs speaks of something else: it is not contradicted, just not known. */
const SAME_SUBJECT_MIN = 0.4;

function resultOf(
  { alignment, findings, carried }: Attempt,
  role: SentenceRole,
  evidence: PreparedEvidence,
): SentenceCheck {
  const contradicts = carried >= SAME_SUBJECT_MIN && findings.some((one) => one.verdict === "contradicted");
  const verdict = findings.length === 0 ? "supported" : contradicts ? "contradicted" : "unsupported";
  const first = alignment.window[0]!;
  return {
    role: role === "claim" ? roleByEvidence(first) : role,
    verdict,
    evidence: alignment.window.map((one) => supportOf(one, evidence)),
    reasons: findings.map(({ reason }) => reason),
    score: carried / 2 ** findings.length,
  };
}

function roleByEvidence({ step, isWarning }: EvidenceSentence): SentenceRole {
  if (isWarning) return "warning";
  return step === undefined ? "claim" : "step";
}

function* tryAlignment(
  job: Job,
  alignment: Alignment,
  weights: Weights,
  isInstruction: boolean,
): Steps<Attempt> {
  const { claim, question, evidence } = job;
  const { window } = alignment;
  const sources = { window, evidence, question };
  const { language: there } = evidence.parts[window[0]!.part]!;
  const whole = window.find(({ excess }) => excess !== undefined);
  if (whole !== undefined) {
    const finding = gap("not_checked", `rests on a sentence of the source that has ${whole.excess}`);
    return { alignment, findings: [finding], carried: 0 };
  }
  const carried = carriedShare(claim, alignment, weights, evidence, question);
  const decidable = [
    ...(yield* checkQuantities(claim, window, evidence, question)),
    ...checkNames(claim, sources),
  ];
  yield;
  if (job.language !== undefined && there !== undefined && job.language !== there) {
    const other = gap(
      "other_language",
      `says it in another language (${job.language}) than the source (${there})`,
    );
    return { alignment, findings: [...decidable, other], carried };
  }
  const { around } = job;
  const findings = [
    ...decidable,
    ...checkWhole(claim, window, evidence),
    ...checkPolarity(claim, window),
    ...checkModality(claim, window),
    ...checkConditions(claim, window, around),
    ...checkRoles(claim, window),
    ...checkQuantifiers(claim, window),
    ...checkExclusive(claim, window, around),
    ...checkNameSlots(claim, window, evidence),
    ...checkSlots(claim, window, knownTerms(evidence, window)),
    ...checkFragment(claim, question, window, knownTerms(evidence, window)),
    ...checkWords(claim, alignment, weights, evidence, question, isInstruction),
  ];
  return { alignment, findings, carried };
}

/** Terms of the title and headings of the text that the sentence rests on. */
function knownTerms({ parts }: PreparedEvidence, window: readonly EvidenceSentence[]): ReadonlySet<string> {
  return parts[window[0]!.part]!.around;
}

/** Sentences before this one that a condition may have been said in. */
const SAID_MAX = 3;

function supportOf({ part, start, end, step }: EvidenceSentence, { parts }: PreparedEvidence): Support {
  return supportAt(parts[part]!, start, end, step);
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
