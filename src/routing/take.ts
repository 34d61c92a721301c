/**
 * The first look at what a user says: whether it answers what the chat has open. A yes, a no and a "never mind" are
 * commands; an option is chosen by its place, or by words that it has and no other. Pure.
 */
import type { Option, Pending, PendingQuestion } from "../domain/dialogue.js";
import type { Intent } from "../locale/commands/intents.js";
import { PhraseList } from "../locale/commands/lists.js";
import { NUMBER_WORDS } from "../words/number-words.js";
import { commands } from "./commands.js";
import { type NormalizedMessage, utterance } from "./normalized-message.js";

export type PendingMatch =
  | { readonly type: "chosen"; readonly pending: PendingQuestion; readonly option: Option }
  | { readonly type: "refused" | "cancelled"; readonly pending: PendingQuestion }
  /** A yes to several options. */
  | { readonly type: "unclear"; readonly pending: PendingQuestion }
  /** A yes or a no, and nothing waits for one. */
  | { readonly type: "answers_nothing" }
  | { readonly type: "not_about_it" };

/** Words of a reply at the most: who says more says something of their own. */
const REPLY_WORDS_MAX = 12;

/**
 * What `message` is to what is open, the newest of it first. A reply in any language counts, since it is too short to
 * tell its own. An option's words are compared without the forms of words.
 */
export function take(pending: readonly Pending[], message: string): PendingMatch {
  const said = utterance(message);
  const intents = intentsOf(said);
  for (const one of pending.filter(isQuestion).toReversed()) {
    const taken = takenBy(one, said, intents);
    if (taken !== undefined) return taken;
  }
  const isBare = pending.length === 0 && isAnswer(intents);
  return { type: isBare ? "answers_nothing" : "not_about_it" };
}

function isQuestion(pending: Pending): pending is PendingQuestion {
  return pending.type === "question";
}

/** Undefined where it has nothing to do with it. */
function takenBy(
  pending: PendingQuestion,
  said: NormalizedMessage,
  intents: Intents,
): PendingMatch | undefined {
  if (intents.has("never_mind")) return { type: "cancelled", pending };
  if (intents.has("no")) return { type: "refused", pending };
  const { options } = pending;
  const [only, ...others] = options;
  if (intents.has("yes"))
    return only !== undefined && others.length === 0
      ? { type: "chosen", pending, option: only }
      : { type: "unclear", pending };
  const option = chosenOf(options, said);
  return option && { type: "chosen", pending, option };
}

/** The option that is chosen by its words or its place; undefined: none is, or nobody can tell which. */
export function chosenOf<O extends Pick<Option, "words">>(
  options: readonly O[],
  said: NormalizedMessage,
): O | undefined {
  const parts = partsOf(said.core);
  if (parts.length > REPLY_WORDS_MAX) return undefined;
  return byWords(parts, options) ?? byPlace(parts, options);
}

type Intents = ReadonlySet<Intent>;

function intentsOf({ said }: NormalizedMessage): Intents {
  return new Set(commands.of(said).map(({ intent }) => intent));
}

function isAnswer(intents: Intents): boolean {
  return intents.has("yes") || intents.has("no");
}

/** A word, or the words of one number. */
interface Part {
  readonly said: string;
  /** The same, but a number in digits. */
  readonly text: string;
  /** From 1 on, or "last"; any other text names no place. */
  readonly place: string;
}

/** Numbers in the words of every language; "un" is one here, article or not. */
const NUMBERS = new PhraseList();
for (const { small } of Object.values(NUMBER_WORDS))
  for (const [word, value] of small) NUMBERS.add(utterance(word).text.split(" "), String(value));

function partsOf(plain: string): readonly Part[] {
  const words = plain.split(" ");
  const parts: Part[] = [];
  for (let at = 0; at < words.length; ) {
    const [number] = NUMBERS.at(words, at);
    const place = commands.listed("place", words, at);
    const end = (number ?? place)?.end ?? at + 1;
    const said = words.slice(at, end).join(" ");
    const text = String(number?.value ?? said);
    parts.push({ said, text, place: String(place?.value ?? text) });
    at = end;
  }
  return parts;
}

/** Whether it may be said around the words that choose. */
function isFiller({ said }: Part): boolean {
  return commands.listed("reply_filler", [said], 0) !== undefined || isAnswer(intentsOf(utterance(said)));
}

/** The option of which something is said that no other has, and nothing that it has not. */
function byWords<O extends Pick<Option, "words">>(
  parts: readonly Part[],
  options: readonly O[],
): O | undefined {
  const known = options.map((option) => ({ option, own: partsOf(utterance(option.words).text) }));
  const read = parts.map((part) => {
    const having = known.filter(({ own }) => own.some(({ text }) => isAlike(part.text, text)));
    const fits = having.map(({ option }) => option);
    const isAround = isFiller(part);
    // "One" is a number in "room one", and nothing in "the red one".
    return { fits, isAround, isTelling: fits.length === 1 && (!isAround || /^\d+$/.test(part.text)) };
  });
  const meant = options.filter(
    (option) =>
      read.some(({ fits, isTelling }) => isTelling && fits[0] === option) &&
      read.every(({ fits, isAround }) => isAround || fits.includes(option)),
  );
  return meant.length === 1 ? meant[0] : undefined;
}

/** The option at the place that is named: "the second one". */
function byPlace<O>(parts: readonly Part[], options: readonly O[]): O | undefined {
  if (options.length < 2) return undefined;
  const telling = parts.filter((part) => !isFiller(part));
  // "One" is a number by itself, and a filler in "the second one".
  const [only, ...more] = telling.length > 0 ? telling : parts.slice(-1);
  if (only === undefined || more.length > 0) return undefined;
  return only.place === "last" ? options.at(-1) : options[Number(only.place) - 1];
}

/** Letters that two forms of one word share at least, and letters that may differ at their ends. */
const STEM_CHARS_MIN = 4;
const ENDING_CHARS_MAX = 2;

/** Without an English ending, and the letter that is doubled before it: "humming", "hums". */
function bareOf(word: string): string {
  return word.replace(/(?:([b-df-hj-np-tv-z])\1)?(?:ing|ed)$|s$/, "$1");
}

/** Whether two words are one, but for an ending: "washer" and "washers", "pompa" and "pompę". */
export function isAlike(one: string, other: string): boolean {
  if (one === other || (bareOf(one) === bareOf(other) && bareOf(one).length > 2)) return true;
  const chars = Math.max(STEM_CHARS_MIN, Math.min(one.length, other.length) - ENDING_CHARS_MAX);
  const isEnding = Math.max(one.length, other.length) - chars <= ENDING_CHARS_MAX + 1;
  return (
    isEnding && one.length >= chars && other.length >= chars && one.slice(0, chars) === other.slice(0, chars)
  );
}
