/** Everything in which a claim may differ from the units of evidence that it is held against. */
import type { Steps } from "../../lib/steps.js";
import type { PreparedEvidence } from "../evidence.js";
import type { EvidenceUnit } from "../evidence-units.js";
import { parsedText, type Sentence } from "../sentence/sentence.js";
import { addedFinding, additionsTo } from "./additions.js";
import { type Finding, gap } from "./check.js";
import { checkConditions } from "./conditions.js";
import { checkContrast } from "./contrast.js";
import { checkExclusive } from "./exclusive.js";
import { checkModality } from "./modality.js";
import { checkPolarity } from "./polarity.js";
import { checkQuantifiers } from "./quantifiers.js";
import { checkCodes, checkQuantities } from "./quantities.js";
import { checkRoles } from "./roles.js";
import { checkWhole } from "./verbatim.js";

/** A claim, or a part of one, with all that it may be held against. */
export interface ClaimJob {
  readonly claim: Sentence;
  readonly question: Sentence;
  readonly evidence: PreparedEvidence;
  readonly language: string | undefined;
  /** The sentences before it, and the parts of its own before this one. */
  readonly said: readonly string[];
  /** Only names a time: it says neither that this happens nor that it must. */
  readonly isSupposed?: boolean;
}

/** All that is wrong with the claim as a restatement of the units, the first of which says most of it. */
export function* compare(job: ClaimJob, units: readonly EvidenceUnit[]): Steps<Finding[]> {
  const { claim, evidence, question, said } = job;
  const [unit] = units;
  const { says } = unit!;
  const { language: there } = evidence.parts[says.part]!;
  if (says.excess !== undefined)
    return [gap("not_checked", `rests on a sentence of the source that has ${says.excess}`)];
  const window = units.map((one) => one.says);
  const decidable = [
    ...(yield* checkQuantities(claim, window, evidence)),
    ...checkCodes(claim, window, evidence, question),
  ];
  yield;
  if (job.language !== undefined && there !== undefined && job.language !== there) {
    const other = `says it in another language (${job.language}) than the source (${there})`;
    return [...decidable, gap("other_language", other)];
  }
  const added = addedFinding(additionsTo(claim, units), claim, says, evidence);
  if (job.isSupposed === true) return [...decidable, ...checkPolarity(claim, window), ...added];
  const before = said.slice(-SAID_MAX).map(parsedText);
  const around = new Set([question, ...before].flatMap(({ terms }) => [...terms]));
  return [
    ...decidable,
    ...checkWhole(claim, window),
    ...checkPolarity(claim, window),
    ...checkModality(claim, window),
    ...checkConditions(claim, says, [question, ...before]),
    ...checkRoles(claim, window),
    ...checkQuantifiers(claim, window),
    ...checkExclusive(claim, says, around),
    ...checkContrast(claim, unit!, [question, ...before.slice(-1)], evidence),
    ...added,
  ];
}

/** Sentences before this one that a condition may have been said in. */
const SAID_MAX = 3;
