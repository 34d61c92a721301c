/** Whether the amounts, times, dates, labels and codes of a sentence are those of the evidence it rests on. */
import type { ReasonCode } from "../../domain/answer.js";
import type { Steps } from "../../lib/steps.js";
import { compareAmounts, direction, type Quantity } from "../../words/quantity/quantity.js";
import type { EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { PAIRS_MAX } from "../limits.js";
import { type Sentence, saysAmount } from "../sentence/sentence.js";
import { contradiction, type Finding, gap, tooManyPairs } from "./check.js";
import { nearness } from "./nearness.js";

interface Candidate {
  readonly known: Quantity;
  readonly sentence: EvidenceSentence;
  readonly isSame: boolean;
  readonly near: number;
}

/** Amount by amount. */
export function* checkQuantities(
  claim: Sentence,
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
): Steps<Finding[]> {
  const findings: Finding[] = [];
  const known = window.reduce((count, { quantities }) => count + quantities.length, 0);
  if (claim.quantities.length * known > PAIRS_MAX) return [tooManyPairs()];
  for (const said of claim.quantities) {
    if (said.use === "idiom") continue;
    yield;
    const finding = checkOne(said, claim, window, evidence);
    if (finding !== undefined) findings.push(finding);
  }
  return findings;
}

function checkOne(
  said: Quantity,
  claim: Sentence,
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
): Finding | undefined {
  const candidates = candidatesFor(said, claim, window).sort((a, b) => b.near - a.near);
  const same = candidates.find(({ isSame }) => isSame);
  if (same === undefined) return unmatched(said, candidates[0], window, evidence);
  const other = candidates.find(({ isSame }) => !isSame);
  if (other !== undefined && (said.dimension === "count" || isWithoutOwn(same, other, claim)))
    if (other.near > same.near * OUTWEIGHS + 0.1 && !saysAmount(claim, other.known))
      // Another number belongs to these words, unless the sentence says that one as well.
      return differs(said, other.known);
  const [ours, theirs] = [openness(said, claim), openness(same.known, same.sentence)];
  return ours !== 0 && theirs !== 0 && ours !== theirs
    ? differs(said, same.known, "comparator_differs")
    : undefined;
}

/** How much nearer another number must be than the one that agrees, before it is taken for the one that is meant. */
const OUTWEIGHS = 1.35;

/** Of one sentence, where the claim has no word that stands by the amount that agrees, and not by the other. */
function isWithoutOwn(same: Candidate, other: Candidate, claim: Sentence): boolean {
  const { breaks, words } = same.sentence;
  if (other.sentence !== same.sentence) return false;
  const apart = (token: number, { known: { firstToken } }: Candidate) =>
    Math.abs(token - firstToken) + BREAK_TOKENS * Math.abs(breaks[token]! - breaks[firstToken]!);
  return !words.some(
    ({ info, term, token }) =>
      info.weight !== "function" &&
      apart(token, same) < apart(token, other) &&
      claim.words.some((word) => word.term === term),
  );
}

/** What a comma or an "and" between is worth in tokens. */
const BREAK_TOKENS = 8;

function candidatesFor(said: Quantity, claim: Sentence, window: readonly EvidenceSentence[]): Candidate[] {
  return window.flatMap((sentence) =>
    sentence.quantities.flatMap((known) => {
      const comparison = compareAmounts(said, known);
      if (comparison === "other") return [];
      const near = nearness(claim, said.firstToken, sentence, known.firstToken);
      return [{ known, sentence, isSame: comparison === "same", near }];
    }),
  );
}

function unmatched(
  said: Quantity,
  nearest: Candidate | undefined,
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
): Finding | undefined {
  if (nearest !== undefined && (nearest.near > 0 || said.dimension !== "count"))
    return differs(said, nearest.known);
  const inOtherUnit = window
    .flatMap(({ quantities }) => quantities)
    .find((known) => known.printed === said.printed && known.use === "measure" && said.use === "measure");
  if (inOtherUnit !== undefined) return differs(said, inOtherUnit);
  // A code may be said without its letters, "breaker four", and a number may be part of a name.
  if (said.dimension === "count" && [...evidence.codes].some((code) => code.endsWith(`${said.printed}`)))
    return undefined;
  return gap("number_unknown", `says "${said.text}", which the sources do not`);
}

function differs(said: Quantity, known: Quantity, code?: ReasonCode): Finding {
  const isOfOtherUnit = said.printed === known.printed && said.unit.name !== known.unit.name;
  const text = `says "${withBound(said)}", the source says "${withBound(known)}"`;
  return contradiction(code ?? (isOfOtherUnit ? "unit_differs" : "number_differs"), text);
}

/** Which way the amount is open, with what denies it: "never longer than 20" is open downward. */
function openness(quantity: Quantity, sentence: Sentence): -1 | 0 | 1 {
  const way = direction(quantity.bound);
  if (quantity.bound !== "more_than" && quantity.bound !== "less_than") return way;
  const denied = sentence.denials.some(({ at, to }) => at < quantity.firstToken && quantity.firstToken < to);
  return denied ? (-way as -1 | 0 | 1) : way;
}

/** "At least 5 m": as it stands there, with which way it is open. */
export function withBound({ bound, text }: Quantity): string {
  return bound === "exact" ? text : `${bound.replace("_", " ")} ${text}`;
}

/** The same of codes; names are words that `additions.ts` looks for. */
export function checkCodes(
  claim: Sentence,
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
  question: Sentence,
): Finding[] {
  const asked = new Set(question.codes.map(({ key }) => key));
  const theirs = window.flatMap(({ codes }) => codes);
  const rival = theirs.find((code) => !claim.codes.some((own) => own.key === code.key));
  return claim.codes.flatMap(({ key, text }) => {
    if (theirs.some((code) => code.key === key)) return [];
    if (rival !== undefined)
      return [contradiction("identifier_unknown", `says "${text}", the source says "${rival.text}"`)];
    if (evidence.codes.has(key) || asked.has(key)) return [];
    return [gap("identifier_unknown", `says "${text}", which the sources do not`)];
  });
}
