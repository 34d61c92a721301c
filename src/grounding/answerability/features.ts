/**
 * What can be seen of a question and the passages found for it that tells whether they answer it: how much of the
 * question its best sentence, step or row meets in the same or in other words, whether what meets it is of the kind that
 * was asked for, how much passage and question are about the same, and how clearly one passage is ahead.
 */
import type { Passage } from "../../domain/passage.js";
import { expectedOf } from "../../extractive/expected-kind.js";
import { once } from "../../lib/once.js";
import { keptMeaning, likeness, meaningOf } from "../../words/meaning/meaning.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { AskedWords, better, type Met, unitsMet, wordsOf } from "./asked-words.js";

/** In the order of the values that `featuresOf` gives. */
export const FEATURES = [
  // How much of the question is met by the best unit that is of the kind asked for.
  "met by the kind asked",
  // 1 where that unit meets about as much as any other, -1 where it meets less, 0 where any kind will do.
  "shows the kind",
  // How much the passage that is most about the same as the question is so.
  "about the same",
  // How far the best passage is ahead of the next, by both.
  "ahead of the second",
  // The share of the best unit's words that the question does not have.
  "says more",
] as const;

/** A unit that meets so much of what the best meets is as good. */
const AS_GOOD = 0.7;

/** What stands before a unit counts so much of what stands in it. */
const BEFORE_FACTOR = 0.7;

/** Where there is hardly another passage, the best is as far ahead as one of twenty is. */
const AHEAD_MAX = 0.35;

/** How alike questions and passages are on average: taken for those in a language that has no vectors. */
const USUAL_LIKENESS = 0.5;

/** Undefined when there is no passage, or nothing in the question to look for. */
export function featuresOf(question: string, passages: readonly Passage[]): readonly number[] | undefined {
  const asked = new AskedWords(question);
  if (passages.length === 0 || asked.count === 0) return undefined;
  const about = meaningOf(question);
  const read = passages.map((passage) => profileOf(passage, asked, about));
  const units = read.flatMap((one) => one.units).sort((a, b) => b.met - a.met);
  const kind = expectedOf(question.slice(0, SENTENCE_CHARS_MAX));
  const best = units[0];
  const ofKind = kind === undefined ? best : units.find(({ text }) => kind.test(text));
  const [met, shown] = [best?.met ?? 0, ofKind?.met ?? 0];
  const isShown = shown > 0 && shown >= AS_GOOD * met;
  const [first = 0, second = 0] = read.map((one) => (one.met + one.about) / 2).sort((a, b) => b - a);
  const seen: Record<(typeof FEATURES)[number], number> = {
    "met by the kind asked": shown,
    "shows the kind": kind === undefined ? 0 : isShown ? 1 : -1,
    "about the same": Math.max(...read.map((one) => one.about)),
    "ahead of the second": Math.min(AHEAD_MAX, first - second),
    "says more": best === undefined ? 0 : asked.missedIn(wordsOf(best.text)),
  };
  return FEATURES.map((name) => seen[name]);
}

const passageMeaning = once(({ text, title }: Passage) => keptMeaning(`${title}\n${text}`));

/** A passage as the question looks at it: how much both are about the same, and how much of it units meet, 0–1. */
function profileOf(passage: Passage, asked: AskedWords, about: Float32Array) {
  let before: Met | undefined;
  const units = [...unitsMet(passage, asked)].map(({ held, own, unit }) => {
    const inPlace = before === undefined ? held : better(held, before, BEFORE_FACTOR);
    before = own;
    return { text: unit.text.slice(0, SENTENCE_CHARS_MAX), met: asked.share(inPlace) };
  });
  return {
    about: likeness(about, passageMeaning(passage)) || USUAL_LIKENESS,
    met: Math.max(0, ...units.map(({ met }) => met)),
    units,
  };
}
