/**
 * Fits the curves of `src/grounding/confidence/confidence.ts` by isotonic regression (pool adjacent violators) on half of ClapNQ's
 * gold sentences and their edits, and writes them: `npm run build && node dist/bench/train-confidence.js`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Verdict } from "../src/domain/answer.js";
import { type ScoredClaim, scoredClaims } from "./support/claim-scores.js";

const TARGET = fileURLToPath(new URL("../../src/grounding/confidence/confidence-curves.ts", import.meta.url));
const VERDICTS: readonly Verdict[] = ["supported", "unsupported", "contradicted"];

/** Points of a curve at the most, before pooling. */
const GROUPS_MAX = 12;
/** Sentences of a group at the least, so that chance does not draw the curve. */
const GROUP_SIZE_MIN = 25;

interface Group {
  readonly score: number;
  readonly right: number;
  readonly weight: number;
}

const claims = scoredClaims().filter(({ half }) => half === 0);
const curves = VERDICTS.map((verdict) => {
  const points = curveOf(claims.filter((claim) => claim.verdict === verdict));
  return `  ${verdict}: [\n${points.map(([score, value]) => `    [${score}, ${value}],`).join("\n")}\n  ],`;
});
writeFileSync(
  TARGET,
  `/**
 * The curves of \`confidence.ts\`, by verdict. Written by \`bench/train-confidence.ts\` from ${claims.length} sentences of ClapNQ
 * and their edits, weighed as if half of all sentences were edited; \`npm run bench -- calibration\` judges them.
 */
import type { Verdict } from "../../domain/answer.js";
import type { CalibrationCurve } from "./confidence-curve.js";

export const CLAIM_CURVES: Readonly<Record<Verdict, CalibrationCurve>> = {
${curves.join("\n")}
};
`,
);

function curveOf(own: readonly ScoredClaim[]): readonly (readonly [string, string])[] {
  const sorted = [...own].sort((a, b) => a.score - b.score);
  const size = Math.max(GROUP_SIZE_MIN, Math.ceil(sorted.length / GROUPS_MAX));
  const groups: Group[] = [];
  for (let from = 0; from < sorted.length; ) {
    let to = Math.min(sorted.length, from + size);
    // What scores alike belongs together.
    while (to < sorted.length && sorted[to]!.score === sorted[to - 1]!.score) to++;
    push(groups, groupOf(sorted.slice(from, to)));
    from = to;
  }
  return groups.map(({ right, score, weight }) => [
    (score / weight).toFixed(3),
    // Never quite sure: one right and one wrong are added to each.
    ((right + 1) / (weight + 2)).toFixed(3),
  ]);
}

function groupOf(members: readonly ScoredClaim[]): Group {
  const sum = (value: (claim: ScoredClaim) => number) =>
    members.reduce((total, claim) => total + claim.weight * value(claim), 0);
  return { score: sum(({ score }) => score), right: sum(({ label }) => label), weight: sum(() => 1) };
}

/** Groups whose shares would fall are pooled. */
function push(groups: Group[], next: Group): void {
  let last = next;
  for (
    let before = groups.at(-1);
    before !== undefined && share(before) >= share(last);
    before = groups.at(-1)
  ) {
    groups.pop();
    last = {
      score: before.score + last.score,
      right: before.right + last.right,
      weight: before.weight + last.weight,
    };
  }
  groups.push(last);
}

function share({ right, weight }: Group): number {
  return (right + 1) / (weight + 2);
}
