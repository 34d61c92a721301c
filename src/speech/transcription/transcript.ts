/**
 * What was understood, judged: a transcript in which somebody really said something, or nothing. Pure.
 */
import type { HeardWord, RecognitionResult } from "../speech-to-text.js";
import { CREDITS, CREDITS_WORDS_MAX, NEVER_SAID, normalized, SELDOM_SAID } from "./hallucinations.js";

/** A stretch of the transcript and how sure Whisper is of it; what a server does not tell is absent. */
export interface TranscriptSegment {
  readonly text: string;
  /** 0 to 1. */
  readonly noSpeechProbability?: number | undefined;
  /** Mean natural logarithm of the tokens' probabilities: 0 is certain. */
  readonly meanLogProbability?: number | undefined;
  /** Characters by compressed characters: high where the text repeats itself. */
  readonly compressionRatio?: number | undefined;
}

export interface Transcript {
  readonly text: string;
  /** As the server tells it: a tag, or the English name. */
  readonly language?: string | undefined;
  /** Absent where the server gives none. */
  readonly segments?: readonly TranscriptSegment[] | undefined;
  /** Absent where the server does not tell how sure it is of each. */
  readonly words?: readonly HeardWord[] | undefined;
}

/** What somebody said; `prompt` is what the recogniser was given, which it may repeat instead of listening. */
export function understood(transcript: Transcript, prompt: string | undefined): RecognitionResult {
  const text = sentences(spokenText(transcript))
    .filter((sentence) => !isMadeUp(sentence))
    .join(" ");
  if (!/[\p{L}\p{N}]/u.test(text) || repeatsItself(text) || repeatsPrompt(text, prompt)) {
    return { type: "nothing", reason: "unintelligible" };
  }
  const language = languageTag(transcript.language);
  const { words = [] } = transcript;
  return { type: "words", text, language, ...(words.length === 0 ? {} : { words }) };
}

// Whisper's own thresholds (https://github.com/openai/whisper/blob/main/whisper/transcribe.py).
const NO_SPEECH_PROBABILITY = 0.6;
const MEAN_LOG_PROBABILITY = -1;
const COMPRESSION_RATIO = 2.4;

/** The segments in which somebody speaks, put together. */
function spokenText({ text, segments }: Transcript): string {
  if (segments === undefined || segments.length === 0) return text;
  const spoken = segments.filter((segment) => !isNoise(segment));
  return spoken.length === segments.length ? text : spoken.map((segment) => segment.text).join(" ");
}

function isNoise({
  text,
  noSpeechProbability = 0,
  meanLogProbability = 0,
  ...rest
}: TranscriptSegment): boolean {
  if ((rest.compressionRatio ?? 0) > COMPRESSION_RATIO) return true;
  if (noSpeechProbability <= NO_SPEECH_PROBABILITY) return false;
  return meanLogProbability < MEAN_LOG_PROBABILITY || SELDOM_SAID.has(normalized(text));
}

/** Notes of sounds, as subtitles for deaf people have them: `[BLANK_AUDIO]`, `♪`; and marks of Whisper itself. */
const SOUNDS = /\[[^\]]{0,60}\]|<\|[^|]{0,60}\|>|[♩♪♫♬]+/gu;
/** `(music)` or `*coughs*`, when nothing else is said. */
const ASIDES = /^(?:(?:\([^()]{0,60}\)|\*[^*]{0,60}\*)[\s.!?…]*)+$/u;

function sentences(text: string): string[] {
  return text
    .replace(SOUNDS, " ")
    .replace(/\s+/g, " ")
    .trim()
    .split(/(?<=[.!?…])\s+/u)
    .filter((sentence) => sentence !== "");
}

function isMadeUp(sentence: string): boolean {
  const said = normalized(sentence);
  if (ASIDES.test(sentence) || NEVER_SAID.has(said)) return true;
  return (
    said.split(" ").length <= CREDITS_WORDS_MAX &&
    CREDITS.some((credit) => said === credit || said.startsWith(`${credit} `))
  );
}

/** Nobody says the same so often: "mayday" is said three times. */
const REPETITIONS_MAX = 5;
const REPEATED_WORDS_MAX = 12;

/** Whether the text is one phrase over and over. */
function repeatsItself(text: string): boolean {
  const words = normalized(text).split(" ");
  for (let length = 1; length <= REPEATED_WORDS_MAX && length * REPETITIONS_MAX < words.length; length++) {
    if (words.every((word, at) => word === words[at % length])) return true;
  }
  return false;
}

/** Whether the text is a stretch of the prompt's list; one entry alone may well have been said. */
function repeatsPrompt(text: string, prompt: string | undefined): boolean {
  if (prompt === undefined) return false;
  const said = ` ${normalized(text)} `;
  if (!` ${normalized(prompt)} `.includes(said)) return false;
  return !prompt.split(",").some((entry) => ` ${normalized(entry)} `.includes(said));
}

/** A BCP 47 tag for a tag, or for a language's English name, which is what `verbose_json` has. */
function languageTag(language: string | undefined): string | undefined {
  const name = language?.trim().toLowerCase() ?? "";
  if (/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/.test(name)) return Intl.getCanonicalLocales(name)[0];
  return tagsByName().get(name);
}

let knownTags: ReadonlyMap<string, string> | undefined;

/** `ukrainian` to `uk`, for all languages that have a code of two letters. */
function tagsByName(): ReadonlyMap<string, string> {
  if (knownTags !== undefined) return knownTags;
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  knownTags = new Map(
    codes.flatMap((code) => {
      const name = names.of(code)?.toLowerCase();
      // Codes that were given up, such as `iw`, have the name of their successor.
      return name === undefined || Intl.getCanonicalLocales(code)[0] !== code ? [] : [[name, code]];
    }),
  );
  return knownTags;
}
