/** Whether a sentence binds as strongly as the evidence: must, should, may, must not. */

import type { Modality } from "../../words/polarity.js";
import type { Quantity } from "../../words/quantity/quantity.js";
import type { EvidenceSentence } from "../evidence.js";
import { isPlainClause, lowerBetween, type Sentence, wordsIn } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./check.js";

/** `waived`: "need not". `stated`: nothing said about binding. */
type Force = Modality | "waived" | "stated";

export function checkModality(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  for (let clause = 0; clause < claim.clauses.length; clause++) {
    const ours = forceOf(claim, clause);
    if (ours === "stated") continue;
    const counterpart = counterpartOf(claim, clause, window);
    if (counterpart === undefined) continue;
    const theirs = forceOf(counterpart.sentence, counterpart.clause);
    const { sentence } = counterpart;
    const mayPermit = ours === "possible" && isPlainClause(claim.clauses[clause]!);
    if (mayPermit && (theirs === "stated" || theirs === "possible") && permits(claim, clause, sentence))
      return [gap("modality_differs", `allows what the source does not: "${sentence.text}"`)];
    if (ours !== "recommended" && restatesLimit(claim, sentence)) continue;
    if (DIFFERENT[ours].includes(theirs))
      return [contradiction("modality_differs", `says ${WORDS[ours]}, the source says ${WORDS[theirs]}`)];
  }
  return [];
}

/** "must not run for longer than 20 seconds" and "may run for 20 seconds at most" are one limit. */
function restatesLimit({ denials, quantities }: Sentence, there: Sentence): boolean {
  const isLimit = ({ bound }: Quantity) =>
    bound === "at_most" || bound === "more_than" || bound === "less_than";
  return denials.length > 0 && quantities.some(isLimit) && there.quantities.some(isLimit);
}

/** "You may …" and "… is allowed" permit something; "the RX20 can lift 1,600 kg" tells what it does. */
function permits(claim: Sentence, clause: number, there: Sentence): boolean {
  const { clauses, quantities } = claim;
  const { from, to } = clauses[clause]!;
  if (quantities.some(({ bound }) => bound === "at_most" || bound === "less_than")) return false;
  const words = lowerBetween(claim, from, to).join(" ");
  return PERMISSION.test(words) && !allows(there, termsIn(claim, clause));
}

const PERMISSION =
  /(?<!\S)(?:allowed|permitted|(?:you|i|we|anybody|anyone|people) (?:may|can|could|might))(?!\S)/;

/** What it allows is one of the things that the claim speaks of. */
function allows(sentence: Sentence, terms: ReadonlySet<string>): boolean {
  const { infos, words } = sentence;
  const modal = infos.findIndex(({ modality }) => modality === "possible");
  if (modal < 0) return /\b(?:free|open)\b/i.test(sentence.text);
  const done = words.find(({ token, info }) => token > modal && info.weight !== "function");
  return done === undefined || done.info.weight === "light" || terms.has(done.term);
}

const WORDS: Readonly<Record<Force, string>> = {
  forbidden: "that it is forbidden",
  required: "that it must be so",
  recommended: "that it should be so",
  possible: "that it may be so",
  waived: "that it need not be so",
  stated: "that it is so",
};

/** What is said and what the source says, where one is not the other. What denial tells is left to `polarity.ts`. */
const DIFFERENT: Readonly<Record<Force, readonly Force[]>> = {
  required: ["recommended", "possible", "waived"],
  recommended: ["required", "possible", "waived"],
  possible: ["required", "recommended", "forbidden"],
  waived: ["required", "recommended", "forbidden"],
  forbidden: ["possible", "waived", "recommended"],
  stated: [],
};

/** Share of the clause's words that its counterpart must hold. */
const SHARED_MIN = 0.5;

function counterpartOf(claim: Sentence, clause: number, window: readonly EvidenceSentence[]) {
  const terms = termsIn(claim, clause);
  if (terms.size === 0) return undefined;
  let best: { sentence: EvidenceSentence; clause: number; shared: number } | undefined;
  for (const sentence of window)
    for (let at = 0; at < sentence.clauses.length; at++) {
      const shared = [...termsIn(sentence, at)].filter((term) => terms.has(term)).length;
      if (shared > (best?.shared ?? 0)) best = { sentence, clause: at, shared };
    }
  return best !== undefined && best.shared >= terms.size * SHARED_MIN ? best : undefined;
}

function termsIn(sentence: Sentence, clause: number): Set<string> {
  return new Set(
    wordsIn(sentence, clause)
      .filter(({ info }) => info.weight !== "function" && info.modality === undefined)
      .map(({ term }) => term),
  );
}

function forceOf(sentence: Sentence, clause: number): Force {
  const { from, to } = sentence.clauses[clause]!;
  const forces = sentence.tokens.slice(from, to).map((_, i) => {
    const force = forceAt(sentence, from + i);
    return force === "possible" && isSubjectDenied(sentence, from, from + i) ? "forbidden" : force;
  });
  // Of "may … must", the stronger binds.
  return STRENGTHS.findLast((one) => forces.includes(one)) ?? "stated";
}

/** The weakest first. */
const STRENGTHS: readonly Force[] = ["stated", "possible", "waived", "recommended", "required", "forbidden"];

function forceAt({ tokens, infos }: Sentence, at: number): Force | undefined {
  const { lower } = tokens[at]!;
  const next = tokens[at + 1]?.lower ?? "";
  const isDeniedBefore = infos[at - 1]?.negates === true;
  const denied = infos[at + 1]?.negates === true || isDeniedBefore;
  if (lower === "needn't") return "waived";
  if (lower === "need" || lower === "needs") return next === "not" || isDeniedBefore ? "waived" : "required";
  const force = infos[at]!.modality;
  if (force === "required" && denied) return lower === "must" || lower === "shall" ? "forbidden" : "waived";
  if (force === "possible" && denied) return "forbidden";
  return force;
}

/** "No vehicle may", "nobody may". */
function isSubjectDenied({ tokens, denials }: Sentence, from: number, at: number): boolean {
  return denials.some(
    (one) => one.at >= from && one.at < at && /^(?:no|nobody|none|neither)$/.test(tokens[one.at]!.lower),
  );
}
