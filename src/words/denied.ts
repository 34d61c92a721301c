/** What an English text says is not so: "does not breathe", "no tow bar". Not what it forbids. */
import { pattern } from "../lib/pattern.js";

/** The words of what is denied, in order. Linear in the text. */
export function deniedIn(text: string): readonly string[] {
  if (!DENIES.test(text)) return [];
  const words =
    text
      .replace(/’/g, "'")
      .match(WORDS)
      ?.map((word) => word.toLowerCase()) ?? [];
  return words.flatMap((word, at) => {
    if (/^(?:no|without)$/.test(word)) return thingFrom(words, at + 1);
    if (!/^(?:not|cannot|\p{L}+n't)$/u.test(word) || isForbidden(words, at)) return [];
    const verb = BESIDE_VERB.test(words[at + 1] ?? "") ? at + 2 : at + 1;
    return HAVING.test(words[verb] ?? "") ? thingFrom(words, verb + 1) : words.slice(verb, verb + 1);
  });
}

/** "Must not", "may I not", "do not enter"; and "can't I", which is no denial either. */
function isForbidden(words: readonly string[], at: number): boolean {
  const [second = ".", before = ".", word = ".", next = "."] = [-2, -1, 0, 1].map((by) => words[at + by]);
  if (ASKED_OF.test(next) || FORBIDDING.test(word)) return true;
  if (FORBIDDING.test(before) || (FORBIDDING.test(second) && ASKED_OF.test(before))) return true;
  const subject = word === "don't" ? before : before === "do" ? second : undefined;
  return subject !== undefined && BEGINS.test(subject);
}

/** The words of a thing, from the first of them on. */
function thingFrom(words: readonly string[], from: number): readonly string[] {
  const own = words
    .slice(from, from + THING_WORDS_MAX)
    .filter((word) => !/^(?:an?|any|the|more)$/.test(word));
  const end = own.findIndex((word) => BOUNDARY.test(word));
  return end === -1 ? own : own.slice(0, end);
}

const THING_WORDS_MAX = 4;
const DENIES = /\b(?:no|not|without|cannot)\b|n['’]t\b/i;

/** What a cell says of a thing that is not there. */
export const NEGATIVE = /^(?:no|none|nil|never|not\b.{0,40}|[-–—]|n\/a)\.?$/i;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}'-]*|[^\s\p{L}\p{N}]/gu;
const BESIDE_VERB = /ly$|^(?:yet|even|always|been?|being|to)$/;
const HAVING = /^(?:have|has|had|get|gets|got)$/;
const FORBIDDING = /^(?:must|may|should|shall|can|could|would|never)(?:n't)?$/;
const ASKED_OF = /^(?:i|we|you|they|he|she|it|there|the|an?|my|our)$/;
const BEGINS = /^(?:[^\p{L}\p{N}]|and|or|but|then|so|please)/u;
const BOUNDARY = pattern("u")`
  ^(?:[^\p{L}\p{N}].*|if|when|where|is|are|was|were|do|does|did|has|have|had|can|may|must|should|will|in|on|at|for
  |to|of|from|with|by|and|or|but|than|that|which|who|before|after|during|what|how|i|we|you)$
`;
