/** Who does what to whom: "the supervisor tells the operator" is not "the operator tells the supervisor". */

import { wordSet } from "../../lib/word-set.js";
import type { EvidenceSentence } from "../evidence.js";
import { PAIRS_MAX } from "../limits.js";
import { MIRRORED } from "../sentence/opposition.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, tooManyPairs } from "./check.js";

/** Words on each side of the verb or preposition that are looked at. */
const SIDE_WORDS = 2;
const SIDE_TOKENS = 6;

/** Prepositions whose sides cannot be exchanged. */
const PIVOTS = wordSet(
  "on onto in into under over from to above below behind than before after until at inside",
);
interface Sides {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

export function checkRoles(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  let compared = 0;
  for (let at = 0; at < claim.tokens.length - 1; at++) {
    const { lower, kind } = claim.tokens[at]!;
    if (kind !== "word" || (!PIVOTS.has(lower) && !isVerb(claim, at))) continue;
    const ours = sidesOf(claim, at);
    if (ours.left.length === 0) continue;
    for (const sentence of window) {
      const places = placesLike(claim, at, sentence);
      compared += places.length;
      if (compared > PAIRS_MAX) return [tooManyPairs()];
      if (!turnsOrderAround(claim, at, ours, sentence) && !isExchanged(claim, at, ours, sentence, places))
        continue;
      const verb = claim.tokens[at]!.text;
      const text = `exchanges what stands before and behind "${verb}" in "${sentence.text}"`;
      return [contradiction("roles_swapped", text)];
    }
  }
  return [];
}

/** Where a sentence has this preposition, or the one that turns it around, or a verb of this term. */
function placesLike(claim: Sentence, at: number, sentence: Sentence): readonly number[] {
  const { lower } = claim.tokens[at]!;
  const isLike = PIVOTS.has(lower)
    ? (bt: number) => [lower, MIRRORED[lower]].includes(sentence.tokens[bt]!.lower)
    : (bt: number) => sentence.infos[bt]!.term === claim.infos[at]!.term && isVerb(sentence, bt);
  return [...sentence.tokens.keys()].filter(isLike);
}

/** Exchanged wherever the two can be compared. */
function isExchanged(
  claim: Sentence,
  at: number,
  ours: Sides,
  sentence: EvidenceSentence,
  places: readonly number[],
): boolean {
  const relations = places.map((bt) => ({ bt, relation: relationOf(ours, sidesOf(sentence, bt)) }));
  const related = relations.filter(({ relation }) => relation !== "none");
  return (
    related.length > 0 &&
    related.every(({ bt, relation }) => {
      const turned = isTurned(claim, at, sentence, bt);
      return turned !== undefined && (relation === "crossed") !== turned;
    })
  );
}

/** Whether the two say the same with sides exchanged; without "by", a passive has no doer to compare. */
function isTurned(claim: Sentence, at: number, sentence: Sentence, bt: number): boolean | undefined {
  const { lower } = claim.tokens[at]!;
  if (PIVOTS.has(lower)) return sentence.tokens[bt]!.lower !== lower;
  const isPassiveHere = isPassive(claim, at);
  if (isPassiveHere === isPassive(sentence, bt)) return false;
  return namesDoer(isPassiveHere ? claim : sentence, isPassiveHere ? at : bt) || undefined;
}

/** The nearest content words of the clause on each side, those of quantities and particles left out. */
function sidesOf({ tokens, infos }: Sentence, at: number, wordsMax = SIDE_WORDS): Sides {
  const reach = SIDE_TOKENS * (wordsMax / SIDE_WORDS);
  const side = (step: 1 | -1): string[] => {
    const terms: string[] = [];
    for (let i = at + step; Math.abs(i - at) <= reach; i += step) {
      const token = tokens[i];
      if (token === undefined || token.kind === "stop" || BREAKS.has(token.lower)) break;
      if (token.kind === "code" || (token.kind === "word" && infos[i]!.weight !== "function"))
        terms.push(infos[i]!.term);
      if (terms.length === wordsMax) break;
    }
    return terms;
  };
  return { left: side(-1), right: side(1) };
}

const BREAKS = wordSet("and or but if when unless that who which because while");

function relationOf(ours: Sides, theirs: Sides): "straight" | "crossed" | "none" {
  const shares = (a: readonly string[], b: readonly string[]) => a.some((term) => b.includes(term));
  const apart = (sides: Sides): Sides => ({
    left: sides.left.filter((term) => !sides.right.includes(term)),
    right: sides.right.filter((term) => !sides.left.includes(term)),
  });
  const [a, b] = [apart(ours), apart(theirs)];
  if (shares(a.left, b.right) && shares(a.right, b.left)) return "crossed";
  if (shares(ours.left, theirs.left) || shares(ours.right, theirs.right)) return "straight";
  return shares(ours.left, theirs.right) && shares(ours.right, theirs.left) ? "crossed" : "none";
}

/** "is called": a form of "be" before a participle. */
function isPassive({ tokens }: Sentence, at: number): boolean {
  const before = [1, 2, 3].some((i) =>
    /^(?:is|are|was|were|be|been|being|gets?|got)$/.test(tokens[at - i]?.lower ?? ""),
  );
  return before && /(?:ed|en|t|d|n|ght)$/.test(tokens[at]!.lower);
}

function namesDoer({ tokens }: Sentence, at: number): boolean {
  return tokens.slice(at + 1, at + 1 + SIDE_TOKENS).some(({ lower }) => lower === "by");
}

/** A content word where a verb may stand: after a subject, an auxiliary or nothing, with a verb's ending or in the list. */
function isVerb({ tokens, infos }: Sentence, at: number): boolean {
  const info = infos[at]!;
  if (tokens[at]!.kind !== "word" || info.weight === "function") return false;
  const before = tokens[at - 1]?.lower ?? "";
  if (NOT_BEFORE_VERB.has(before)) return false;
  const isBehindPlural = /[^s]s$/.test(before) && infos[at - 1]!.weight === "content";
  return AUXILIARIES.has(before) || isBehindPlural || info.action || /(?:[^s]s|ed)$/.test(tokens[at]!.lower);
}

const NOT_BEFORE_VERB = wordSet(
  "a an the this that these those my your his her its our their of in on at by for from " +
    "with into no each every any first other own as",
);
const AUXILIARIES = wordSet(
  "to will must may can should shall could would might is are was were be been has have had not never",
);

/** The source orders something of the listener, the claim says that what is spoken of does it itself. */
function turnsOrderAround(claim: Sentence, at: number, ours: Sides, sentence: EvidenceSentence): boolean {
  const { term } = claim.infos[at]!;
  if (isPassive(claim, at) || ours.right.length === 0) return false;
  const first = sentence.infos.findIndex(
    (info, bt) => info.term === term && info.action && isFirst(sentence, bt),
  );
  if (first < 0) return false;
  const { right } = sidesOf(sentence, first, ORDER_WORDS);
  const subject = ours.left[0]!;
  return (
    right.includes(subject) &&
    !ours.right.includes(subject) &&
    FINITE.test(claim.tokens[at]!.lower) &&
    (ours.right.some((word) => right.includes(word)) ||
      claim.tokens.some(({ lower }, i) => i > at && lower === "you"))
  );
}

/** Third person: "asks", "reports". */
const FINITE = /s$/;
const ORDER_WORDS = 5;

function isFirst({ tokens, clauses }: Sentence, at: number): boolean {
  return (
    clauses.some(({ from }) => from === at) ||
    /^(?:then|and|always|please)$/.test(tokens[at - 1]?.lower ?? "")
  );
}
