/** "All", "some" and "only": whether a sentence speaks of as many as the evidence does. */

import { unitNamed } from "../../words/quantity/units.js";
import type { EvidenceSentence } from "../evidence.js";
import { PAIRS_MAX } from "../limits.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, tooManyPairs } from "./finding.js";
import { nearness } from "./nearness.js";

type Extent = "all" | "some" | "only";

const EXTENTS: ReadonlyMap<string, Extent> = new Map(
  (
    [
      ["all", "all every each everybody everyone everything always anywhere everywhere anybody anyone"],
      ["some", "some sometimes partly certain few several most many"],
      ["only", "only solely exclusively"],
    ] as const
  ).flatMap(([extent, words]) => words.split(" ").map((word): [string, Extent] => [word, extent])),
);

/** What is said and what the source says, where one is not the other. */
const DIFFERENT: ReadonlySet<string> = new Set(["all some", "all only", "some all"]);

export function checkQuantifiers(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  const theirs = window.flatMap((sentence) =>
    [...extentsOf(sentence)].map(([bt, extent]) => ({ bt, extent, sentence })),
  );
  const said = extentsOf(claim);
  if (said.size * theirs.length > PAIRS_MAX) return [tooManyPairs()];
  for (const [at, ours] of said) {
    // The same word, or one that says as much, anywhere in the window.
    if (theirs.some(({ extent }) => extent === ours)) continue;
    const rival = theirs.find(
      ({ bt, extent, sentence }) =>
        DIFFERENT.has(`${ours} ${extent}`) && nearness(claim, at, sentence, bt) >= NEAR_MIN,
    );
    if (rival !== undefined) {
      const [says, known] = [claim.tokens[at]!.text, rival.sentence.tokens[rival.bt]!.text];
      return [contradiction("comparator_differs", `says "${says}", the source says "${known}"`)];
    }
  }
  return [];
}

const NEAR_MIN = 0.3;

/** Tokens that say of how many a sentence speaks; "at least some" and "all of" alike. */
function extentsOf({ tokens, denials }: Sentence): Map<number, Extent> {
  const found = new Map<number, Extent>();
  tokens.forEach(({ lower }, at) => {
    const extent = EXTENTS.get(lower);
    const before = tokens[at - 1]?.lower ?? "";
    if (extent === undefined || /^(?:not|at|the|a)$/.test(before)) return;
    // "every month" says how often.
    if (unitNamed(tokens[at + 1]?.lower ?? "")?.dimension === "time" || tokens[at + 1]?.kind === "number")
      return;
    if (extent === "all" && denials.some((denial) => at > denial.at && at < denial.to)) return;
    found.set(at, extent);
  });
  return found;
}
