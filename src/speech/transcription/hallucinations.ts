/**
 * What Whisper writes when it hears nothing. It was trained on subtitles of films, and where nobody speaks it gives the
 * thanks, credits and appeals that subtitles have there (https://github.com/openai/whisper/discussions/679). Nobody asks
 * a colleague by radio any of the following. All of it is in the form that `normalized` gives.
 */
import { shippedRows } from "../../lib/shipped-files.js";

/** Whole sentences: nobody says them into a radio. */
export const NEVER_SAID: ReadonlySet<string> = new Set(shippedRows("locales/words/never-said.txt"));

/** How the credits of subtitles begin; names and years follow. */
export const CREDITS = shippedRows("locales/words/credits.txt");

/** Credits are short; a longer sentence that begins like one is somebody's question. */
export const CREDITS_WORDS_MAX = 12;

/** Said by people, too: counts as nothing only where the recogniser itself doubts that somebody spoke. */
export const SELDOM_SAID: ReadonlySet<string> = new Set(shippedRows("locales/words/seldom-said.txt"));

/** Lower case, words and numbers only, single spaces. */
export function normalized(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
