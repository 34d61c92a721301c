/** Whether what a sentence affirms and denies, opens and shuts, is what the evidence affirms and denies. */
import type { EvidenceSentence } from "../evidence.js";
import { PAIRS_MAX } from "../limits.js";
import { excludes, sharesSide } from "../sentence/opposition.js";
import { contentIn, type Sentence, type SentenceWord } from "../sentence/sentence.js";
import { contradiction, type Finding, tooManyPairs } from "./check.js";
import { nearness } from "./nearness.js";

/** A word of the sentence with the word of the evidence that it speaks of. */
interface Pair {
  readonly word: SentenceWord;
  readonly other: SentenceWord;
  readonly sentence: EvidenceSentence;
  /** The other word means the opposite. */
  readonly opposed: boolean;
  /** The window has the word with both polarities. */
  readonly doubtful: boolean;
}

export function checkPolarity(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  const related = claim.words.map((word) => ({ word, places: relatedTo(word, window) }));
  // The surroundings of each related word are compared, and of an opposite those of all words of the claim.
  const comparisons = related.map(({ places }) =>
    places.every(({ isSame }) => isSame) ? places.length : places.length + claim.words.length,
  );
  if (comparisons.reduce((sum, count) => sum + count, 0) > PAIRS_MAX) return [tooManyPairs()];
  const pairs = related.flatMap(({ word, places }) => pairOf(word, claim, places));
  const opposite = pairs.find(({ opposed, word, other }) => opposed && word.negated === other.negated);
  if (opposite !== undefined) {
    const [ours, theirs] = [textOf(opposite.word, claim), textOf(opposite.other, opposite.sentence)];
    return [contradiction("opposite_state", `says "${ours}", the source says "${theirs}"`)];
  }
  return deniedOtherwise(claim, pairs, window);
}

function textOf({ token }: SentenceWord, { tokens }: Sentence): string {
  return tokens[token]!.text;
}

/** How much nearer a word of opposite meaning must be than the same word, to be the one that is meant. */
const OUTWEIGHS = 1.3;

/** Colours and days come in lists. */
const LIST_OUTWEIGHS = 2.5;

/** A word of the window that means the same as one of the sentence, or the opposite. */
interface RelatedWord {
  readonly other: SentenceWord;
  readonly sentence: EvidenceSentence;
  readonly isSame: boolean;
}

type Place = RelatedWord & { readonly near: number };

function relatedTo(word: SentenceWord, window: readonly EvidenceSentence[]): RelatedWord[] {
  return window.flatMap((sentence) =>
    sentence.words.flatMap((other) => {
      const isSame = other.term === word.term || sharesSide(word.info, other.info);
      return isSame || excludes(word.info, other.info) ? [{ other, sentence, isSame }] : [];
    }),
  );
}

function pairOf(word: SentenceWord, claim: Sentence, places: readonly RelatedWord[]): Pair[] {
  let same: Place | undefined;
  let opposite: Place | undefined;
  const exact = new Set<boolean>();
  const alike = new Set<boolean>();
  for (const place of places) {
    const { isSame, other, sentence } = place;
    const near = nearness(claim, word.token, sentence, other.token);
    if (isSame) {
      (other.term === word.term ? exact : alike).add(other.negated);
      if (same === undefined || near > same.near) same = { ...place, near };
    } else if (opposite === undefined || near > opposite.near) opposite = { ...place, near };
  }
  const opposed = opposite !== undefined && isOpposite(word, claim, opposite, same?.near);
  const place = opposed ? opposite : same;
  if (place === undefined) return [];
  const { other, sentence } = place;
  const doubtful = !opposed && (exact.size > 0 ? exact : alike).size > 1;
  return [{ word, other, sentence, opposed, doubtful }];
}

const NEAR_MIN = 0.25;
/** Particles such as "up" are everywhere. */
const PARTICLE_NEAR_MIN = 0.55;

function isOpposite(
  word: SentenceWord,
  claim: Sentence,
  { other, sentence, near }: Place,
  sameNear: number | undefined,
): boolean {
  const isWord = word.info.weight !== "function" && other.info.weight !== "function";
  if (near < (isWord ? NEAR_MIN : PARTICLE_NEAR_MIN)) return false;
  if (sameNear !== undefined)
    return near > sameNear * (word.info.exclusive >= 0 ? LIST_OUTWEIGHS : OUTWEIGHS) + 0.1;
  // The sentence says that word as well, and nearer to its place.
  const alike = claim.words.filter((one) => one !== word && one.term === other.term);
  return !alike.some((one) => nearness(claim, one.token, sentence, other.token) >= near);
}

const UNORDERED_MET_MIN = 0.4;
/** Words behind a denial that tell best what is denied. */
const SCOPE_WORDS = 3;

function deniedOtherwise(
  claim: Sentence,
  pairs: readonly Pair[],
  window: readonly EvidenceSentence[],
): Finding[] {
  const plain = pairs.filter(({ word }) => word.info.weight !== "function");
  // Clauses in which an opposite and a denial cancel out: "keep shut" for "do not open".
  const settled = plain.filter(({ opposed }) => opposed);
  for (const reach of scopesOf(claim)) {
    const { words: scope } = reach;
    if (settled.some(({ word }) => scope.includes(word))) continue;
    const met = pairs.filter(({ word }) => scope.includes(word));
    if (isMismatch(reach, met, ({ word }) => word)) {
      const words = scope.map((word) => textOf(word, claim)).join(" ");
      return [contradiction("negation_differs", `denies "${words}", the source affirms it`)];
    }
  }
  for (const sentence of window.slice(0, 2))
    for (const reach of scopesOf(sentence)) {
      const { words: scope } = reach;
      const settles = ({ other, word }: Pair) =>
        scope.includes(other) || (word.negated !== other.negated && other.clause === scope[0]!.clause);
      if (settled.some(settles)) continue;
      const met = pairs.filter((pair) => pair.sentence === sentence && scope.includes(pair.other));
      // "Eggs must not go in" denies of eggs what "Eggs are not allowed" denies.
      if (!reach.ordered && met.some(({ word }) => isInDenial(claim, word))) continue;
      if (isMismatch(reach, met, ({ other }) => other)) {
        const words = met.map(({ word }) => textOf(word, claim)).join(" ");
        return [contradiction("negation_differs", `affirms "${words}", the source denies it`)];
      }
    }
  return [];
}

function isInDenial({ clauses, denials }: Sentence, { clause }: SentenceWord): boolean {
  const { from, to } = clauses[clause]!;
  return denials.some(({ at, narrow }) => !narrow && at >= from && at < to);
}

/** What each denial reaches, its first words. */
function scopesOf(sentence: Sentence): Scope[] {
  const scopes = sentence.denials.map(({ at, to }, i): Scope => {
    const next = sentence.denials[i + 1]?.at ?? to;
    const end = Math.min(to, Math.max(next, at + 1));
    const reached = sentence.words.filter(({ token }) => token > at && token < end);
    const telling = reached.filter(({ info }) => info.weight !== "function");
    // "over the boots, not into them"
    return { words: (telling.length > 0 ? telling : reached).slice(0, SCOPE_WORDS), ordered: true };
  });
  for (const [clause, { forbids }] of sentence.clauses.entries()) {
    if (!forbids) continue;
    const words = contentIn(sentence, clause).filter(({ info }) => info.modality === undefined);
    scopes.push({ words: words.slice(0, FORBIDDEN_WORDS), ordered: false });
  }
  return scopes.filter(({ words }) => words.length > 0);
}

/** What a denial reaches. In "smoking is forbidden" no word is the first that is denied. */
interface Scope {
  readonly words: readonly SentenceWord[];
  readonly ordered: boolean;
}

const FORBIDDEN_WORDS = 5;
/** Share of the words denied on one side that must stand undenied on the other, where the first of them does not decide. */
const MISMATCH_MIN = 0.6;

/** The first word decides where it is met; otherwise most of those that are. */
function isMismatch(
  { words, ordered }: Scope,
  met: readonly Pair[],
  side: (pair: Pair) => SentenceWord,
): boolean {
  const [first] = words;
  const differs = ({ word, other, doubtful }: Pair) => word.negated !== other.negated && !doubtful;
  if (!ordered) return met.length >= words.length * UNORDERED_MET_MIN && met.length > 0 && met.every(differs);
  const head = met.find((pair) => side(pair) === first);
  if (head !== undefined && (first!.info.weight === "content" || !differs(head))) return differs(head);
  const wrong = met.filter(differs).length;
  return wrong > 0 && met.length >= words.length * MISMATCH_MIN && wrong >= met.length * MISMATCH_MIN;
}
