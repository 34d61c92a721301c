/** How long a step is to listen to. Pure. */
import { speakableIn } from "../../speech/spoken/speakable-in.js";
import { optionsOf, withNames } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";

/** Seconds that somebody listens to one step. */
export const STEP_SECONDS_MAX = 15;
/** Characters that a voice says in a second: 150 words a minute of six characters each, the blank counted. */
const CHARACTERS_PER_SECOND = 15;

/** What is said of a step when it is come to, in this order: its warning, what is to be done, what can be answered. */
export function spokenParts(step: GuideStep): readonly string[] {
  const parts = [step.warning, step.text ?? step.title, ...optionsOf(step).map(({ label }) => label)];
  return parts.filter((part) => part !== undefined);
}

/** Seconds that `text` takes to say in the language of this BCP 47 tag, numbers and units as they are spoken. */
export function speechSeconds(text: string, language: string): number {
  return speakableIn(withNames(text), language).length / CHARACTERS_PER_SECOND;
}
