/**
 * Another word in the same place: "leather gloves" where the source has "nitrile gloves". Where both neighbours of an
 * unknown word are those of one word of the evidence, the sentence says something else of the same thing.
 */
import type { EvidenceSentence } from "../evidence.js";
import type { Sentence, SentenceWord } from "../sentence/sentence.js";
import { contradiction, type Finding } from "./finding.js";

export function checkSlots(
  claim: Sentence,
  window: readonly EvidenceSentence[],
  known: ReadonlySet<string>,
): Finding[] {
  const [first] = window;
  const ours = contentOf(claim);
  const theirs = contentOf(first!);
  for (let at = 0; at < ours.length; at++) {
    const word = ours[at]!;
    if (known.has(word.term) || word.info.poles.length > 0 || isVerb(word, claim)) continue;
    if (window.some(({ terms }) => terms.has(word.term))) continue;
    for (let bt = 0; bt < theirs.length; bt++) {
      const other = theirs[bt]!;
      if (claim.terms.has(other.term) || !sameNeighbours(ours, at, theirs, bt)) continue;
      const [says, has] = [claim.tokens[word.token]!.text, first!.tokens[other.token]!.text];
      return [contradiction("other_subject", `says "${says}", the source says "${has}"`)];
    }
  }
  return [];
}

/** Verbs have too many synonyms to tell: those of the list, participles, and what has an object behind it. */
function isVerb({ token, info }: SentenceWord, { tokens }: Sentence): boolean {
  const next = tokens[token + 1];
  if (info.action || /(?:ed|ing)$/.test(tokens[token]!.lower)) return true;
  return (
    next?.kind === "number" ||
    /^(?:a|an|the|your|his|her|its|their|it|them|on|off|up|down|out)$/.test(next?.lower ?? "")
  );
}

function contentOf({ words }: Sentence): readonly SentenceWord[] {
  return words.filter(({ info }) => info.weight === "content");
}

/** Both neighbours are the same; at an end of the sentence, the two on the one side. */
function sameNeighbours(
  ours: readonly SentenceWord[],
  at: number,
  theirs: readonly SentenceWord[],
  bt: number,
): boolean {
  const same = (i: number, j: number) => ours[i] !== undefined && ours[i]?.term === theirs[j]?.term;
  const [left, right] = [same(at - 1, bt - 1), same(at + 1, bt + 1)];
  if (left && right) return true;
  if (left && at === ours.length - 1 && bt === theirs.length - 1) return same(at - 2, bt - 2);
  return right && at === 0 && bt === 0 && same(at + 2, bt + 2);
}
