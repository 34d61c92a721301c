/**
 * What was heard, held against the words of the documents. A name that no document has and that sounds like exactly one
 * that they have becomes that one; a number behind a name that the recogniser was unsure of, and that sounds like
 * another one of that name, is a question back. A number is never replaced: the other one is another thing. Pure.
 */
import { distinctSources, type SourceRef } from "../domain/source-ref.js";
import type { Alternative } from "../domain/turn.js";
import { analyze } from "../lib/english-analyzer.js";
import { once } from "../lib/once.js";
import type { HeardWord } from "../speech/speech-to-text.js";
import { FUNCTION_WORDS, LIGHT_WORDS } from "../words/function-words.js";
import type { Language } from "../words/polarity.js";
import { numeralAt } from "../words/quantity/numerals.js";
import { soundCost, soundOf } from "../words/sound.js";
import { type Token, tokenize } from "../words/tokens.js";
import type { KnownWord, Vocabulary } from "./vocabulary.js";

export interface Mended {
  readonly text: string;
  /** Whether a word of the documents took the place of another one. */
  readonly isOther: boolean;
  /** Whose words stand in the text or among the alternatives because of this. */
  readonly sources: readonly SourceRef[];
  /** To ask the user: two at the least; absent where nothing that matters is in doubt. */
  readonly alternatives?: readonly Alternative[];
}

/** Words that are looked at: what is said behind them stays as it was heard. */
const WORDS_MAX = 60;
/** Shorter utterances are commands and replies. */
const WORDS_MIN = 3;
/** Words of a name at the most. */
const NAME_WORDS_MAX = 3;
/** Things that one question offers at the most. */
const ALTERNATIVES_MAX = 3;

/** Below it the recogniser was unsure. */
const UNSURE = 0.6;
/** Above it the recogniser was sure, and a name must sound the same. */
const SURE = 0.9;
/** How much a name may sound different: all of it together, and for each of its sounds. See `soundCost`. */
const NAME_COST_MAX = { sure: 0.05, unknown: 0.5, unsure: 0.8 } as const;
const NAME_COST_PER_SOUND_MAX = 0.15;
/** How many sounds more or fewer what is confused may have. */
const SOUNDS_APART_MAX = 2;
/** Shorter names sound like too much. */
const NAME_SOUNDS_MIN = 4;
/** How much two numbers that are confused may sound different, for each sound: "five" and "nine". */
const NUMBER_COST_PER_SOUND_MAX = 0.5;

/** `words`: how sure the recogniser was, where it tells. */
export function mend(
  text: string,
  words: readonly HeardWord[] | undefined,
  vocabulary: Vocabulary,
  language: Language = "en",
): Mended {
  const heard = new Heard(text, words, language);
  if (heard.tokens.length < WORDS_MIN) return { text, isOther: false, sources: [] };
  const named = withNames(heard, vocabulary);
  if (named !== undefined)
    return { ...named, isOther: true, text: withNumbers(new Heard(named.text, [], language), vocabulary) };
  const doubts = alternativesOf(heard, vocabulary) ?? { sources: [] };
  return { text: withNumbers(heard, vocabulary), isOther: false, ...doubts };
}

/** A text and how sure each of its words is. */
class Heard {
  readonly tokens: readonly Token[];
  readonly #sureness: readonly { readonly start: number; readonly end: number; readonly sure: number }[];

  constructor(
    readonly text: string,
    words: readonly HeardWord[] | undefined,
    readonly language: Language,
  ) {
    const spoken = tokenize(text).filter(({ kind }) => kind !== "stop" && kind !== "symbol");
    this.tokens = spoken.slice(0, WORDS_MAX);
    this.#sureness = placed(text, (words ?? []).slice(0, WORDS_MAX));
  }

  /** The least sure of these tokens, 0 to 1; undefined where the recogniser does not tell. */
  sureness(from: number, to: number): number | undefined {
    const { start } = this.tokens[from]!;
    const { end } = this.tokens[to - 1]!;
    const within = this.#sureness.filter((word) => word.start < end && word.end > start);
    return within.length === 0 ? undefined : Math.min(...within.map(({ sure }) => sure));
  }

  slice(from: number, to: number): string {
    return this.text.slice(this.tokens[from]!.start, this.tokens[to - 1]!.end);
  }

  /** `text`, which is this one up to the last of these tokens, with other words in place of them. */
  in(text: string, words: string, from: number, to: number): string {
    return text.slice(0, this.tokens[from]!.start) + words + text.slice(this.tokens[to - 1]!.end);
  }
}

/** The recogniser's words in their places; those that were left out of the text have none. */
function placed(text: string, words: readonly HeardWord[]) {
  const lower = text.toLowerCase();
  let from = 0;
  return words.flatMap(({ probability, text: word }) => {
    const key = word.trim().toLowerCase();
    const start = key === "" ? -1 : lower.indexOf(key, from);
    if (start < 0) return [];
    from = start + key.length;
    return [{ start, end: from, sure: probability }];
  });
}

/** The text with the first name that was misheard put right. */
function withNames(heard: Heard, vocabulary: Vocabulary): Pick<Mended, "text" | "sources"> | undefined {
  const names = namesOf(vocabulary);
  for (let from = 0; from < heard.tokens.length; from++) {
    for (let length = NAME_WORDS_MAX; length >= 1; length--) {
      const to = from + length;
      if (to > heard.tokens.length || !mayBeName(heard, from, to, vocabulary)) continue;
      const name = soundsLike(heard, from, to, names);
      if (name === undefined) continue;
      const { source, text } = name;
      return { text: heard.in(heard.text, text, from, to), sources: [source] };
    }
  }
  return undefined;
}

interface Name extends KnownWord {
  readonly sound: string;
}

/** Names with their sounds. */
const namesOf = once(({ names }: Vocabulary): readonly Name[] =>
  names
    .filter(({ text }) => !/\p{N}/u.test(text))
    .map((name) => ({ ...name, sound: soundOf(name.text) }))
    .filter(({ sound }) => sound.length >= NAME_SOUNDS_MIN),
);

/** Whether these words, one of which no document has, may be a name: each carries a meaning of its own, and none counts. */
function mayBeName({ language, tokens }: Heard, from: number, to: number, vocabulary: Vocabulary): boolean {
  const words = tokens.slice(from, to);
  return (
    words.every(
      ({ kind, lower }) => kind === "word" && !FUNCTION_WORDS.has(lower) && !LIGHT_WORDS.has(lower),
    ) &&
    words.every((_word, i) => numeralAt(tokens, from + i, language) === undefined) &&
    words.some(({ lower }) => !vocabulary.has(lower))
  );
}

/** The only name that sounds like these words. */
function soundsLike(heard: Heard, from: number, to: number, names: readonly Name[]): Name | undefined {
  const sureness = heard.sureness(from, to);
  const trust =
    sureness === undefined ? "unknown" : sureness < UNSURE ? "unsure" : sureness > SURE ? "sure" : "unknown";
  const sound = soundOf(heard.slice(from, to));
  if (sound.length < NAME_SOUNDS_MIN) return undefined;
  const alike = names.filter((name) => {
    const costMax = Math.min(
      NAME_COST_MAX[trust],
      NAME_COST_PER_SOUND_MAX * Math.max(sound.length, name.sound.length),
    );
    return areNear(sound, name.sound) && soundCost(sound, name.sound) <= costMax;
  });
  // Two names in one are the longer one: "washer" and "parts washer".
  return alike.length === 1 ? alike[0] : undefined;
}

function areNear(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= SOUNDS_APART_MAX;
}

/** A number behind a name, as the documents count things of that name. */
interface Numbered {
  readonly at: number;
  readonly next: number;
  readonly name: string;
  readonly number: string;
  readonly known: readonly KnownWord[];
}

function numberedIn(heard: Heard, { numbered }: Vocabulary): readonly Numbered[] {
  return heard.tokens.slice(0, -1).flatMap(({ lower, text: name }, i) => {
    const known = numbered.get(analyze(lower)[0] ?? "");
    const number = known && numberAt(heard, i + 1);
    return number === undefined
      ? []
      : [{ at: i + 1, next: number.next, name, number: number.text, known: known! }];
  });
}

/** The text with "pump 2" for "pump two", as the documents write it. */
function withNumbers(heard: Heard, vocabulary: Vocabulary): string {
  const last = numberedIn(heard, vocabulary)
    .filter(({ known, number }) => known.some(({ text }) => numberOf(text) === number))
    .toReversed();
  return last.reduce((text, { at, next, number }) => heard.in(text, number, at, next), heard.text);
}

/** What may have been said in place of the first number that is in doubt behind a name. */
function alternativesOf(
  heard: Heard,
  vocabulary: Vocabulary,
): Required<Pick<Mended, "alternatives" | "sources">> | undefined {
  for (const { at, known, name, next, number } of numberedIn(heard, vocabulary)) {
    if ((heard.sureness(at, next) ?? 1) >= UNSURE) continue;
    const near = nearest(number, known, heard.language).map(({ text }) => numberOf(text));
    if (near.length === 0) continue;
    const isKnown = known.some(({ text }) => numberOf(text) === number);
    const own = isKnown || near.length === 1 ? [number] : [];
    const numbers = [...own, ...near].slice(0, ALTERNATIVES_MAX);
    const theirs = known.filter(({ text }) => numbers.includes(numberOf(text)));
    return {
      sources: distinctSources(theirs.map(({ source }) => source)),
      alternatives: numbers.map((one) => ({
        words: `${name} ${one}`,
        question: heard.in(heard.text, one, at, next),
      })),
    };
  }
  return undefined;
}

/** A number as digits, or a letter or code, that was heard; `next` is the first token behind it. */
function numberAt(
  { language, tokens }: Heard,
  at: number,
): { readonly text: string; readonly next: number } | undefined {
  const { kind, text } = tokens[at]!;
  if (kind === "code" || /^\p{L}$/u.test(text)) return { text: text.toUpperCase(), next: at + 1 };
  const numeral = numeralAt(tokens, at, language);
  return numeral && { text: String(numeral.value), next: numeral.next };
}

/** "10" of "pump 10". */
function numberOf(name: string): string {
  return name.slice(name.lastIndexOf(" ") + 1);
}

/** Other numbers that sound like it, the most alike first. */
function nearest(number: string, known: readonly KnownWord[], language: Language): readonly KnownWord[] {
  const sound = soundOf(number, language);
  return known
    .filter(({ text }) => numberOf(text) !== number)
    .map((word) => {
      const other = soundOf(numberOf(word.text), language);
      const cost = soundCost(sound, other) / Math.max(sound.length, other.length);
      return { word, cost: areNear(sound, other) ? cost : 1 };
    })
    .filter(({ cost }) => cost <= NUMBER_COST_PER_SOUND_MAX)
    .sort((one, other) => one.cost - other.cost)
    .map(({ word }) => word);
}
