/** "Only the shift lead may": who alone may do something is said with it; and nobody is kept out whom the source does not. */
import { pattern } from "../../lib/pattern.js";
import { exclusiveOf } from "../sentence/exclusive.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./finding.js";

/** `around` are the terms of the question and of what was said before. */
export function checkExclusive(claim: Sentence, says: Sentence, around: ReadonlySet<string>): Finding[] {
  const [ours, theirs] = [exclusiveOf(claim), exclusiveOf(says)];
  if (theirs === undefined)
    return (ours === undefined && !/\bthe (?:only|sole)\b/i.test(claim.text)) || KEPT.test(says.text)
      ? []
      : [gap("comparator_differs", `keeps to some what the source does not: "${claim.text}"`)];
  // What is denied of others is true.
  if (ours !== undefined || claim.denials.length > 0) return [];
  const isNamed = [...theirs].every((term) => claim.terms.has(term) || around.has(term));
  if (isNamed) return [];
  return [contradiction("other_subject", `says "${claim.text}", the source only of some: "${says.text}"`)];
}

const KEPT = pattern("i")`
  \b(?:only|solely|sole|exclusively|exclusive|except|nobody|no one|none|no-one|alone
  |limited|restricted|reserved|must|required|unless|other than)\b
`;
