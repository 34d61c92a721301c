/**
 * Whether the evidence carries a sentence of an answer. The sentence is aligned with the sentences of the evidence that
 * it can rest on; then everything that can be decided without understanding it is compared with them.
 */
import { atOnce, type Steps } from "../../lib/steps.js";
import { listMarkerEnd } from "../../words/quantity/quantities.js";
import { compareAmounts, type Quantity } from "../../words/quantity/quantity.js";
import type { EvidencePart, EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { languageOf } from "../language.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { conjunctsOf, textBetween } from "../sentence/conjuncts.js";
import { parsedText } from "../sentence/parse-cache.js";
import { parseSentence, type Sentence } from "../sentence/sentence.js";
import { setsApart, type Unit, unitsOf } from "../units.js";
import { type Addition, addedFinding, additionsTo, isPlaceWord } from "./additions.js";
import { candidatesFor } from "./align.js";
import { type Assent, assentOf, denied } from "./assent.js";
import type { SentenceCheck, SentenceContext, SentenceRole, Support } from "./check.js";
import { checkConditions } from "./conditions.js";
import { checkContrast } from "./contrast.js";
import { checkExclusive } from "./exclusive.js";
import { contradiction, type Finding, gap } from "./finding.js";
import { checkModality } from "./modality.js";
import { checkNames } from "./names.js";
import { checkPolarity } from "./polarity.js";
import { checkQuantifiers } from "./quantifiers.js";
import { checkQuantities } from "./quantities.js";
import { checkQuestion } from "./question.js";
import { claimBeside, roleOf } from "./role.js";
import { checkRoles } from "./roles.js";
import { substituted } from "./slots.js";
import { verbatimIn } from "./verbatim.js";
import { checkWhole } from "./whole.js";

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
  const job = { claim, question, evidence, language, said: context.said, lacks: new Set<string>() };
  const assent = assentOf(sentence, context.question);
  if (assent !== undefined) return yield* checkAssent(assent, job);
  const role = roleOf(claim);
  if (role === "filler") return harmless(role);
  if (role === "question") return checkQuestion(claim, question, evidence);
  if (role === "refusal") {
    const rest = claimBeside(sentence);
    if (rest === undefined) return harmless(role);
    return yield* checkClaim({ ...job, claim: parseSentence(rest) }, "claim");
  }
  return yield* checkClaim(job, role);
}

/** What is said besides must hold, and what is assented to: by itself, or at least not against the evidence. */
function* checkAssent({ statement, denies, rest }: Assent, job: Job): Steps<SentenceCheck> {
  const said = statement === undefined ? undefined : denies ? denied(statement) : statement;
  const whole =
    said === undefined ? undefined : yield* checkClaim({ ...job, claim: parseSentence(said) }, "claim");
  if (rest === undefined) {
    const { reason } = gap("words_not_found", "assents to what the sources do not say");
    return whole ?? { role: "claim", verdict: "unsupported", evidence: [], reasons: [reason], score: 0 };
  }
  const claim = parseSentence(rest);
  if (whole?.verdict === "contradicted") return whole;
  const check = yield* checkClaim({ ...job, claim }, roleOf(claim));
  if (check.verdict !== "supported" || said === undefined || denies || whole?.verdict === "supported")
    return check;
  const foreign = parsedText(said).words.filter(
    ({ info, term }) =>
      info.weight === "content" && !check.evidence.some(({ value }) => parsedText(value).terms.has(term)),
  );
  if (foreign.length === 0) return check;
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
  /** The sentences before it, and the parts of its own before this one. */
  readonly said: readonly string[];
  /** Terms that this part leaves out, since the part before says them: its unit must have them too. */
  readonly lacks: ReadonlySet<string>;
}

interface Attempt {
  readonly units: readonly Unit[];
  readonly findings: readonly Finding[];
  readonly carried: number;
  /** The unit says all of it, under a condition that it leaves out: no other bears it out. */
  readonly isDecided?: boolean;
}

function* checkClaim(job: Job, role: SentenceRole): Steps<SentenceCheck> {
  const { claim, evidence } = job;
  yield;
  const verbatim = verbatimIn(claim.text, evidence);
  if (verbatim !== undefined) return saidVerbatim(verbatim, role, evidence);
  const best = yield* bestOf(job);
  if (best === undefined) {
    const { reason } = gap("words_not_found", "no source speaks of this");
    return { role, verdict: "unsupported", evidence: [], reasons: [reason], score: 0 };
  }
  return resultOf(best, role, evidence);
}

/** The claim on one unit; else each part that it joins on a unit of its own; else what it tells, on several. */
function* bestOf(job: Job): Steps<Attempt | undefined> {
  const whole = yield* onOneUnit(job);
  if (whole?.findings.length === 0 || whole?.isDecided === true) return whole;
  const parts = yield* inParts(job);
  if (parts?.findings.length === 0) return parts;
  if (parts?.isDecided === true) return parts;
  return (yield* together(job)) ?? parts ?? whole;
}

/** Units that carry one statement together, at the most, and how far from each other. */
const TOGETHER_MAX = 3;
const TOGETHER_REACH = 8;

/**
 * A statement that tells what is or was, and neither orders nor allows nor limits anything, may rest on sentences of one
 * text that complete each other: none has another word in the place of what the claim takes from the others.
 */
function* together(job: Job): Steps<Attempt | undefined> {
  const { claim, evidence } = job;
  if (!onlyTells(claim)) return undefined;
  const candidates = candidatesFor(claim, evidence).filter(({ unit }) => isTold(unit));
  for (const first of candidates.slice(0, 2)) {
    yield;
    const units = [first.unit];
    let added = additionsTo(claim, units, job.lacks);
    if (
      substituted(
        claim,
        first.unit.says,
        added.map(({ token }) => token),
      ) !== undefined
    )
      return undefined;
    if (hasOwnValue(claim, first.unit.says)) continue;
    while ((added.length > 0 || isShortOfAmounts(claim, units)) && units.length < TOGETHER_MAX) {
      if (added.some(({ term, text }) => term === text.toLowerCase() && isPlaceWord(term))) break;
      const next = bestAddition(claim, units, added, evidence);
      if (next === undefined) break;
      units.push(next);
      added = additionsTo(claim, units, job.lacks);
    }
    if (units.length < 2 || added.length > 0) continue;
    const findings = yield* compare(job, units);
    if (findings.length === 0) return { units, findings, carried: first.carried };
  }
  return undefined;
}

/** Of a kind that the claim takes from elsewhere: that is of something else. */
function hasOwnValue(claim: Sentence, says: Sentence): boolean {
  const missing = claim.quantities.filter((said) => said.use !== "idiom" && !hasAmount(says, said));
  return missing.some((said) =>
    says.quantities.some(
      (known) => known.use === said.use && known.dimension === said.dimension && !hasAmount(claim, known),
    ),
  );
}

function isShortOfAmounts(claim: Sentence, units: readonly Unit[]): boolean {
  return claim.quantities.some(
    (said) => said.use !== "idiom" && !units.some(({ says }) => hasAmount(says, said)),
  );
}

function hasAmount({ quantities }: Sentence, said: Quantity): boolean {
  return quantities.some((known) => compareAmounts(said, known) === "same");
}

/** The unit near the first that has most of what is missing. */
function bestAddition(
  claim: Sentence,
  units: readonly Unit[],
  added: readonly Addition[],
  evidence: PreparedEvidence,
): Unit | undefined {
  const [first] = units;
  const { all } = unitsOf(evidence);
  let best: Unit | undefined;
  let most = 0;
  for (let at = Math.max(0, first!.index - TOGETHER_REACH); at <= first!.index + TOGETHER_REACH; at++) {
    const unit = all[at];
    if (
      unit === undefined ||
      setsApart(first!.says, unit.says) ||
      unit.says.part !== first!.says.part ||
      units.includes(unit) ||
      !isTold(unit)
    )
      continue;
    const gain =
      added.filter(({ term }) => unit.says.terms.has(term)).length +
      claim.quantities.filter(
        (said) => hasAmount(unit.says, said) && !units.some(({ says }) => hasAmount(says, said)),
      ).length;
    if (gain > most) [best, most] = [unit, gain];
  }
  return best;
}

/** A whole sentence that only tells; what stands in a row is of that row alone. */
function isTold({ isPart, says }: Unit): boolean {
  return !isPart && !/^[^;:]+:[^;]*;|=/.test(says.text) && onlyTells(says);
}

/** Neither orders, allows, forbids nor limits anything. */
function onlyTells({ clauses, infos, tokens, quantities }: Sentence): boolean {
  return (
    !infos.some(({ modality }) => modality !== undefined) &&
    infos[listMarkerEnd(tokens)]?.action !== true &&
    !clauses.some(({ kind, forbids }) => forbids || kind === "except" || kind === "only") &&
    !quantities.some(({ bound, use }) => use === "measure" && bound !== "exact" && bound !== "about")
  );
}

function* onOneUnit(job: Job): Steps<Attempt | undefined> {
  let best: Attempt | undefined;
  /** The sentence that speaks of all of it, and of which no part bears it out. */
  let decided: EvidenceSentence | undefined;
  for (const { carried, own, unit } of candidatesFor(job.claim, job.evidence)) {
    if (decided !== undefined && unit.says.part === decided.part && unit.says.index !== decided.index)
      continue;
    yield;
    const added = additionsTo(job.claim, [unit], job.lacks);
    // What says little of it is not compared any further.
    if (added.length > ADDED_MAX && best !== undefined) continue;
    const findings = yield* compare(job, [unit]);
    const attempt = { units: [unit], findings, carried };
    if (findings.length === 0) return attempt;
    if (own >= SPEAKS_MIN && findings.every(({ reason }) => reason.code === "condition_differs"))
      return { ...attempt, isDecided: true };
    if (best === undefined || findings.length < best.findings.length) best = attempt;
    // What the unit that speaks most of it contradicts, no other bears out.
    if (own >= SPEAKS_MIN && findings.some(({ verdict }) => verdict === "contradicted"))
      decided ??= unit.says;
  }
  return best;
}

/** Additions beyond which a unit is about something else. */
const ADDED_MAX = 3;

/** Share of the claim's words that a unit must say itself for its contradiction to decide. */
const SPEAKS_MIN = 0.99;

/** Undefined where the claim joins nothing, or no more than one of its parts is borne out. */
function* inParts(job: Job): Steps<Attempt | undefined> {
  const { claim } = job;
  const parts = conjunctsOf(claim);
  if (parts.length < 2 || parts.length > PARTS_MAX) return undefined;
  const attempts: Attempt[] = [];
  const said = [...job.said];
  for (const part of parts) {
    const text = textBetween(claim, part);
    const lacks = new Set([...job.lacks, ...part.lacks]);
    const attempt = yield* onOneUnit({ ...job, claim: parseSentence(text), said, lacks });
    if (attempt === undefined) return undefined;
    attempts.push(attempt);
    said.push(text);
  }
  const failed = attempts.filter(({ findings }) => findings.length > 0);
  if (failed.length === 0 && isTurnedRound(claim, attempts)) {
    const { units } = attempts[0]!;
    return {
      units,
      findings: [contradiction("order_differs", `turns the order round: "${units[0]!.says.text}"`)],
      carried: 1,
      isDecided: true,
    };
  }
  if (failed.length === 0)
    return {
      units: attempts.flatMap(({ units }) => units),
      findings: [],
      carried: Math.min(...attempts.map(({ carried }) => carried)),
    };
  return failed.length < attempts.length ? failed[0] : undefined;
}

/** "First …, then …", against the order of the parts in the source. */
function isTurnedRound({ tokens }: Sentence, attempts: readonly Attempt[]): boolean {
  if (!tokens.some(({ lower }) => /^(?:first|then|next|afterwards|finally)$/.test(lower))) return false;
  const places = attempts.map(({ units }) => units[0]!);
  return places.some(
    ({ index, says }, i) => i > 0 && says.part === places[i - 1]!.says.part && index < places[i - 1]!.index,
  );
}

/** More parts are a list that is looked at as a whole. */
const PARTS_MAX = 8;

/** Below this, a sentence that differs speaks of something else: it is not contradicted, just not known. */
const SAME_SUBJECT_MIN = 0.4;

function resultOf(
  { units, findings, carried }: Attempt,
  role: SentenceRole,
  evidence: PreparedEvidence,
): SentenceCheck {
  const contradicts = carried >= SAME_SUBJECT_MIN && findings.some((one) => one.verdict === "contradicted");
  const verdict = findings.length === 0 ? "supported" : contradicts ? "contradicted" : "unsupported";
  const sentences = [...new Map(units.map(({ says }) => [says.index, says])).values()];
  return {
    role: role === "claim" ? roleByEvidence(sentences[0]!) : role,
    verdict,
    evidence: sentences.map((one) => supportOf(one, evidence)),
    reasons: findings.map(({ reason }) => reason),
    score: carried / 2 ** findings.length,
  };
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

function roleByEvidence({ step, isWarning }: EvidenceSentence): SentenceRole {
  if (isWarning) return "warning";
  return step === undefined ? "claim" : "step";
}

/** All that is wrong with the claim as a restatement of the units, the first of which says most of it. */
function* compare(job: Job, units: readonly Unit[]): Steps<Finding[]> {
  const { claim, evidence, question, said } = job;
  const [unit] = units;
  const { says } = unit!;
  const { language: there } = evidence.parts[says.part]!;
  if (says.excess !== undefined)
    return [gap("not_checked", `rests on a sentence of the source that has ${says.excess}`)];
  const window = units.map((one) => one.says);
  const decidable = [
    ...(yield* checkQuantities(claim, window, evidence, question)),
    ...checkNames(claim, { window, evidence, question }),
  ];
  yield;
  if (job.language !== undefined && there !== undefined && job.language !== there) {
    const other = `says it in another language (${job.language}) than the source (${there})`;
    return [...decidable, gap("other_language", other)];
  }
  const before = said.slice(-SAID_MAX).map(parsedText);
  const around = new Set([question, ...before].flatMap(({ terms }) => [...terms]));
  return [
    ...decidable,
    ...checkWhole(claim, window, evidence),
    ...checkPolarity(claim, window),
    ...checkModality(claim, window),
    ...checkConditions(claim, says, [question, ...before]),
    ...checkRoles(claim, window),
    ...checkQuantifiers(claim, window),
    ...checkExclusive(claim, says, around),
    ...checkContrast(claim, unit!, [question, ...before.slice(-1)], evidence),
    ...addedFinding(additionsTo(claim, units, job.lacks), claim, says, evidence),
  ];
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
