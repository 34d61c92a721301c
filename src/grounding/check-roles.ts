/** Who does what to whom: "the supervisor tells the operator" is not "the operator tells the supervisor". */
import type { EvidenceSentence } from "./evidence.js";
import { contradiction, type Finding } from "./finding.js";
import type { Sentence } from "./sentence.js";

/** Words on each side of the verb or preposition that are looked at. */
const SIDE_WORDS = 2;
const SIDE_TOKENS = 6;

/** Prepositions whose sides cannot be exchanged. */
const PIVOTS: ReadonlySet<string> = new Set(
  "on onto in into under over from to above below behind than before after until at inside".split(" "),
);
const MIRRORED: Readonly<Record<string, string>> = {
  before: "after",
  after: "before",
  above: "below",
  below: "above",
  over: "under",
  under: "over",
};

interface Sides {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

export function checkRoles(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  for (let at = 1; at < claim.tokens.length - 1; at++) {
    const info = claim.infos[at]!;
    const { lower, kind } = claim.tokens[at]!;
    const isPreposition = PIVOTS.has(lower);
    if (kind !== "word" || (!isPreposition && info.weight === "function")) continue;
    const ours = sidesOf(claim, at);
    if (ours.left.length === 0 || ours.right.length === 0) continue;
    for (const sentence of window) {
      const finding = isPreposition
        ? comparePreposition(claim, at, ours, sentence)
        : compareVerb(claim, at, ours, sentence);
      if (finding !== undefined) return [finding];
    }
  }
  return [];
}

function comparePreposition(
  claim: Sentence,
  at: number,
  ours: Sides,
  sentence: EvidenceSentence,
): Finding | undefined {
  const { lower } = claim.tokens[at]!;
  let crossed = false;
  for (let bt = 1; bt < sentence.tokens.length - 1; bt++) {
    const other = sentence.tokens[bt]!.lower;
    if (other !== lower && MIRRORED[lower] !== other) continue;
    const relation = relationOf(ours, sidesOf(sentence, bt));
    if (relation === "none") continue;
    if ((relation === "crossed") === (other === lower)) crossed = true;
    else return undefined;
  }
  return crossed ? swapped(claim, at, sentence) : undefined;
}

function compareVerb(
  claim: Sentence,
  at: number,
  ours: Sides,
  sentence: EvidenceSentence,
): Finding | undefined {
  const { term } = claim.infos[at]!;
  let crossed = false;
  for (const { token, term: other } of sentence.words) {
    if (other !== term) continue;
    const relation = relationOf(ours, sidesOf(sentence, token));
    if (relation === "none") continue;
    const turned = isPassive(claim, at) !== isPassive(sentence, token);
    if ((relation === "crossed") !== turned) crossed = true;
    else return undefined;
  }
  return crossed ? swapped(claim, at, sentence) : undefined;
}

function swapped(claim: Sentence, at: number, sentence: EvidenceSentence): Finding {
  return contradiction(
    "roles_swapped",
    `exchanges what stands before and behind "${claim.tokens[at]!.text}" in "${sentence.text}"`,
  );
}

/** The nearest content words of the clause on each side, those of quantities and particles left out. */
function sidesOf({ tokens, infos }: Sentence, at: number): Sides {
  const side = (step: 1 | -1): string[] => {
    const terms: string[] = [];
    for (let i = at + step; i >= 0 && i < tokens.length && Math.abs(i - at) <= SIDE_TOKENS; i += step) {
      const token = tokens[i]!;
      if (token.kind === "stop" || BREAKS.has(token.lower)) break;
      if (token.kind === "code" || (token.kind === "word" && infos[i]!.weight !== "function"))
        terms.push(infos[i]!.term);
      if (terms.length === SIDE_WORDS) break;
    }
    return terms;
  };
  return { left: side(-1), right: side(1) };
}

const BREAKS: ReadonlySet<string> = new Set(
  "and or but if when unless that who which because while".split(" "),
);

function relationOf(ours: Sides, theirs: Sides): "straight" | "crossed" | "none" {
  const shares = (a: readonly string[], b: readonly string[]) => a.some((term) => b.includes(term));
  if (shares(ours.left, theirs.left) || shares(ours.right, theirs.right)) return "straight";
  return shares(ours.left, theirs.right) && shares(ours.right, theirs.left) ? "crossed" : "none";
}

/** "is called by": a form of "be" before it, "by" behind. */
function isPassive({ tokens }: Sentence, at: number): boolean {
  const behind = [1, 2, 3].some((i) => tokens[at + i]?.lower === "by");
  const before = [1, 2, 3].some((i) =>
    /^(?:is|are|was|were|be|been|being)$/.test(tokens[at - i]?.lower ?? ""),
  );
  return behind && (before || /(?:ed|en)$/.test(tokens[at]!.lower));
}
