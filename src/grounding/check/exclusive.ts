/** "Only the shift lead may": who alone may do something is said with it; and nobody is kept out whom the source does not. */
import { pattern } from "../../lib/pattern.js";
import { contentBetween, isPlainClause, lowerBetween, type Sentence } from "../sentence/sentence.js";
import { verbIn } from "../sentence/verbs.js";
import { contradiction, type Finding, gap } from "./check.js";

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

/** Who alone may, and what they alone may, by terms; `undefined` where a sentence keeps nothing to anybody. */
function exclusiveOf(sentence: Sentence) {
  const { tokens } = sentence;
  for (let at = 0; at < tokens.length; at++) {
    const range = subjectOf(sentence, at) ?? objectOf(sentence, at);
    if (range === undefined) continue;
    const [from, to] = range;
    const holders = termsIn(sentence, from, to);
    const deed = new Set([...termsIn(sentence, 0, from), ...termsIn(sentence, to, tokens.length)]);
    for (const term of holders) deed.delete(term);
    if (holders.size > 0 && deed.size > 0) return { holders, deed };
  }
  return undefined;
}

type Range = readonly [from: number, to: number];

/** "Only X may …" and "Nobody but X may …", at the beginning of a clause. */
const BEFORE_SUBJECT =
  /^(?:only|solely|exclusively|(?:nobody|none|no-one|no \S+) (?:(?:but|except|save)(?: for)?|other than)) /;
/** "may only be reset by X", "is opened solely by X", "is limited to X", "reserved for X". */
const BEFORE_OBJECT =
  /^(?:(?:only|solely|exclusively)(?: \S+){0,3}? by|(?:limited|restricted|reserved) (?:to|for)) /;
const LEADING_TOKENS_MAX = 6;

function subjectOf(sentence: Sentence, at: number): Range | undefined {
  const { tokens, clauses } = sentence;
  const begins = clauses.some((clause) => clause.from === at && isPlainClause(clause));
  const from = begins ? behind(BEFORE_SUBJECT, sentence, at) : undefined;
  if (from === undefined) return undefined;
  const to = verbIn(sentence, from, Math.min(from + SUBJECT_TOKENS_MAX, tokens.length));
  return to === undefined || to === from ? undefined : [from, to];
}

const SUBJECT_TOKENS_MAX = 8;

function objectOf(sentence: Sentence, at: number): Range | undefined {
  const { tokens, quantities } = sentence;
  const from = behind(BEFORE_OBJECT, sentence, at);
  if (from === undefined || tokens[from]!.kind !== "word" || /ing$/.test(tokens[from]!.lower))
    return undefined;
  const end = tokens.findIndex(
    ({ kind, lower }, i) => i >= from && (kind === "stop" || PHRASE_ENDS.test(lower)),
  );
  const to = end < 0 ? tokens.length : end;
  // "limited to 8 km/h"
  return quantities.some(({ firstToken }) => firstToken >= at && firstToken < to) ? undefined : [from, to];
}

const PHRASE_ENDS = /^(?:at|in|on|when|if|during|after|before|who|which|that)$/;

/** The token behind the words at `at` that the pattern tells. */
function behind(words: RegExp, sentence: Sentence, at: number): number | undefined {
  const found = words.exec(lowerBetween(sentence, at, at + LEADING_TOKENS_MAX).join(" "))?.[0];
  return found === undefined ? undefined : at + found.trim().split(" ").length;
}

function termsIn(sentence: Sentence, from: number, to: number): Set<string> {
  const inside = contentBetween(sentence, from, to).filter(({ info }) => info.modality === undefined);
  return new Set(inside.map(({ term }) => term));
}
