/**
 * Checks what an answer says of a site's systems against what was read from them: a snapshot of what changes rarely,
 * results of tools, and the user's own words. Value, subject, polarity, unit and age are compared, never words alone.
 * What is true now takes a reading of a tool that is fresh; an inference has to be marked as one, and stays uncertain.
 */
import type {
  Claim,
  Evidence,
  Reason,
  Uncertainty,
  UncertaintyReason,
  Verdict,
} from "../../domain/answer.js";
import { splitSentences } from "../../lib/sentence-end.js";
import { atOnce, gently, type Steps, type WorkBudget } from "../../lib/steps.js";
import { gap } from "../check/finding.js";
import { answerConfidence, claimConfidence } from "../confidence/confidence.js";
import { CLAUSE_CHARS_MAX, SENTENCE_CHARS_MAX } from "../limits.js";
import { type ClaimStatement, readSentence } from "./claims.js";
import { type ClaimClause, clauseOf } from "./clause.js";
import { type Facts, FRESH_AGE_MAX_MS, readFacts, type SystemState, type ToolReading } from "./facts.js";
import type { PartResult } from "./finding.js";
import { checkFigures } from "./measures.js";
import { isUsual, knownNames, type Mention } from "./names.js";
import { checkNetwork } from "./network.js";
import { checkStates } from "./states.js";
import { suggestionFor } from "./suggestion.js";
import { type ClaimWord, looksLikeIdentifier } from "./text.js";
import { userSentenceFor } from "./user.js";
import { checkValue } from "./values.js";

/** What claims may rest on. */
export interface Readings {
  readonly state?: SystemState;
  /** Newest last or first: what counts is `ageMs`. */
  readonly tools: readonly ToolReading[];
  /** What the user said in this turn. */
  readonly user: string;
  /** The time at which it is checked, in Unix milliseconds, for the age of the snapshot. */
  readonly nowMs?: number;
  /** Milliseconds since the readings were handed in, which they are older by; absent: none. */
  readonly sinceMs?: () => number;
}

/** A claim with whether it was said as an inference. */
export interface ReadingClaim extends Claim {
  readonly isInference: boolean;
}

/** `conflicting`: readings of one age disagree. `no_claim`: nothing was said that could be true or false. */
export type AnswerVerdict = Verdict | "conflicting" | "no_claim";

export interface ReadingsVerdict {
  /** The answer that was checked, unchanged. */
  readonly answer: string;
  /** That of the worst claim: contradicted, conflicting, unsupported, supported. */
  readonly verdict: AnswerVerdict;
  readonly claims: readonly ReadingClaim[];
  readonly uncertainties: readonly Uncertainty[];
  /** 0–1: how likely all that was said is right; 0.5 where nothing was. */
  readonly confidence: number;
}

export function checkReadings(answer: string, readings: Readings): ReadingsVerdict {
  const site = atOnce(siteInSteps(readings));
  const said: string[] = [];
  const checks: SentenceReadings[] = [];
  for (const sentence of splitSentences(answer)) {
    checks.push(atOnce(checkInSteps(sentence, site, said)));
    said.push(sentence);
  }
  return verdictOn(answer, checks, readings.tools);
}

/** As `checkReadings`, sharing the event loop; what is left when the budget is spent is unsupported: `not_checked`. */
export async function checkReadingsGently(
  answer: string,
  readings: Readings,
  budget: WorkBudget,
): Promise<ReadingsVerdict> {
  const site = await gently(siteInSteps(readings), budget);
  const said: string[] = [];
  const checks: SentenceReadings[] = [];
  for (const sentence of splitSentences(answer)) {
    const check = site && (await gently(checkInSteps(sentence, site, said), budget));
    checks.push(check ?? unchecked(sentence, readings.user));
    said.push(sentence);
  }
  return verdictOn(answer, checks, readings.tools);
}

function unchecked(sentence: string, user: string): SentenceReadings {
  const { admissions, claims } = readSentence(sentence, user);
  return { admissions, claims: claims.map((one) => notChecked(one, "the time for checking is over")) };
}

/** Readings taken apart. */
export interface SiteFacts {
  readonly user: string;
  readonly facts: Facts;
  readonly known: ReadonlySet<string>;
  /** What the user asked about. */
  readonly asked: readonly Mention[];
  /** What earlier sentences were about, as far as they were looked at. */
  readonly mentions: Map<string, readonly Mention[]>;
}

export function* siteInSteps(readings: Readings): Steps<SiteFacts> {
  const { user } = readings;
  const facts = yield* readFacts(readings);
  const known = yield* knownNames(facts);
  yield;
  const asked = askedAbout(user.slice(0, SENTENCE_CHARS_MAX), facts, known);
  yield;
  return { user, facts, known, asked, mentions: new Map() };
}

/** What readings say of the claims of one sentence, and what it admits not to know. */
export interface SentenceReadings {
  readonly claims: readonly ReadingClaim[];
  readonly admissions: readonly string[];
}

/** Checks one sentence. `said`: those before it in the same answer, for what "it" is. */
export function* checkInSteps(
  sentence: string,
  site: SiteFacts,
  said: readonly string[],
): Steps<SentenceReadings> {
  const { admissions, claims } = readSentence(sentence, site.user);
  let context = claims.length === 0 ? [] : yield* spokenOf(said, site);
  const checks: ReadingClaim[] = [];
  for (const statement of claims) {
    yield;
    const why = tooMuch(statement, site);
    if (why !== undefined) {
      checks.push(notChecked(statement, why));
      continue;
    }
    const clause = clauseOf(statement, site.facts, site.known, context);
    if (clause.mentions.length > 0) context = clause.mentions;
    checks.push(yield* checked(clause, site.user));
  }
  return { claims: checks, admissions };
}

/** What was last spoken of: in the sentences before, or else by the user. */
function* spokenOf(said: readonly string[], site: SiteFacts): Steps<readonly Mention[]> {
  for (const sentence of said.slice(-REFERENT_SENTENCES_MAX).reverse()) {
    let mentions = site.mentions.get(sentence);
    if (mentions === undefined) {
      yield;
      mentions = mentionsOf(sentence, site);
      site.mentions.set(sentence, mentions);
    }
    if (mentions.length > 0) return mentions;
  }
  return site.asked;
}

/** What was spoken of before so many sentences is not what "it" is. */
const REFERENT_SENTENCES_MAX = 40;

function mentionsOf(sentence: string, site: SiteFacts): readonly Mention[] {
  const clauses = readSentence(sentence, site.user)
    .claims.filter((statement) => tooMuch(statement, site) === undefined)
    .map((statement) => clauseOf(statement, site.facts, site.known, []));
  return clauses.findLast(({ mentions }) => mentions.length > 0)?.mentions ?? [];
}

/** Why a statement is not checked. */
function tooMuch({ content }: ClaimStatement, { facts }: SiteFacts): string | undefined {
  if (facts.excess !== undefined) return `the readings have ${facts.excess}`;
  return content.length > CLAUSE_CHARS_MAX ? `it has more than ${CLAUSE_CHARS_MAX} characters` : undefined;
}

function notChecked(statement: ClaimStatement, why: string): ReadingClaim {
  const { reason } = gap("not_checked", `is not checked, since ${why}`);
  return claimOf(statement, { verdict: "unsupported", evidence: [], reasons: [reason] });
}

function verdictOn(
  answer: string,
  checks: readonly SentenceReadings[],
  tools: readonly ToolReading[],
): ReadingsVerdict {
  const claims = checks.flatMap((check) => check.claims);
  const admissions = checks.flatMap((check) => check.admissions);
  const uncertainties = [
    ...claims.flatMap((claim) => uncertaintyOf(claim, tools)),
    ...admissions.map((sentence) => admitted(sentence, tools)),
  ];
  return { answer, verdict: worst(claims), claims, uncertainties, confidence: confidenceOf(claims) };
}

/** What "it" may be: the things that the user asked about. */
function askedAbout(user: string, facts: Facts, known: ReadonlySet<string>): readonly Mention[] {
  const said: ClaimStatement = {
    text: user,
    content: user,
    isInference: false,
    tense: "present",
    attribution: "none",
    citedSource: undefined,
  };
  return clauseOf(said, facts, known, []).mentions.filter(({ isKnown }) => isKnown);
}

function* checked(clause: ClaimClause, user: string): Steps<ReadingClaim> {
  const { statement } = clause;
  yield;
  if (statement.attribution !== "none") return yield* attributed(clause, user);
  return claimOf(statement, yield* verdictOf(clause));
}

interface PartCheck {
  readonly verdict: Verdict;
  readonly evidence: readonly Evidence[];
  readonly reasons: readonly Reason[];
}

/** All parts of a clause have to hold, and every figure and name in it has to be accounted for. */
function* verdictOf(clause: ClaimClause): Steps<PartCheck> {
  const figures = yield* checkFigures(clause);
  const network = yield* checkNetwork(clause);
  const spans = [...figures.map(({ quantity }) => quantity), ...network];
  const isTaken = ({ start }: ClaimWord) => spans.some((span) => span.start <= start && start < span.end);
  const isCount = figures.length > 0 && clause.mentions.length === 0;
  const states = isCount ? [] : yield* checkStates(clause);
  yield;
  const value = checkValue(clause, isTaken);
  const counted = figures.filter(
    ({ quantity }) => !network.some(({ end, start }) => start <= quantity.start && quantity.start < end),
  );
  const parts = [
    ...counted.map(({ result }) => result),
    ...network.map(({ result }) => result),
    ...states,
    ...(value === undefined ? [] : [value.result]),
  ];
  const left = unaccounted(clause, (token) => isTaken(token) || value?.used.includes(token) === true);
  const outcome = together([...parts, ...left], clause);
  return withSource(inTense(outcome, clause), clause);
}

function together(parts: readonly PartResult[], clause: ClaimClause): PartCheck {
  const evidence = parts.flatMap((part) => part.evidence);
  const reasons = parts.flatMap((part) => part.reasons);
  if (parts.some(({ type }) => type === "opposed")) return { verdict: "contradicted", evidence, reasons };
  if (parts.length === 0 || parts.some(({ type }) => type === "unknown")) {
    const nothing: Reason = {
      code: "words_not_found",
      text: `no reading tells that ${clause.statement.content}`,
    };
    return { verdict: "unsupported", evidence, reasons: reasons.length > 0 ? reasons : [nothing] };
  }
  return { verdict: "supported", evidence, reasons };
}

/** Figures and names that no check has dealt with: something is said of them, and nothing is known. */
function unaccounted(
  { mentions, tokens }: ClaimClause,
  isTaken: (token: ClaimWord) => boolean,
): readonly PartResult[] {
  return tokens
    .filter((token, i) => {
      if (isTaken(token) || isUsual(token.word)) return false;
      if (mentions.some(({ end, start }) => start <= token.start && token.start < end)) return false;
      return (
        looksLikeIdentifier(token.text) || (i > 0 && /^\p{Lu}/u.test(token.text) && !/^I\b/.test(token.text))
      );
    })
    .map(({ text }) => ({
      type: "unknown" as const,
      evidence: [],
      reasons: [
        {
          code: /\p{N}/u.test(text) ? ("number_unknown" as const) : ("name_unknown" as const),
          text: `no reading has ${text} here`,
        },
      ],
    }));
}

/** What is so now tells little of what was, and nothing of what will be. */
function inTense(outcome: PartCheck, { statement: { tense } }: ClaimClause): PartCheck {
  if (tense === "present" || (tense === "past" && outcome.verdict === "supported")) return outcome;
  if (outcome.verdict === "unsupported") return outcome;
  const text = `the readings tell what is, not what ${tense === "past" ? "was" : "will be"}`;
  return { verdict: "unsupported", evidence: outcome.evidence, reasons: [{ code: "stale", text }] };
}

/** A source that is named has to be the one that says it. */
function withSource(outcome: PartCheck, { statement: { citedSource }, facts }: ClaimClause): PartCheck {
  if (citedSource === undefined || outcome.verdict !== "supported") return outcome;
  const cited = citedSource.toLowerCase().replace(/[\s-]+/g, "_");
  const names = new Set([...facts.facts, ...facts.listings].map(({ origin }) => origin.name.toLowerCase()));
  const isState = /\b(?:state|snapshot)\b/i.test(citedSource);
  const isTool = names.has(cited) || /_/.test(citedSource);
  if (!isState && !isTool) return outcome;
  const fits = outcome.evidence.some(({ source, type }) =>
    isState && !isTool ? type === "system_state" : source.toLowerCase() === cited,
  );
  const text = `names ${citedSource} as its source, which does not say this`;
  return fits
    ? outcome
    : { ...outcome, verdict: "unsupported", reasons: [{ code: "identifier_unknown", text }] };
}

/** "You said that …": held against the user's words; where it is taken for a fact, against the readings as well. */
function* attributed(clause: ClaimClause, user: string): Steps<ReadingClaim> {
  const { statement } = clause;
  const sentence = userSentenceFor(statement, user);
  if (sentence === undefined) {
    const text = `the user ${statement.attribution === "asked" ? "did not ask" : "did not say"} this`;
    return claimOf(statement, {
      verdict: "unsupported",
      evidence: [],
      reasons: [{ code: "words_not_found", text }],
    });
  }
  const evidence: Evidence = { type: "user_input", source: "user", value: sentence, ageMs: 0 };
  const reported = /^(?:as|like|since|because|according|based|from|going)\b/i.test(statement.text)
    ? yield* verdictOf(clause)
    : undefined;
  if (reported?.verdict === "contradicted")
    return claimOf(statement, { ...reported, evidence: [...reported.evidence, evidence] });
  return claimOf(statement, { verdict: "supported", evidence: [evidence], reasons: [] });
}

function claimOf(
  { isInference, text }: ClaimStatement,
  { evidence, reasons, verdict }: PartCheck,
): ReadingClaim {
  const score = scoreOf(verdict, evidence, reasons);
  return { text, verdict, evidence, reasons, isInference, confidence: claimConfidence({ verdict, score }) };
}

/** How much age and doubts take from a match, 0–1. */
function scoreOf(verdict: Verdict, evidence: readonly Evidence[], reasons: readonly Reason[]): number {
  if (verdict === "unsupported") return evidence.length > 0 ? HALF : 0;
  const oldest = Math.max(0, ...evidence.map(({ ageMs = 0 }) => ageMs));
  const aged = 1 - AGE_MALUS * Math.min(1, oldest / FRESH_AGE_MAX_MS);
  return verdict === "supported" ? aged * (reasons.length > 0 ? HALF : 1) : 1 - aged;
}

const HALF = 0.5;
const AGE_MALUS = 0.3;

export function worst(claims: readonly ReadingClaim[]): AnswerVerdict {
  if (claims.length === 0) return "no_claim";
  if (claims.some(({ verdict }) => verdict === "contradicted")) return "contradicted";
  if (claims.some(isConflict)) return "conflicting";
  return claims.some(({ verdict }) => verdict === "unsupported") ? "unsupported" : "supported";
}

function isConflict({ reasons, verdict }: ReadingClaim): boolean {
  return verdict === "unsupported" && reasons.some(({ code }) => code === "readings_disagree");
}

/** Nothing was said, so nothing is known of its being right. */
const NOTHING_SAID_CONFIDENCE = 0.5;

function confidenceOf(claims: readonly ReadingClaim[]): number {
  if (claims.length === 0) return NOTHING_SAID_CONFIDENCE;
  const said = claims.map(({ confidence }) => ({ confidence, said: true }));
  return answerConfidence({ claims: said, answerability: 1, dropped: 0, degraded: false });
}

export function uncertaintyOf(claim: ReadingClaim, tools: readonly ToolReading[]): readonly Uncertainty[] {
  if (claim.verdict === "supported") return [];
  const suggestion = suggestionFor(claim.text, claim.evidence, tools);
  return [{ claim: claim.text, reason: reasonOf(claim), confidence: claim.confidence, suggestion }];
}

function reasonOf(claim: ReadingClaim): UncertaintyReason {
  const codes = claim.reasons.map(({ code }) => code);
  if (claim.verdict === "contradicted" || isConflict(claim)) return "conflicting_readings";
  if (codes.includes("stale")) return "stale_reading";
  if (claim.isInference) return "inference";
  return codes.includes("number_unknown") ? "unverified_number" : "no_data";
}

function admitted(sentence: string, tools: readonly ToolReading[]): Uncertainty {
  return {
    claim: sentence,
    reason: "no_data",
    confidence: NOTHING_SAID_CONFIDENCE,
    suggestion: suggestionFor(sentence, [], tools),
  };
}
