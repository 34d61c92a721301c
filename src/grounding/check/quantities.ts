/** Whether the amounts, times, dates and labels of a sentence are those of the evidence it rests on. */
import type { Steps } from "../../lib/steps.js";
import { compareAmounts, direction, type Quantity } from "../../words/quantity/quantity.js";
import type { EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { PAIRS_MAX } from "../limits.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, gap, tooManyPairs } from "./finding.js";
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
  if (same === undefined) return unmatched(said, candidates[0], evidence);
  const [ours, theirs] = [openness(said, claim), openness(same.known, same.sentence)];
  if (ours !== 0 && theirs !== 0 && ours !== theirs)
    return contradiction(
      "comparator_differs",
      `says "${withBound(said)}", the source says "${withBound(same.known)}"`,
    );
  return undefined;
}

function candidatesFor(said: Quantity, claim: Sentence, window: readonly EvidenceSentence[]): Candidate[] {
  const found: Candidate[] = [];
  for (const sentence of window)
    for (const known of sentence.quantities) {
      const comparison = compareAmounts(said, known);
      if (comparison === "other") continue;
      const near = nearness(claim, said.firstToken, sentence, known.firstToken);
      found.push({ known, sentence, isSame: comparison === "same", near });
    }
  return found;
}

function unmatched(
  said: Quantity,
  nearest: Candidate | undefined,
  evidence: PreparedEvidence,
): Finding | undefined {
  if (nearest !== undefined && (nearest.near > 0 || said.dimension !== "count"))
    return differs(said, nearest.known);
  // A code may be said without its letters, "breaker four", and a number may be part of a name.
  if (said.dimension === "count" && [...evidence.codes].some((code) => code.endsWith(`${said.printed}`)))
    return undefined;
  return gap("number_unknown", `says "${said.text}", which the sources do not`);
}

function differs(said: Quantity, known: Quantity): Finding {
  const text = `says "${withBound(said)}", the source says "${withBound(known)}"`;
  return said.printed === known.printed && said.unit.name !== known.unit.name
    ? contradiction("unit_differs", text)
    : contradiction("number_differs", text);
}

/** Which way the amount is open, with what denies it: "never longer than 20" is open downward. */
function openness(quantity: Quantity, sentence: Sentence): -1 | 0 | 1 {
  const way = direction(quantity.bound);
  if (quantity.bound !== "more_than" && quantity.bound !== "less_than") return way;
  const denied = sentence.denials.some(({ at, to }) => at < quantity.firstToken && quantity.firstToken < to);
  return denied ? (-way as -1 | 0 | 1) : way;
}

const BOUND_WORDS = {
  exact: "",
  about: "about ",
  at_least: "at least ",
  more_than: "more than ",
  at_most: "at most ",
  less_than: "less than ",
};

function withBound({ bound, text }: Quantity): string {
  return `${BOUND_WORDS[bound]}${text}`;
}
