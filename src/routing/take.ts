/**
 * The first look at what a user says: whether it answers what the chat has open. A grammar of whole replies, in the
 * words of every language: an ordinal or a number, the words of an option, a yes, a no, or that it does not matter. Pure.
 */
import type { Option, Pending, PendingQuestion } from "../domain/dialogue.js";
import type { Locale } from "../locale/locale.js";
import { utterance } from "./normalized-message.js";

export type PendingMatch =
  | { readonly type: "chosen"; readonly pending: PendingQuestion; readonly option: Option }
  | { readonly type: "refused" | "cancelled"; readonly pending: Pending }
  /** A yes to several options. */
  | { readonly type: "unclear"; readonly pending: PendingQuestion }
  /** A yes or a no, and nothing waits for one. */
  | { readonly type: "answers_nothing" }
  | { readonly type: "not_about_it" };

/** Words of a reply at the most: who says more says something of their own. */
const REPLY_WORDS_MAX = 12;

/**
 * What `said` is to what is open, the newest of it first. `locales`: the language of the turn, then all others, since a
 * short reply does not tell its own. An option's words are compared without the forms of words.
 */
export function take(pending: readonly Pending[], said: string, locales: readonly Locale[]): PendingMatch {
  const { core, text } = utterance(said);
  const known = locales.map(wordsOf);
  const isFiller = (word: string) => known.some(({ fillers }) => fillers.has(word));
  const readings = known.map((words) => new Reply([core, text], words, isFiller));
  for (const one of pending.toReversed())
    for (const reply of readings) {
      const taken = reply.to(one);
      if (taken !== undefined) return taken;
    }
  const isBare = pending.length === 0 && readings.some(({ isYes, isNo }) => isYes || isNo);
  return { type: isBare ? "answers_nothing" : "not_about_it" };
}

/** What one language knows of replies, folded as utterances are. */
interface ReplyWords {
  readonly yes: ReadonlySet<string>;
  readonly no: ReadonlySet<string>;
  readonly neverMind: ReadonlySet<string>;
  /** By position: each has one or more forms. */
  readonly ordinals: readonly (readonly string[])[];
  readonly numbers: readonly (readonly string[])[];
  readonly last: readonly string[];
  /** What is said around the words that choose. */
  readonly fillers: ReadonlySet<string>;
}

/** Reads the words of these languages now, rather than within the first turn. */
export function readReplies(locales: readonly Locale[]): void {
  for (const locale of locales) wordsOf(locale);
}

const compiled = new WeakMap<Locale, ReplyWords>();

function wordsOf(locale: Locale): ReplyWords {
  const before = compiled.get(locale);
  if (before !== undefined) return before;
  const list = (text: string) => text.split(",").map((words) => utterance(words).text);
  const forms = (text: string) =>
    text.split(",").map((words) => words.split("/").map((one) => utterance(one).text));
  const yes = new Set(list(locale.say("reply.yes")));
  const no = new Set(list(locale.say("reply.no")));
  const words: ReplyWords = {
    yes,
    no,
    neverMind: new Set(list(locale.say("reply.never_mind"))),
    ordinals: forms(locale.say("reply.ordinals")),
    numbers: forms(locale.say("reply.numbers")),
    last: list(locale.say("reply.last")),
    fillers: new Set([...list(locale.say("reply.fillers")), ...yes, ...no]),
  };
  compiled.set(locale, words);
  return words;
}

/** One utterance as one language reads it. */
class Reply {
  constructor(
    /** Without what is said before and after what is meant, and all of it. */
    private readonly texts: readonly [string, string],
    private readonly words: ReplyWords,
    /** In any language: a chat may be in two. */
    private readonly isFiller: (word: string) => boolean,
  ) {}

  get isYes(): boolean {
    return this.texts.some((text) => this.words.yes.has(text));
  }

  get isNo(): boolean {
    return this.texts.some((text) => this.words.no.has(text));
  }

  /** Undefined where it has nothing to do with it. */
  to(pending: Pending): PendingMatch | undefined {
    if (this.texts.some((text) => this.words.neverMind.has(text))) return { type: "cancelled", pending };
    if (this.isNo) return { type: "refused", pending };
    const { options } = pending;
    if (this.isYes) {
      const [only, ...others] = options;
      const isOnly = only !== undefined && others.length === 0;
      return isOnly ? { type: "chosen", pending, option: only } : { type: "unclear", pending };
    }
    const option = this.#byWords(options) ?? this.#byPlace(options);
    return option && { type: "chosen", pending, option };
  }

  /** The option of which something is said that no other has, and nothing that it has not. */
  #byWords(options: readonly Option[]): Option | undefined {
    const { numbers } = this.words;
    const said = this.#tokens;
    if (said.length > REPLY_WORDS_MAX) return undefined;
    const tokens = said.map((token) => {
      const at = numbers.findIndex((forms) => forms.includes(token));
      const read = at < 0 ? token : String(at + 1);
      const fits = options.filter(({ words }) =>
        utterance(words)
          .text.split(" ")
          .some((own) => isAlike(read, own)),
      );
      // "One" is a number in "room one", and nothing in "the red one".
      return {
        fits,
        isFiller: this.isFiller(token),
        isTelling: fits.length === 1 && (at >= 0 || !this.isFiller(token)),
      };
    });
    const meant = options.filter(
      (option) =>
        tokens.some(({ fits, isTelling }) => isTelling && fits[0] === option) &&
        tokens.every(({ fits, isFiller }) => isFiller || fits.includes(option)),
    );
    return meant.length === 1 ? meant[0] : undefined;
  }

  /** The option at the place that is named: "the second one". */
  #byPlace(options: readonly Option[]): Option | undefined {
    const { last, numbers, ordinals } = this.words;
    if (options.length < 2) return undefined;
    const tokens = this.#tokens;
    const telling = tokens.filter((token) => !this.isFiller(token));
    // "One" is a number by itself, and a filler in "the second one".
    const [place, ...more] = telling.length > 0 ? telling : tokens.slice(-1);
    if (place === undefined || more.length > 0) return undefined;
    if (last.some((word) => isAlike(place, word))) return options.at(-1);
    const at = ordinals.findIndex((forms) => forms.some((form) => isAlike(place, form)));
    const number = numbers.findIndex((forms) => forms.includes(place));
    return options[at >= 0 ? at : number];
  }

  get #tokens(): readonly string[] {
    const [core] = this.texts;
    return core === "" ? [] : core.split(" ");
  }
}

/** Letters that two forms of one word share at least, and letters that may differ at their ends. */
const STEM_CHARS_MIN = 4;
const ENDING_CHARS_MAX = 2;

/** Whether two words are one, but for an ending: "druga" and "drugi". */
function isAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const chars = Math.max(STEM_CHARS_MIN, Math.min(one.length, other.length) - ENDING_CHARS_MAX);
  const isEnding = Math.max(one.length, other.length) - chars <= ENDING_CHARS_MAX + 1;
  return (
    isEnding && one.length >= chars && other.length >= chars && one.slice(0, chars) === other.slice(0, chars)
  );
}
