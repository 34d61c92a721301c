/** Whether what a sentence affirms and denies, opens and shuts, is what the evidence affirms and denies. */
import type { EvidenceSentence } from "./evidence.js";
import { contradiction, type Finding } from "./finding.js";
import { nearness } from "./nearness.js";
import type { Sentence, Word } from "./sentence.js";

/** A word of the sentence with the word of the evidence that it speaks of. */
interface Pair {
  readonly word: Word;
  readonly other: Word;
  readonly sentence: EvidenceSentence;
  /** The other word means the opposite. */
  readonly opposed: boolean;
  /** Another place of the evidence has the word with the other polarity. */
  readonly doubtful: boolean;
}

export function checkPolarity(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  const pairs = claim.words.flatMap((word) => pairOf(word, claim, window));
  const opposite = pairs.find(
    (pair) => pair.opposed && pair.word.negated === pair.other.negated && !pair.doubtful,
  );
  if (opposite !== undefined) {
    const [ours, theirs] = [textOf(opposite.word, claim), textOf(opposite.other, opposite.sentence)];
    return [contradiction("opposite_state", `says "${ours}", the source says "${theirs}"`)];
  }
  return deniedOtherwise(claim, pairs, window);
}

function textOf({ token }: Word, { tokens }: Sentence): string {
  return tokens[token]!.text;
}

/** How much nearer a word of opposite meaning must be than the same word, to be the one that is meant. */
const OUTWEIGHS = 1.5;

function pairOf(word: Word, claim: Sentence, window: readonly EvidenceSentence[]): Pair[] {
  let same: { other: Word; sentence: EvidenceSentence; near: number } | undefined;
  let opposite: typeof same;
  const polarities = new Set<boolean>();
  for (const sentence of window)
    for (const other of sentence.words) {
      const isSame = other.term === word.term || sharesPole(word, other, 1);
      if (!isSame && !sharesPole(word, other, -1)) continue;
      const near = nearness(claim, word.token, sentence, other.token);
      if (isSame) {
        polarities.add(other.negated);
        if (same === undefined || near > same.near) same = { other, sentence, near };
      } else if (opposite === undefined || near > opposite.near) opposite = { other, sentence, near };
    }
  if (opposite !== undefined && isOpposite(word, claim, opposite, same?.near)) {
    const { other, sentence } = opposite;
    return [{ word, other, sentence, opposed: true, doubtful: false }];
  }
  if (same === undefined) return [];
  const { other, sentence } = same;
  return [{ word, other, sentence, opposed: false, doubtful: polarities.size > 1 }];
}

function isOpposite(
  word: Word,
  claim: Sentence,
  { other, sentence, near }: { other: Word; sentence: EvidenceSentence; near: number },
  sameNear: number | undefined,
): boolean {
  const needed =
    word.info.weight === "content" && other.info.weight === "content" ? NEAR_MIN : PARTICLE_NEAR_MIN;
  if (near < needed) return false;
  if (sameNear !== undefined) return near > sameNear * OUTWEIGHS + 0.2;
  // The sentence has both: "from cold to hot" says as much as "from hot to cold" does.
  return !claim.words.some(
    (one) =>
      one !== word && one.term === other.term && nearness(claim, one.token, sentence, other.token) >= near,
  );
}

const NEAR_MIN = 0.25;
/** Particles such as "up" are everywhere. */
const PARTICLE_NEAR_MIN = 0.55;

/** Words that compare or place, whose sense hangs on the order of what they join: see `check-roles.ts`. */
const JOINING: ReadonlySet<string> = new Set([
  "before",
  "after",
  "prior",
  "following",
  "with",
  "in",
  "into",
  "inside",
  "within",
]);

function sharesPole(word: Word, other: Word, sign: 1 | -1): boolean {
  if (word.info.poles.length === 0 || other.info.poles.length === 0) return false;
  if (sign === 1 && (word.info.weight === "function" || other.info.weight === "function")) return false;
  if (JOINING.has(word.info.stem) || JOINING.has(other.info.stem)) return false;
  return word.info.poles.some(({ axis, sign: own }) =>
    other.info.poles.some((pole) => pole.axis === axis && pole.sign === own * sign),
  );
}

/** Share of the words denied on one side that must stand undenied on the other. */
const MISMATCH_MIN = 0.6;
/** Words behind a denial that tell best what is denied. */
const SCOPE_WORDS = 3;

function deniedOtherwise(
  claim: Sentence,
  pairs: readonly Pair[],
  window: readonly EvidenceSentence[],
): Finding[] {
  const plain = pairs.filter(({ word }) => word.info.weight !== "function");
  // Clauses in which an opposite and a denial cancel out: "keep shut" for "do not open".
  const settled = new Set(plain.filter(({ opposed }) => opposed).map(({ word }) => word.clause));
  const settledThere = new Set(plain.filter(({ opposed }) => opposed).map(({ other }) => other));
  for (let clause = 0; clause < claim.clauses.length; clause++) {
    if (settled.has(clause)) continue;
    const denied = plain.filter(({ word }) => word.clause === clause && word.negated).slice(0, SCOPE_WORDS);
    const wrong = denied.filter(({ word, other, doubtful }) => word.negated !== other.negated && !doubtful);
    if (denied.length > 0 && wrong.length / denied.length >= MISMATCH_MIN)
      return [
        contradiction(
          "negation_differs",
          `denies "${denied.map(({ word }) => textOf(word, claim)).join(" ")}", the source affirms it`,
        ),
      ];
  }
  for (const sentence of window.slice(0, 2)) {
    for (let clause = 0; clause < sentence.clauses.length; clause++) {
      const there = sentence.words.filter(
        (word) => word.clause === clause && word.negated && word.info.weight !== "function",
      );
      if (there.length === 0 || there.some((word) => settledThere.has(word))) continue;
      const scope = there.slice(0, SCOPE_WORDS);
      const met = plain.filter((pair) => pair.sentence === sentence && scope.includes(pair.other));
      const wrong = met.filter(({ word, other, doubtful }) => word.negated !== other.negated && !doubtful);
      if (met.length >= scope.length * MISMATCH_MIN && wrong.length / met.length >= MISMATCH_MIN)
        return [
          contradiction(
            "negation_differs",
            `affirms "${met.map(({ word }) => textOf(word, claim)).join(" ")}", the source denies it`,
          ),
        ];
    }
  }
  return [];
}
