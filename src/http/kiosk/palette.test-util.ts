/** What a palette has to hold: contrasts of one tone on another. */
import { CONTROL, LARGE_TEXT, TEXT, type Tone } from "./palette.js";

/** What must be told apart from what, and how well. */
export const PAIRS: readonly (readonly [front: Tone, back: Tone, min: number])[] = [
  ["ink", "paper", TEXT],
  ["ink", "card", TEXT],
  ["ink", "accent-soft", TEXT],
  ["quiet", "paper", TEXT],
  ["quiet", "card", TEXT],
  ["on-accent", "accent", LARGE_TEXT],
  ["alert", "alert-soft", TEXT],
  ["accent", "paper", CONTROL],
  ["accent", "card", CONTROL],
  ["focus", "paper", CONTROL],
];
