/** Which units of the evidence a claim may rest on. */

import type { PreparedEvidence } from "../evidence.js";
import { type EvidenceUnit, unitsOf } from "../evidence-units.js";
import { hasAmount, type Sentence } from "../sentence/sentence.js";

/** UnitIndex that are looked at closely, and how good they must be, beside the best. */
const CANDIDATES_MAX = 6;
const CANDIDATE_SHARE_MIN = 0.5;

const QUANTITY_WEIGHT = 1;
const CODE_WEIGHT = 2;
/** A term in the title or a heading, where its sentence does not repeat it. */
const CONTEXT_SHARE = 0.5;
const WEIGHT_MAX = 3;

export interface Candidate {
  readonly unit: EvidenceUnit;
  /** Share of the claim's weight that the unit and what stands around it hold, 0–1. */
  readonly carried: number;
  /** Share of it that the unit holds itself. */
  readonly own: number;
}

/** Possible units, best first; empty where no term of the claim occurs. */
export function candidatesFor(claim: Sentence, evidence: PreparedEvidence): Candidate[] {
  const { all, byTerm } = unitsOf(evidence);
  const scores = new Map<number, number>();
  let total = 0;
  const weights = new Map<string, number>();
  for (const term of claim.terms) {
    const units = byTerm.get(term) ?? [];
    const weight = Math.min(WEIGHT_MAX, Math.log(1 + (all.length + 1) / (units.length + 1)));
    total += weight;
    weights.set(term, weight);
    for (const index of units) scores.set(index, (scores.get(index) ?? 0) + weight);
  }
  if (claim.terms.size === 0 || claim.quantities.length > 0 || claim.codes.length > 0)
    addFigures(scores, claim, all);
  const scored = [...scores].map(([index, own]) => {
    const unit = all[index]!;
    let around = 0;
    for (const [term, weight] of weights)
      if (!unit.says.terms.has(term) && unit.context.has(term)) around += weight;
    return { unit, score: own + around * CONTEXT_SHARE };
  });
  scored.sort((a, b) => b.score - a.score || a.unit.index - b.unit.index);
  const best = scored[0]?.score ?? 0;
  return scored
    .slice(0, CANDIDATES_MAX)
    .filter(({ score }) => score >= best * CANDIDATE_SHARE_MIN)
    .map(({ unit }) => {
      const share = (isMet: (term: string) => boolean) => {
        const met = [...weights].reduce((sum, [term, weight]) => (isMet(term) ? sum + weight : sum), 0);
        return total === 0 ? 1 : met / total;
      };
      const own = share((term) => unit.says.terms.has(term));
      return { unit, own, carried: share((term) => unit.says.terms.has(term) || unit.context.has(term)) };
    });
}

function addFigures(scores: Map<number, number>, claim: Sentence, units: readonly EvidenceUnit[]): void {
  const add = (index: number, weight: number) => scores.set(index, (scores.get(index) ?? 0) + weight);
  for (const { index, says } of units) {
    for (const said of claim.quantities)
      if (hasAmount(says, said)) add(index, said.use === "idiom" ? 0.1 : QUANTITY_WEIGHT);
    for (const { key } of claim.codes)
      if (says.codes.some((code) => code.key === key)) add(index, CODE_WEIGHT);
  }
}
