/** A sentence around the names in it: its language, the words of every sentence, and numbers and letters that count. Pure. */
import type { Grammar } from "../../locale/commands/file.js";
import { FUNCTION_WORDS, LIGHT_WORDS } from "../../words/function-words.js";
import { DENIALS, type Language } from "../../words/polarity.js";
import type { NameIndex } from "./forms.js";
import { letterByEar, numberByEar, type SpokenWord, spokenWords } from "./spoken-words.js";

/** Of the number or letter behind a name, where only its sound tells it. */
const BY_EAR_COST = 0.1;
/** Letters of the words that hold a sentence together and are heard for a number: "to", "for". */
const WEAK_LETTERS_MAX = 3;
/** Digits that are said one by one. */
const DIGITS_MAX = 6;

/** Lists of the commands whose words make a sentence and name no thing. */
const AROUND = "state quantity fault measure_word asking being joint reply_filler every near".split(" ");
const POINTING_LISTS = ["other", "place", "pronoun"];
const FRAME_LISTS = [...AROUND, ...POINTING_LISTS];
export const ARTICLES =
  /^(?:the|a|an|der|die|das|den|dem|des|el|la|los|las|le|les|l|un|una|une|this|that|my|our)$/;

/** The language that has the most of the words around things; among those that have as many the usual one. */
export function languageSpoken(text: string, grammars: readonly Grammar[], usual: Language): Grammar {
  const words = spokenWords(text, []).map((word) => word.text);
  const known = grammars.map((grammar) => {
    const places = FRAME_LISTS.flatMap((list) => entriesOf(grammar, list, words).map(({ from }) => from));
    return { grammar, count: new Set(places).size + (grammar.language === usual ? 0.5 : 0) };
  });
  return known.reduce((best, one) => (one.count > best.count ? one : best)).grammar;
}

/** An entry of a list that was said: the words from one up to another one, and what they stand for. */
export interface SaidEntry {
  readonly from: number;
  readonly to: number;
  readonly value: string | number | undefined;
}

/** All entries of a list among words, the longest that begins at each. */
export function entriesOf({ lists }: Grammar, list: string, texts: readonly string[]): readonly SaidEntry[] {
  return texts.flatMap((_, from) => {
    const found = lists.get(list)?.at(texts, from).at(-1);
    return found === undefined ? [] : [{ from, to: found.end, value: found.value }];
  });
}

/** A number or letter, as it may be read from a word on. */
interface HeardId {
  readonly id: string;
  readonly to: number;
  readonly cost: number;
  /** Whether it may as well hold the sentence together: "to". */
  readonly isWeak: boolean;
  /** Whether something else may be meant: "pump two three", "the pump for cleaning". */
  readonly isDoubtful: boolean;
}

export class SaidWords {
  readonly language: Language;
  readonly words: readonly SpokenWord[];
  readonly texts: readonly string[];
  /** Words of the sentence around a thing: one bit each. */
  readonly frame: number;
  /** Those of them that hold sentences together and say nothing by themselves: "can", "it". */
  readonly light: number;
  /** Words that places are said with: "on", "in". */
  readonly near: number;
  /** Those of the argument of a command (`target`): they have to be explained wherever they stand. */
  readonly slot: number;
  readonly #ids = new Map<number, readonly HeardId[]>();
  readonly #entries = new Map<string, readonly SaidEntry[]>();

  constructor(
    readonly text: string,
    private readonly grammar: Grammar,
    readonly index: NameIndex,
    readonly target?: string,
  ) {
    this.language = grammar.language as Language;
    const words = spokenWords(text, this.language === "en" ? ["en"] : [this.language, "en"]);
    this.words = words.flatMap((word, i) => split(inSingular(word, index), words[i + 1], index));
    this.texts = this.words.map((word) => word.text);
    this.light = bitsWhere(this.words, ({ kind, text }) => kind !== "number" && this.#isLight(text));
    this.frame = this.#frame();
    const at = target === undefined ? -1 : text.indexOf(target);
    const isOfTarget = ({ end, start }: SpokenWord) => start >= at && end <= at + target!.length;
    this.slot = at < 0 ? 0 : bitsWhere(this.words, isOfTarget);
    this.near = this.entries("near").reduce((sum, { from }) => sum | bits(from, from + 1), 0);
  }

  /** Other words of the same language, about the same things. */
  like(text: string): SaidWords {
    return new SaidWords(text, this.grammar, this.index);
  }

  entries(list: string): readonly SaidEntry[] {
    const known = this.#entries.get(list) ?? entriesOf(this.grammar, list, this.texts);
    this.#entries.set(list, known);
    return known;
  }

  /** The words of names that stand for a quantity. */
  namesOf(quantity: string | number): ReadonlySet<string> {
    const isSame = (text: string) => entriesOf(this.grammar, "quantity", [text])[0]?.value === quantity;
    return new Set([...this.index.words.keys()].filter(isSame));
  }

  isFrame(at: number): boolean {
    return has(this.frame, at);
  }

  isArticle(at: number): boolean {
    return ARTICLES.test(this.texts[at] ?? "");
  }

  /** Where the word before this one stands, articles aside: the "in" of "in the canteen". */
  beforeArticle(at: number): number {
    return this.isArticle(at - 1) ? this.beforeArticle(at - 1) : at - 1;
  }

  #frame(): number {
    // "The two boilers" tells how many, and "the other one" what was spoken of: not which.
    const pointing = POINTING_LISTS.flatMap((list) => this.entries(list).map(({ from }) => from));
    const isNoId = ({ kind, text }: SpokenWord, i: number) =>
      kind === "number" &&
      (this.words[i + 1]?.plural !== undefined || (text === "1" && pointing.includes(i - 1)));
    let frame = this.light | bitsWhere(this.words, isNoId);
    for (const { from, to } of FRAME_LISTS.flatMap((list) => this.entries(list))) frame |= bits(from, to);
    for (const i of this.words.keys()) {
      // "On line" for "online", where no number stands behind.
      const isOne = entriesOf(this.grammar, "state", [`${this.texts[i]}${this.texts[i + 1]}`]).length > 0;
      if (isOne && !this.#mayBeNumber(i + 2)) frame |= bits(i, i + 2);
    }
    // "The till" is no "until". What is behind the last word explains nothing.
    const isName = ({ text }: SpokenWord, i: number) => this.index.wholes.has(text) && this.isArticle(i - 1);
    return (frame & ~bitsWhere(this.words, isName)) | (-1 << this.words.length);
  }

  #isLight(text: string): boolean {
    const isEnglish = this.language === "en";
    return DENIALS.has(text) || (isEnglish && (FUNCTION_WORDS.has(text) || LIGHT_WORDS.has(text)));
  }

  #mayBeNumber(at: number): boolean {
    const { kind, text } = this.words[at] ?? {};
    return kind === "number" || (text !== undefined && numberByEar(text, this.language) !== undefined);
  }

  /** What numbers or letters may stand from a word on; none where no number is expected. */
  ids(at: number): readonly HeardId[] {
    const known = this.#ids.get(at) ?? this.#readIds(at);
    this.#ids.set(at, known);
    return known;
  }

  #readIds(at: number): readonly HeardId[] {
    if (this.isNumberAhead(at)) return this.ids(at + 1);
    const own = this.#idAt(at);
    if (own === undefined) return [];
    const spelt: HeardId[] = [];
    for (let last = own; spelt.length < DIGITS_MAX && /^\d+$/.test(own.id); ) {
      const next = this.#isNought(last.to) ? { ...last, id: "0", to: last.to + 1 } : this.#idAt(last.to);
      if (next === undefined || !/^\d$/.test(next.id)) break;
      last = { ...last, id: last.id + next.id, to: next.to, cost: last.cost + next.cost };
      spelt.push(last);
    }
    // "Pump one oh": not pump one.
    if (/^\d$/.test(own.id) && this.#isNought(own.to)) return spelt;
    if (this.words[own.to]?.kind !== "number") return [own, ...spelt];
    const either = { ...own, isDoubtful: true, to: own.to + 1 };
    return [either, { ...either, id: this.texts[own.to]!, cost: 0 }, ...spelt];
  }

  /** "Number" of "number four". */
  isNumberAhead(at: number): boolean {
    return /^(?:number|no|nr|nummer|numero|num|numer|номер)$/.test(this.texts[at] ?? "");
  }

  #isNought(at: number): boolean {
    return /^(?:oh?|owe)$/.test(this.texts[at] ?? "");
  }

  #idAt(at: number): HeardId | undefined {
    const word = this.words[at];
    const isWeak = this.isFrame(at);
    if (word === undefined || (word.kind === "number" && isWeak)) return undefined;
    const { kind, text } = word;
    const isDoubtful = isWeak && (!this.isFrame(at + 1) || this.isArticle(at + 1));
    const read = { to: at + 1, cost: BY_EAR_COST, isWeak, isDoubtful };
    if (kind === "number" || text.length === 1)
      return { ...read, id: text, cost: 0, isWeak: false, isDoubtful: false };
    const isShort = !isWeak || text.length <= WEAK_LETTERS_MAX;
    const number = isShort ? numberByEar(text, this.language) : undefined;
    const id = number ?? (isWeak ? undefined : letterByEar(text, this.language));
    return id === undefined ? undefined : { ...read, id };
  }
}

/** "Online three" is "on line three" where a line is counted. */
function split(word: SpokenWord, next: SpokenWord | undefined, { counted }: NameIndex) {
  const [, ...parts] = (next && JOINED.exec(word.text)) ?? [];
  const isCounted = [...counted].some(({ text }) => text === parts[1]);
  return isCounted ? parts.map((text) => ({ ...word, text })) : [word];
}

const JOINED = /^(on|in|at|im|am|en|zu)(\p{L}{3,})$/u;

function inSingular(word: SpokenWord, { words }: NameIndex): SpokenWord {
  const text = word.kind === "number" ? word.text : singular(word.text, words);
  return text === word.text ? word : { ...word, text, plural: word.text };
}

/** "Pumps" is "pump" where that is a name, and "Kassen" is "Kasse". */
export function singular(text: string, names: NameIndex["words"]): string {
  if (names.has(text)) return text;
  const stems = PLURALS.flatMap((ending) => (text.endsWith(ending) ? text.slice(0, -ending.length) : []));
  return stems.find((one) => one.length >= SINGULAR_LETTERS_MIN && names.has(one)) ?? text;
}

const PLURALS: readonly string[] = ["s", "es", "n", "en", "e"];
const SINGULAR_LETTERS_MIN = 3;

/** Sets of words of a sentence are numbers, one bit a word. */
export const bits = (from: number, to: number): number => ((1 << (to - from)) - 1) << from;
export const has = (set: number, at: number): boolean => at >= 0 && ((set >> at) & 1) === 1;
export const last = (set: number): number => 31 - Math.clz32(set);
export const first = (set: number): number => last(set & -set);
export const count = (set: number): number => set.toString(2).replaceAll("0", "").length;

export function bitsWhere(words: readonly SpokenWord[], isIn: (word: SpokenWord, at: number) => boolean) {
  return words.reduce((sum, word, at) => (isIn(word, at) ? sum | (1 << at) : sum), 0);
}
