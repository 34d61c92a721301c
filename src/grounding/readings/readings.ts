/**
 * Checks what an answer says of a site's systems against what was read from them: a snapshot of what changes rarely,
 * results of tools, and the user's own words. Value, subject, polarity, unit and age are compared, never words alone.
 * What is true now takes a reading of a tool that is fresh; an inference has to be marked as one, and stays uncertain.
 */
import type { Claim, Uncertainty, UncertaintyReason, Verdict } from "../../domain/answer.js";
import { splitSentences } from "../../lib/sentence-end.js";
import { gently, type Steps, type WorkBudget } from "../../lib/steps.js";
import { answerConfidence, claimConfidence } from "../confidence/confidence.js";
import { CLAUSE_CHARS_MAX, SENTENCE_CHARS_MAX } from "../limits.js";
import { outcomeOf } from "./claim-verdict.js";
import { admissionIn, type ClaimStatement, claimsIn, plainStatement } from "./claims.js";
import { clauseOf } from "./clause.js";
import { SiteFacts, type SystemState, type ToolReading } from "./facts.js";
import { FRESH_AGE_MAX_MS, type PartResult, unknown } from "./finding.js";
import type { Mention } from "./names.js";

/** What claims may rest on. */
export interface Readings {
  readonly state?: SystemState;
  /** In any order: what counts is `ageMs`. */
  readonly tools: readonly ToolReading[];
  /** What the user said in this turn. */
  readonly user: string;
  /** The wall clock, in Unix milliseconds. */
  readonly nowMs: () => number;
}

/** A claim with whether it was said as an inference. */
export interface ReadingClaim extends Claim {
  readonly isInference: boolean;
}

/** `conflicting`: readings of one age disagree. `no_claim`: nothing was said that could be true or false. */
export type AnswerVerdict = Verdict | "conflicting" | "no_claim";

export interface ReadingsVerdict {
  /** That of the worst claim: contradicted, conflicting, unsupported, supported. */
  readonly verdict: AnswerVerdict;
  readonly claims: readonly ReadingClaim[];
  readonly uncertainties: readonly Uncertainty[];
  /** 0–1: how likely all that was said is right; 0.5 where nothing was. */
  readonly confidence: number;
}

/** Checks each sentence; what is left when the budget is spent is unsupported: `not_checked`. */
export async function checkReadings(
  answer: string,
  { nowMs, state, tools, user }: Readings,
  budget: WorkBudget,
): Promise<ReadingsVerdict> {
  const site = new SiteFacts(nowMs);
  if (state !== undefined) await gently(site.addState(state), budget);
  for (const tool of tools) await gently(site.addTool(tool), budget);
  const check = new ReadingsCheck(site, user);
  const claims: ReadingClaim[] = [];
  const said: string[] = [];
  const sentences = splitSentences(answer);
  for (const sentence of sentences) {
    const read = claimsIn(sentence, user);
    const found = await gently(check.claims(read, said), budget);
    claims.push(...(found ?? read.map((one) => notChecked(one, "the time for checking is over"))));
    said.push(sentence);
  }
  const admissions = sentences.flatMap((sentence) => admissionIn(sentence) ?? []);
  const doubts = admissions.map((claim) => uncertainty(claim, "no_data", NOTHING_SAID_CONFIDENCE));
  const uncertainties = [...claims.flatMap(uncertaintyOf), ...doubts];
  return { verdict: worst(claims), claims, uncertainties, confidence: confidenceOf(claims) };
}

/** What was spoken of before so many sentences is not what "it" is. */
const REFERENT_SENTENCES_MAX = 5;

/** Checks the sentences of one answer to what the user said. */
export class ReadingsCheck {
  constructor(
    private readonly site: SiteFacts,
    private readonly user: string,
  ) {}

  /** What comes of the claims of a sentence. `said`: those before it in the same answer, for what "it" is. */
  *claims(claims: readonly ClaimStatement[], said: readonly string[]): Steps<readonly ReadingClaim[]> {
    let context = claims.length === 0 ? [] : yield* this.#spokenOf(said);
    const checked: ReadingClaim[] = [];
    for (const statement of claims) {
      yield;
      const why = this.#tooMuch(statement);
      if (why !== undefined) {
        checked.push(notChecked(statement, why));
        continue;
      }
      const clause = clauseOf(statement, this.site, context);
      if (clause.mentions.length > 0) context = clause.mentions;
      checked.push(claimOf(statement, yield* outcomeOf(clause, this.user)));
    }
    return checked;
  }

  /** What was last spoken of: in the sentences before, or else by the user. */
  *#spokenOf(said: readonly string[]): Steps<readonly Mention[]> {
    for (const sentence of said.slice(-REFERENT_SENTENCES_MAX).reverse()) {
      yield;
      const mentions = this.#mentionsOf(claimsIn(sentence, this.user));
      if (mentions.length > 0) return mentions;
    }
    yield;
    const asked = this.#mentionsOf([plainStatement(this.user.slice(0, SENTENCE_CHARS_MAX))]);
    return asked.filter(({ isKnown }) => isKnown);
  }

  /** What the last of these claims is about that is about something. */
  #mentionsOf(claims: readonly ClaimStatement[]): readonly Mention[] {
    const checked = claims.filter((statement) => this.#tooMuch(statement) === undefined);
    const mentions = checked.map((statement) => clauseOf(statement, this.site, []).mentions);
    return mentions.findLast((some) => some.length > 0) ?? [];
  }

  /** Why a statement is not checked. */
  #tooMuch({ content }: ClaimStatement): string | undefined {
    if (this.site.excess !== undefined) return `the readings have ${this.site.excess}`;
    return content.length > CLAUSE_CHARS_MAX ? `it has more than ${CLAUSE_CHARS_MAX} characters` : undefined;
  }
}

function notChecked(statement: ClaimStatement, why: string): ReadingClaim {
  return claimOf(statement, unknown("not_checked", `is not checked, since ${why}`));
}

const VERDICT_OF = { same: "supported", opposed: "contradicted", open: "unsupported" } as const;

function claimOf({ isInference, text }: ClaimStatement, outcome: PartResult): ReadingClaim {
  const { evidence, reasons, relation } = outcome;
  const verdict = VERDICT_OF[relation];
  const confidence = claimConfidence({ verdict, score: scoreOf(outcome) });
  return { text, verdict, evidence, reasons, isInference, confidence };
}

const HALF = 0.5;
const AGE_MALUS = 0.3;

/** How much age and doubts take from a match, 0–1. */
function scoreOf({ evidence, reasons, relation }: PartResult): number {
  if (relation === "open") return evidence.length > 0 ? HALF : 0;
  const oldest = Math.max(0, ...evidence.map(({ ageMs = 0 }) => ageMs));
  const aged = 1 - AGE_MALUS * Math.min(1, oldest / FRESH_AGE_MAX_MS);
  return relation === "same" ? aged * (reasons.length > 0 ? HALF : 1) : 1 - aged;
}

/** What the claims of an answer come to together. */
export function worst(claims: readonly ReadingClaim[]): AnswerVerdict {
  const verdicts = new Set(claims.map((claim) => (isConflict(claim) ? "conflicting" : claim.verdict)));
  return VERDICTS.find((verdict) => verdicts.has(verdict)) ?? "no_claim";
}

/** The worst first. */
const VERDICTS = ["contradicted", "conflicting", "unsupported", "supported"] as const;

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

/** What a claim that is not borne out leaves open, and which tool could tell. */
export function uncertaintyOf(claim: ReadingClaim): readonly Uncertainty[] {
  if (claim.verdict === "supported") return [];
  const tool = claim.evidence.find(({ type }) => type === "tool_output")?.source;
  return [uncertainty(claim.text, reasonOf(claim), claim.confidence, tool)];
}

function uncertainty(claim: string, reason: UncertaintyReason, confidence: number, tool?: string) {
  const suggestion = tool === undefined ? "Read it from the system itself." : `Read it anew with ${tool}.`;
  return { claim, reason, confidence, suggestion };
}

function reasonOf(claim: ReadingClaim): UncertaintyReason {
  const codes = claim.reasons.map(({ code }) => code);
  if (claim.verdict === "contradicted" || isConflict(claim)) return "conflicting_readings";
  if (codes.includes("stale")) return "stale_reading";
  if (claim.isInference) return "inference";
  return codes.includes("number_unknown") ? "unverified_number" : "no_data";
}
