/** "Only the shift lead may": who alone may do something is said with it; and nobody is kept out whom the source does not. */
import { pattern } from "../../lib/pattern.js";
import { exclusiveOf } from "../sentence/exclusive.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./finding.js";

/** Share of what is kept to some that a claim must speak of. */
const DEED_SHARE_MIN = 0.5;

/** `around` are the terms of the question and of what was said before. */
export function checkExclusive(claim: Sentence, says: Sentence, around: ReadonlySet<string>): Finding[] {
  const [ours, theirs] = [exclusiveOf(claim), exclusiveOf(says)];
  if (theirs === undefined)
    return (ours === undefined && !/\bthe (?:only|sole)\b/i.test(claim.text)) ||
      KEPT.test(says.text) ||
      says.denials.length > 0 ||
      claim.quantities.length > 0
      ? []
      : [gap("comparator_differs", `keeps to some what the source does not: "${claim.text}"`)];
  const { holders, deed } = theirs;
  if ([...deed].filter((term) => claim.terms.has(term)).length < deed.size * DEED_SHARE_MIN) return [];
  // "You have to be over 18 to use it" says who may in other words; what is denied of others is true.
  const isDenied =
    claim.denials.length > 0 || claim.clauses.some(({ forbids }) => forbids) || OBLIGES.test(claim.text);
  if (ours !== undefined || isDenied) return [];
  const isNamed = [...holders].every((term) => claim.terms.has(term) || around.has(term));
  if (isNamed) return [];
  return [contradiction("other_subject", `says "${claim.text}", the source only of some: "${says.text}"`)];
}

const OBLIGES = /\b(?:must|(?:have|has|need|needs) to)\b/i;
const KEPT = pattern("i")`
  \b(?:only|solely|sole|exclusively|exclusive|except|nobody|no one|none|no-one|alone
  |limited|restricted|reserved|must|required|unless|other than)\b
`;
