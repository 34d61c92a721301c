/** What a claim rests on: one unit; each of its parts on one; or, for what it only tells, sentences that complete each other. */
import type { Steps } from "../../lib/steps.js";
import { listMarkerEnd } from "../../words/quantity/quantities.js";
import type { Quantity } from "../../words/quantity/quantity.js";
import type { EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { cellsOf, type EvidenceUnit, setsApart, unitsOf } from "../evidence-units.js";
import { conjunctsOf, textBetween } from "../sentence/conjuncts.js";
import { inOrder, ofEach } from "../sentence/readings.js";
import { hasAmount, parseSentence, type Sentence, wordsIn } from "../sentence/sentence.js";
import { type Addition, additionsTo } from "./additions.js";
import type { Finding } from "./check.js";
import { type ClaimJob, compare } from "./compare.js";
import { substituted } from "./slots.js";

/** What comes of holding a claim against units. */
export interface Attempt {
  readonly units: readonly EvidenceUnit[];
  readonly findings: readonly Finding[];
  readonly carried: number;
}

/**
 * The claim on one unit; else each part that it joins on a unit of its own; else what it tells, on several. What recites
 * the cells of a row is of one row.
 */
export function* bestOf(job: ClaimJob): Steps<Attempt | undefined> {
  const whole = yield* onOneUnit(job);
  if (whole?.findings.length === 0 || cellsOf(job.claim).length > 1) return whole;
  const parts = yield* inParts(job);
  if (parts?.findings.length === 0) return parts;
  return (yield* each(job)) ?? (yield* ordered(job)) ?? (yield* together(job)) ?? parts ?? whole;
}

/** What the claim says of two, said of each; undefined where one is not borne out. */
function* each(job: ClaimJob): Steps<Attempt | undefined> {
  const pieces = ofEach(job.claim)?.map((text) => ({ ...job, claim: parseSentence(text) }));
  const attempts = pieces && (yield* borneOut(pieces));
  return attempts && joined(attempts);
}

/** Each piece on a unit of its own; undefined where one is not borne out. */
function* borneOut(pieces: readonly ClaimJob[]): Steps<readonly Attempt[] | undefined> {
  const attempts: Attempt[] = [];
  for (const piece of pieces) {
    const attempt = yield* onOneUnit(piece);
    if (attempt === undefined || attempt.findings.length > 0) return undefined;
    attempts.push(attempt);
  }
  return attempts;
}

/** What the claim says comes first, and what then, each on a unit, in the order of a procedure or of one sentence. */
function* ordered(job: ClaimJob): Steps<Attempt | undefined> {
  const pieces = inOrder(job.claim);
  if (pieces === undefined) return undefined;
  const said = [...job.said, ...pieces.flatMap(({ isSupposed, text }) => (isSupposed ? [text] : []))];
  const claims = pieces.map(({ text }) => parseSentence(text));
  if (claims.some(({ terms }) => terms.size === 0)) return undefined;
  const attempts = yield* borneOut(
    claims.map((claim, at) => ({ ...job, claim, said, isSupposed: pieces[at]!.isSupposed })),
  );
  if (attempts === undefined) return undefined;
  const [first, then] = attempts.map(({ units: [unit] }, at) => {
    return { unit: unit!, place: placeIn(unit!.says, claims[at]!) };
  });
  // "After A, B": nothing is done between them.
  const isNext = pieces[0].isSupposed && !pieces[1].isSupposed;
  return isBefore(first!, then!, isNext) ? joined(attempts) : undefined;
}

function joined(attempts: readonly Attempt[]): Attempt {
  return {
    units: attempts.flatMap(({ units }) => units),
    findings: [],
    carried: Math.min(...attempts.map(({ carried }) => carried)),
  };
}

/** Where a sentence speaks of a piece: in the clause that says most of it, before or behind all others as a time says. */
function placeIn(says: Sentence, { terms }: Sentence): number {
  const met = says.clauses.map((_, clause) => wordsIn(says, clause).filter(({ term }) => terms.has(term)));
  const clause = met.reduce((best, words, at) => (words.length > met[best]!.length ? at : best), 0);
  const { kind, from } = says.clauses[clause]!;
  if (kind === "after" || kind === "only") return -1;
  return kind === "before" || kind === "until" ? says.tokens.length : (met[clause]![0]?.token ?? from);
}

interface Placed {
  readonly unit: EvidenceUnit;
  readonly place: number;
}

function isBefore(first: Placed, then: Placed, isNext: boolean): boolean {
  const [a, b] = [first.unit, then.unit];
  if (a.says.index === b.says.index)
    return a.index < b.index || (a.index === b.index && first.place < then.place);
  const isProcedure = a.says.item === "ordered" && b.says.item === "ordered";
  const steps = b.says.index - a.says.index;
  return isProcedure && a.says.part === b.says.part && steps > 0 && (!isNext || steps === 1);
}

/** Units that carry one statement together, at the most, and how far from each other. */
const TOGETHER_MAX = 3;
const TOGETHER_REACH = 8;

/**
 * A statement that tells what is or was, and neither orders nor allows nor limits anything, may rest on sentences of one
 * text that complete each other: none has another word in the place of what the claim takes from the others.
 */
function* together(job: ClaimJob): Steps<Attempt | undefined> {
  const { claim, evidence } = job;
  if (!onlyTells(claim)) return undefined;
  const candidates = candidatesFor(claim, evidence).filter(({ unit }) => isTold(unit));
  for (const first of candidates.slice(0, 2)) {
    yield;
    const units = [first.unit];
    let added = additionsTo(claim, units);
    if (substituted(claim, first.unit.says, added) !== undefined) return undefined;
    const isShort = () => amountsMissing(claim, units).some(({ use }) => use !== "idiom");
    while ((added.length > 0 || isShort()) && units.length < TOGETHER_MAX) {
      const next = bestAddition(claim, units, added, evidence);
      if (next === undefined) break;
      units.push(next);
      added = additionsTo(claim, units);
    }
    if (units.length < 2 || added.length > 0) continue;
    const findings = yield* compare(job, units);
    if (findings.length === 0) return { units, findings, carried: first.carried };
  }
  return undefined;
}

function amountsMissing({ quantities }: Sentence, units: readonly EvidenceUnit[]): readonly Quantity[] {
  return quantities.filter((said) => !units.some(({ says }) => hasAmount(says, said)));
}

/** The unit near the first that has most of what is missing. */
function bestAddition(
  claim: Sentence,
  units: readonly EvidenceUnit[],
  added: readonly Addition[],
  evidence: PreparedEvidence,
): EvidenceUnit | undefined {
  const { index, says: first } = units[0]!;
  const near = unitsOf(evidence).all.slice(Math.max(0, index - TOGETHER_REACH), index + TOGETHER_REACH + 1);
  const missing = amountsMissing(claim, units);
  let best: EvidenceUnit | undefined;
  let most = 0;
  for (const unit of near) {
    const { says } = unit;
    if (says.part !== first.part || units.includes(unit) || !isTold(unit)) continue;
    if (setsApart(first, says) || (isCase(first) && isCase(says))) continue;
    const gain =
      added.filter(({ term }) => says.terms.has(term)).length +
      missing.filter((said) => hasAmount(says, said)).length;
    if (gain > most) [best, most] = [unit, gain];
  }
  return best;
}

/** "A mild rash alone: slow it down." What is done in one case is not done in another. */
function isCase({ text }: Sentence): boolean {
  return /^[^:;]{1,200}:\s+\S/.test(text);
}

/** A whole sentence that only tells; what stands in a row is of that row alone. */
function isTold({ isPart, isRow, says }: EvidenceUnit): boolean {
  return !isPart && !isRow && !says.text.includes("=") && onlyTells(says);
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

function* onOneUnit(job: ClaimJob): Steps<Attempt | undefined> {
  let best: (Attempt & { readonly own: number }) | undefined;
  /** The sentence that speaks of all of it, and of which no part bears it out. */
  let decided: EvidenceSentence | undefined;
  for (const { carried, own, unit } of candidatesFor(job.claim, job.evidence)) {
    if (decided !== undefined && unit.says.part === decided.part && unit.says.index !== decided.index)
      continue;
    yield;
    const added = additionsTo(job.claim, [unit]);
    // What says little of it is not compared any further.
    if (added.length > ADDED_MAX && best !== undefined) continue;
    const findings = yield* compare(job, [unit]);
    const attempt = { units: [unit], findings, carried, own };
    if (findings.length === 0) return attempt;
    if (best === undefined || (findings.length < best.findings.length && own >= best.own)) best = attempt;
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
function* inParts(job: ClaimJob): Steps<Attempt | undefined> {
  const { claim } = job;
  const parts = conjunctsOf(claim);
  if (parts.length < 2 || parts.length > PARTS_MAX) return undefined;
  const attempts: Attempt[] = [];
  const said = [...job.said];
  for (const part of parts) {
    const text = textBetween(claim, part);
    const attempt = yield* onOneUnit({ ...job, claim: parseSentence(text), said });
    if (attempt === undefined) return undefined;
    attempts.push(attempt);
    said.push(text);
  }
  const failed = attempts.filter(({ findings }) => findings.length > 0);
  if (failed.length === 0) return joined(attempts);
  return failed.length < attempts.length ? failed[0] : undefined;
}

/** More parts are a list that is looked at as a whole. */
const PARTS_MAX = 8;

/** UnitIndex that are looked at closely, and how good they must be, beside the best. */
const CANDIDATES_MAX = 6;
const CANDIDATE_SHARE_MIN = 0.5;

const QUANTITY_WEIGHT = 1;
const CODE_WEIGHT = 2;
/** A term in the title or a heading, where its sentence does not repeat it. */
const CONTEXT_SHARE = 0.5;
const WEIGHT_MAX = 3;

interface Candidate {
  readonly unit: EvidenceUnit;
  /** Share of the claim's weight that the unit and what stands around it hold, 0–1. */
  readonly carried: number;
  /** Share of it that the unit holds itself. */
  readonly own: number;
}

/** Possible units, best first; empty where no term of the claim occurs. */
function candidatesFor(claim: Sentence, evidence: PreparedEvidence): Candidate[] {
  const { all, byTerm } = unitsOf(evidence);
  const scores = new Map<number, number>();
  const add = (index: number, weight: number) => scores.set(index, (scores.get(index) ?? 0) + weight);
  let total = 0;
  const weights = new Map<string, number>();
  for (const term of claim.terms) {
    const units = byTerm.get(term) ?? [];
    const weight = Math.min(WEIGHT_MAX, Math.log(1 + (all.length + 1) / (units.length + 1)));
    total += weight;
    weights.set(term, weight);
    for (const index of units) add(index, weight);
  }
  for (const { index, says } of all) {
    for (const said of claim.quantities)
      if (hasAmount(says, said)) add(index, said.use === "idiom" ? 0.1 : QUANTITY_WEIGHT);
    for (const { key } of claim.codes)
      if (says.codes.some((code) => code.key === key)) add(index, CODE_WEIGHT);
  }
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
