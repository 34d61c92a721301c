/**
 * An utterance as the rules and the classifier read it: the way a speech recognizer writes it, lower case, no
 * punctuation, no accents, contractions written out, and without what people say before and after what they mean.
 */

import { commandsOf } from "./commands.js";

export interface Utterance {
  /** All of it, normalized. */
  readonly text: string;
  /** Without address, courtesy and hesitation at both ends; all of it when nothing else is left. */
  readonly core: string;
}

/** Characters that are looked at; what a turn is for is said by then. */
const CHARS_MAX = 600;

/** The same once letters and their marks are apart: single characters come to eighteen. */
const NORMALIZED_CHARS_MAX = 2 * CHARS_MAX;

export function utterance(message: string): Utterance {
  const text = normalized(message);
  return { text, core: coreOf(text) };
}

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(can|do|does|did|is|are|was|were|should|could|would|must|has|have|had)n'?t\b/g, "$1 not"],
  [/\bwon'?t\b/g, "will not"],
  [/\b(?:cannot|cant)\b/g, "can not"],
  [/\b(what|where|who|how|when|that|there|here|it|he|she)'s\b/g, "$1 is"],
  [/\b(what|where|who|how|that|there)s\b/g, "$1 is"],
  [/\b(i|you|we|they)'(?:re|m)\b/g, "$1 are"],
  [/\b(i|you|we|they)'ve\b/g, "$1 have"],
  [/\b(i|you|we|they|it|that)'(?:ll|d)\b/g, "$1 will"],
  [/\bgonna\b/g, "going to"],
  [/\bwanna\b/g, "want to"],
  [/\bgotta\b/g, "have to"],
  [/\bgimme\b/g, "give me"],
  [/\blemme\b/g, "let me"],
  [/'s\b/g, " s"],
];

function normalized(message: string): string {
  let text = message
    .slice(0, CHARS_MAX)
    .normalize("NFKD")
    .slice(0, NORMALIZED_CHARS_MAX)
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'");
  for (const [pattern, written] of CONTRACTIONS) text = text.replace(pattern, written);
  return text
    .replace(/%/g, " percent ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const BEFORE = new RegExp(
  `^(?:${[
    "please|pls|sorry|excuse me|pardon me|hey(?: there)?|hi|hello|ok|okay|right|alright|um+|uh+|er+|hmm+|well|so|now then",
    "look|listen|and then|and|then|also|but|readback|assistant|just|quick question|question",
    "can you|could you|would you|will you|can we|could we|would you mind|i (?:would|will) like you to|i (?:want|need) you to",
    "i (?:would|will) like to know|i (?:want|need) to know|do you know|any idea|tell me",
    "go ahead and|let us|time to",
    "por favor|oye|perdon|disculpa|hola|bueno|vale|a ver|y|puedes|podrias|puede|me puedes|quiero que|necesito que|dime",
    ...commandsOf("before"),
  ].join("|")}) `,
);

const AFTER = new RegExp(
  ` (?:${[
    "please|pls|thanks|thank you|mate|man|buddy|for me|over|will you|would you|can you|por favor|gracias|porfa",
    ...commandsOf("after"),
  ].join("|")})$`,
);

/** Pieces taken off each end at the most. */
const PIECES_MAX = 6;

/** Whether a normalized text is nothing but address, greeting and hesitation: "hello hello". */
export function isCourtesy(text: string): boolean {
  let rest = `${text} `;
  for (let i = 0; i < PIECES_MAX; i++) rest = rest.replace(BEFORE, "");
  return rest === "";
}

function coreOf(text: string): string {
  let core = text;
  for (let i = 0; i < PIECES_MAX; i++) {
    const shorter = core.replace(BEFORE, "").replace(AFTER, "");
    if (shorter === core) break;
    core = shorter;
  }
  return core;
}
