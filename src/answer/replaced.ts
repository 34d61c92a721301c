/** "And with antibiotics?": the question before, with the part that this names in the place of its own. Pure. */

import { tellingWords } from "../retrieval/query-terms.js";

/** The question before with its part replaced; undefined where it is not told which part is meant. */
export function withPartReplaced(question: string, prior: string): string | undefined {
  const [, preposition, part] =
    FOLLOW_UP.exec(question.trim().replace(/\s+/g, " ").slice(0, CHARS_MAX)) ?? [];
  if (part === undefined || part.split(" ").length > PART_WORDS_MAX || ASKS.test(part)) return undefined;
  if (tellingWords(part) === "") return undefined;
  const words = prior
    .trim()
    .replace(/(?<![?.!\s])[?.!\s]+$/, "")
    .replace(/\s+/g, " ")
    .slice(0, CHARS_MAX)
    .split(" ");
  const place = placeOf(part.split(" "), preposition, words);
  if (place === undefined) return preposition === "with" ? `${words.join(" ")} with ${part}?` : undefined;
  const isBehind = PREPOSITIONS.includes(words[place.from - 1]?.toLowerCase() ?? "");
  const before = words.slice(0, isBehind && preposition !== undefined ? place.from - 1 : place.from);
  const named = isBehind && preposition !== undefined ? [preposition, part] : [part];
  return `${[...before, ...named, ...words.slice(place.to)].join(" ")}?`;
}

const PREPOSITIONS = ["for", "with", "in", "on", "at", "to", "of", "from", "without"];
const CHARS_MAX = 300;
/** More words are a question of their own. */
const PART_WORDS_MAX = 5;

/** "And who repairs it?" is a question of its own. */
const ASKS =
  /^(?:who|whom|whose|what|which|when|where|why|how|is|are|do|does|did|can|may|must|should|will)\b/i;

/** What is told behind it, "they started on Monday", is no part of it. */
const ASIDE = "(?:, (?:he|she|it|they|we|i|that)(?:\\b|['’])[^?]*)?";
const FOLLOW_UP = new RegExp(
  "^(?:(?:ok|okay|right|so|and|but|then|what about|how about),? )+" +
    `(?:(${PREPOSITIONS.join("|")}) )?([^?,]{1,80}?)${ASIDE} ?\\?*$`,
  "i",
);

interface Place {
  readonly from: number;
  /** After its last word. */
  readonly to: number;
}

/**
 * Where the question before has a part of the same kind: it ends in the same word, is written alike, stands
 * behind the same preposition, or is what the question ends in.
 */
function placeOf(
  part: readonly string[],
  preposition: string | undefined,
  words: readonly string[],
): Place | undefined {
  const lower = words.map((word) => word.toLowerCase());
  const head = shapeOf(part.at(-1)!);
  const end = lower.findLastIndex((word) => shapeOf(word) === head);
  if (end >= 0) {
    const kinds = part.map(shapeOf);
    const same = end - part.length + 1;
    // "Tier 2" for "tier 1", "the heavy truck" for "the light truck".
    const from =
      same >= 0 && (part.length === 1 || shapeOf(lower[same]!) === kinds[0]) ? same : phraseStart(lower, end);
    return { from, to: end + 1 };
  }
  const before = preposition === undefined ? lower.lastIndexOf("of") : lower.lastIndexOf(preposition);
  if (before < 0) {
    const start = phraseStart(lower, lower.length - 1);
    return preposition === undefined && start < lower.length - 1
      ? { from: start, to: lower.length }
      : undefined;
  }
  const next = lower.findIndex((word, i) => i > before + 1 && PREPOSITIONS.includes(word));
  return { from: before + 1, to: next < 0 ? words.length : next };
}

/** A word's letters, and its numbers as one. */
function shapeOf(word: string): string {
  return word.toLowerCase().replace(/\p{N}+/gu, "0");
}

/** The article before a word, or the word itself. */
function phraseStart(lower: readonly string[], end: number): number {
  const article = lower.slice(0, end).findLastIndex((word) => /^(?:the|an?|our|my)$/.test(word));
  return article >= 0 && end - article <= PART_WORDS_MAX ? article : end;
}
