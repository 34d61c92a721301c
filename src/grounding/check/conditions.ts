/** Whether the conditions that limit what a sentence says are said with it, and are those of the evidence. */

import { listMarkerEnd } from "../../words/quantity/quantities.js";
import type { EvidenceSentence } from "../evidence.js";
import type { ClauseKind } from "../sentence/clauses.js";
import { type Sentence, wordsIn } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./finding.js";

/** Share of a clause's words that must be met for it to be spoken of. */
const MET_MIN = 0.5;
/** A condition may be known from the question: "what if the fan stands still?" */
const KNOWN_MIN = 0.34;

/** `around` are the terms of the question and of what was said before. */
export function checkConditions(
  claim: Sentence,
  window: readonly EvidenceSentence[],
  around: ReadonlySet<string>,
): Finding[] {
  const first = window[0]!;
  const findings: Finding[] = [];
  for (let clause = 0; clause < first.clauses.length; clause++) {
    const { kind } = first.clauses[clause]!;
    if (kind !== "if" && kind !== "except" && kind !== "only") continue;
    const terms = termsIn(first, clause);
    if (terms.length === 0) continue;
    const ours = claim.clauses.findIndex((_, at) => share(terms, new Set(termsIn(claim, at))) >= MET_MIN);
    if (ours >= 0) {
      if (opposed(kind, claim.clauses[ours]!.kind) || dropsExcept(first, clause, claim, ours))
        findings.push(
          contradiction(
            "condition_differs",
            `"${textOf(claim, ours)}" is "${textOf(first, clause)}" in the source`,
          ),
        );
    } else if (limits(first, clause, claim) && share(terms, new Set([...claim.terms, ...around])) < KNOWN_MIN)
      findings.push(gap("condition_differs", `leaves out "${textOf(first, clause)}"`));
  }
  return [...findings, ...inventedExceptions(claim, window)];
}

function opposed(theirs: ClauseKind, ours: ClauseKind): boolean {
  if (theirs === "except") return ours === "if" || ours === "only";
  return ours === "except";
}

/** "everywhere except in the workshop" is not "in the workshop". */
function dropsExcept(first: EvidenceSentence, clause: number, claim: Sentence, ours: number): boolean {
  if (first.tokens[first.clauses[clause]!.from]?.lower !== "except") return false;
  if (claim.clauses[ours]!.kind !== "main" || claim.denials.length > 0 || hasOnly(claim)) return false;
  return !/\b(?:except|other than|apart from|outside|but|exempt|excluding|besides)\b/i.test(claim.text);
}

/** An exception that no sentence of the evidence makes. */
function inventedExceptions(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  for (let clause = 0; clause < claim.clauses.length; clause++) {
    if (claim.clauses[clause]!.kind !== "except") continue;
    const terms = new Set(termsIn(claim, clause));
    const made = window.some((sentence) => {
      const limitsAll = sentence.denials.length > 0 || hasOnly(sentence);
      return sentence.clauses.some(
        ({ kind, forbids }, at) =>
          (kind !== "main" || forbids || limitsAll) &&
          share([...terms], new Set(termsIn(sentence, at))) >= MET_MIN,
      );
    });
    const excepts = window.some((sentence) =>
      sentence.clauses.some(({ kind }) => kind === "except" || kind === "only"),
    );
    if (terms.size === 0 ? !excepts : !made)
      return [gap("condition_differs", `adds "${textOf(claim, clause)}"`)];
  }
  return [];
}

function hasOnly({ tokens }: Sentence): boolean {
  return tokens.some(({ lower }) => lower === "only");
}

/** The condition limits an instruction or a permission, and the sentence speaks of what it limits. */
function limits(sentence: Sentence, condition: number, claim: Sentence): boolean {
  const { clauses, infos, tokens } = sentence;
  const { kind } = clauses[condition]!;
  return clauses.some((clause, at) => {
    if (at === condition || Math.abs(at - condition) > 2 || clause.kind !== "main") return false;
    if (share(termsIn(sentence, at), claim.terms) < MET_MIN || termsIn(sentence, at).length === 0)
      return false;
    if (kind !== "if") return true;
    const first = at === 0 ? listMarkerEnd(tokens) : clause.from;
    const binds = infos
      .slice(clause.from, clause.to)
      .some(({ modality, negates }) => modality !== undefined || negates);
    return infos[first]?.action === true || binds;
  });
}

function termsIn(sentence: Sentence, clause: number): string[] {
  const content = wordsIn(sentence, clause).filter(({ info }) => info.weight === "content");
  return [...new Set(content.map(({ term }) => term))];
}

function share(terms: readonly string[], known: ReadonlySet<string>): number {
  return terms.length === 0 ? 0 : terms.filter((term) => known.has(term)).length / terms.length;
}

function textOf({ tokens, clauses, text }: Sentence, clause: number): string {
  const { from, to } = clauses[clause]!;
  const offset = tokens[0]!.start - text.indexOf(tokens[0]!.text);
  return text
    .slice(tokens[from]!.start - offset, tokens[to - 1]!.end - offset)
    .replace(/(?<![.,;:!?])[.,;:!?]+$/, "");
}
