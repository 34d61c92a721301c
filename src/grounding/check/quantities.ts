/** Whether the amounts, times, dates and labels of a sentence are those of the evidence it rests on. */
import type { Steps } from "../../lib/steps.js";
import { compareAmounts, direction, isScaleless, type Quantity } from "../../words/quantity/quantity.js";
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
  question: Sentence,
): Steps<Finding[]> {
  const findings: Finding[] = [];
  const known = window.reduce((count, { quantities }) => count + quantities.length, 0);
  if (claim.quantities.length * known > PAIRS_MAX) return [tooManyPairs()];
  for (const said of claim.quantities) {
    if (said.use === "idiom") continue;
    yield;
    const finding = checkOne(said, claim, window, evidence, question);
    if (finding !== undefined) findings.push(finding);
  }
  return findings;
}

function checkOne(
  said: Quantity,
  claim: Sentence,
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
  question: Sentence,
): Finding | undefined {
  const candidates = candidatesFor(said, claim, window);
  const same = candidates.filter(({ isSame }) => isSame).sort(byNearness)[0];
  const different = candidates.filter(({ isSame }) => !isSame).sort(byNearness)[0];
  if (same === undefined) return unmatched(said, different, window, evidence, question);
  if (different !== undefined && outweighs(different, same, said, claim, candidates))
    return differs(said, different.known);
  const [ours, theirs] = [openness(said, claim), openness(same.known, same.sentence)];
  if (ours !== 0 && theirs !== 0 && ours !== theirs)
    return contradiction(
      "comparator_differs",
      `says "${withBound(said)}", the source says "${withBound(same.known)}"`,
    );
  return undefined;
}

function byNearness(a: Candidate, b: Candidate): number {
  return b.near - a.near;
}

/** How much nearer another amount must be than the one that agrees, before it is taken for the one that is meant. */
const OUTWEIGHS = 1.35;
/** A date that agrees to the day hardly agrees by chance. */
const DATE_OUTWEIGHS = 3;

/** Another amount belongs to these words, unless the sentence says that one as well. */
function outweighs(
  different: Candidate,
  same: Candidate,
  said: Quantity,
  claim: Sentence,
  candidates: readonly Candidate[],
): boolean {
  const factor = said.dimension === "date" ? DATE_OUTWEIGHS : OUTWEIGHS;
  if (different.near <= same.near * factor + 0.1) return false;
  const saidToo = claim.quantities.some(
    (other) => other !== said && compareAmounts(other, different.known) === "same",
  );
  // Both are said: then they were exchanged only if each stands where the other belongs.
  if (!saidToo) return true;
  const other = claim.quantities.find(
    (one) => one !== said && compareAmounts(one, different.known) === "same",
  )!;
  const crossed = nearness(claim, other.firstToken, same.sentence, same.known.firstToken);
  const straight = nearness(claim, other.firstToken, different.sentence, different.known.firstToken);
  return candidates.length > 1 && crossed > straight * OUTWEIGHS;
}

function candidatesFor(said: Quantity, claim: Sentence, window: readonly EvidenceSentence[]): Candidate[] {
  const found: Candidate[] = [];
  for (const sentence of window)
    for (const known of sentence.quantities) {
      const comparison = compareAmounts(said, known);
      if (comparison === "other") continue;
      const isSame = comparison === "same";
      if (!isSame && said.dimension === "count" && !isAboutSame(said, claim, known, sentence)) continue;
      const near =
        nearness(claim, said.firstToken, sentence, known.firstToken) +
        (said.dimension === "count" && isAboutSame(said, claim, known, sentence) ? 0.5 : 0);
      found.push({ known, sentence, isSame, near });
    }
  return found;
}

/** Plain numbers are compared only where they count, or name, the same thing. */
function isAboutSame(said: Quantity, claim: Sentence, known: Quantity, sentence: Sentence): boolean {
  if (isYear(said) && isYear(known)) return true;
  if (isYear(said) !== isYear(known)) return false;
  if ((said.use === "order") !== (known.use === "order")) return false;
  const [a, b] = [nounsOf(said, claim), nounsOf(known, sentence)];
  return a.some((term) => b.includes(term));
}

function isYear({ dimension, low, use }: Quantity): boolean {
  return (
    dimension === "date" ||
    (dimension === "count" && use === "count" && low >= 1000 && low <= 2100 && Number.isInteger(low))
  );
}

/** What is counted, up to two words on; what is named, the word before. */
function nounsOf({ use, firstToken, lastToken }: Quantity, { infos, tokens }: Sentence): string[] {
  const before = infos[firstToken - 1];
  const nouns = use !== "order" && use !== "count" && before !== undefined ? [before.term] : [];
  if (use === "label") return nouns;
  for (let at = lastToken + 1; at <= lastToken + 3 && tokens[at]?.kind === "word"; at++) {
    if (infos[at]!.weight === "function") break;
    nouns.push(infos[at]!.term);
  }
  return nouns;
}

function unmatched(
  said: Quantity,
  different: Candidate | undefined,
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
  question: Sentence,
): Finding | undefined {
  if (isInstance(said, window, question)) return undefined;
  if (different !== undefined && (different.near > 0 || said.dimension !== "count"))
    return differs(said, different.known);
  for (const { quantities } of window)
    for (const known of quantities)
      if (
        known.printed === said.printed &&
        said.use === "measure" &&
        known.dimension !== "count" &&
        known.dimension !== "date"
      )
        return contradiction("unit_differs", `says "${said.text}", the source says "${known.text}"`);
  if (said.use === "order") return undefined;
  // A code may be said without its letters, "breaker four", and a number may be part of a name.
  if (said.dimension === "count" && [...evidence.codes].some((code) => code.endsWith(`${said.printed}`)))
    return undefined;
  return gap("number_unknown", `says "${said.text}", which the sources do not`);
}

/** What the user reads, "at 30 degrees", within what the source says it of, "28–32 °C". */
function isInstance(said: Quantity, window: readonly EvidenceSentence[], question: Sentence): boolean {
  if (said.use !== "measure" || said.bound !== "exact") return false;
  if (!question.quantities.some((asked) => compareAmounts(said, asked) === "same")) return false;
  return window.some(({ quantities }) =>
    quantities.some(
      (known) =>
        (known.dimension === said.dimension || isScaleless(said, known)) &&
        known.low < known.high &&
        said.printed >= known.low &&
        said.printed <= known.high,
    ),
  );
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
  const clause = sentence.clauses.findLast(({ from }) => from <= quantity.firstToken);
  const denied = sentence.denials.some(({ at, to }) => at < quantity.firstToken && quantity.firstToken < to);
  // Who is not allowed something, or for how long, cannot be told apart before the verb.
  if (clause?.forbids === true && !denied) return 0;
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
