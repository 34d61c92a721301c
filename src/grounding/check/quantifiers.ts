/** "All", "some" and "only": whether a sentence speaks of as many as the evidence does. */

import { rowByWord } from "../../lib/word-set.js";
import { unitNamed } from "../../words/quantity/units.js";
import type { EvidenceSentence } from "../evidence.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding } from "./check.js";

type Extent = "all" | "rest" | "some" | "only" | "one";

const EXTENTS = rowByWord<Extent>({
  all: "all every each everybody everyone everything always anywhere everywhere anybody anyone",
  some: "some sometimes partly certain few several most many",
  only: "only solely exclusively",
});

/** What is said and what the source says, where one is not the other. */
const DIFFERENT: Partial<Record<Extent, readonly Extent[]>> = {
  all: ["some", "only", "rest"],
  rest: ["some", "only"],
  some: ["all"],
  one: ["all"],
};

export function checkQuantifiers(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  const theirs = window.flatMap((sentence) =>
    [...extentsOf(sentence)].map(([bt, extent]) => ({ bt, extent, sentence })),
  );
  for (const [at, ours] of extentsOf(claim)) {
    const noun = nounOf(claim, at);
    const ofNoun = theirs.filter(({ bt, sentence }) => noun !== undefined && nounOf(sentence, bt) === noun);
    const other = ofNoun.find(({ extent }) => DIFFERENT[ours]?.includes(extent));
    if (other === undefined || ofNoun.some(({ extent }) => extent === ours)) continue;
    const [says, known] = [claim.tokens[at]!.text, other.sentence.tokens[other.bt]!.text];
    return [contradiction("comparator_differs", `says "${says}", the source says "${known}"`)];
  }
  return [];
}

/** What it speaks of so many of: the next content word. */
function nounOf({ tokens, words }: Sentence, at: number): string | undefined {
  const from = at + (restOf(tokens, at) ?? 0);
  const content = words.filter(({ info }) => info.weight === "content");
  return content.find(({ token }) => token > from && token <= at + NOUN_TOKENS_MAX)?.term;
}

const NOUN_TOKENS_MAX = 4;

/** Tokens from "all" to the word that excepts some: "all other", "all of the remaining"; undefined where none does. */
function restOf(tokens: Sentence["tokens"], at: number): number | undefined {
  const words = tokens.slice(at, at + NOUN_TOKENS_MAX).map(({ lower }) => lower);
  const excepts = words.findIndex((lower) => /^(?:other|remaining|following)$/.test(lower));
  const isBehindAll =
    words[0] === "all" && words.slice(1, excepts).every((lower) => /^(?:of|the|these)$/.test(lower));
  return excepts > 0 && isBehindAll ? excepts : undefined;
}

/** Tokens that say of how many a sentence speaks; "at least some" and "all of" alike. */
function extentsOf({ tokens }: Sentence): Map<number, Extent> {
  const found = new Map<number, Extent>();
  tokens.forEach(({ lower }, at) => {
    const next = tokens[at + 1]?.lower ?? "";
    const extent = next === "of" && /^(?:any|one|either)$/.test(lower) ? "one" : EXTENTS.get(lower);
    const before = tokens[at - 1]?.lower ?? "";
    if (extent === undefined || /^(?:not|at|the|a)$/.test(before)) return;
    // "every month" says how often.
    if (unitNamed(next)?.dimension === "time" || tokens[at + 1]?.kind === "number") return;
    found.set(at, restOf(tokens, at) === undefined ? extent : "rest");
  });
  return found;
}
