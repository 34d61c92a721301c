/** The commands of all languages: what an utterance is, with its arguments, by templates alone. */
import { lately } from "../../lib/lately.js";
import type { Steps } from "../../lib/steps.js";
import { tokenize } from "../../words/tokens.js";
import { type Filling, type Match, type SlotCapture, walk } from "./automaton.js";
import type { Grammar } from "./file.js";
import { type BuildOrder, INTENTS, type Intent, type Phrase, type RunOrder } from "./intents.js";
import { Arguments, PhraseList } from "./lists.js";
import { NumberReader } from "./numbers.js";
import { type CommandWord, wordsOf } from "./words.js";

/** An argument: the words that were said for it, and what they stand for, if that is something else. */
export interface Argument {
  readonly text: string;
  readonly value: string | number;
}

export interface Command {
  readonly intent: Intent;
  /** The language whose template it is; `undefined` where several have it. */
  readonly language: string | undefined;
  readonly slots: Readonly<Record<string, Argument>>;
  /** 0 for words that a template has; more for open arguments. */
  readonly cost: number;
  /** Words that it explains: courtesy around it may be left out. */
  readonly length: number;
}

interface GuideOrders {
  readonly run: RunOrder;
  readonly build: BuildOrder;
}

/** What was said, as words. */
export interface MessageWords {
  readonly message: string;
  readonly words: readonly CommandWord[];
  /** Without address, courtesy and hesitation at both ends; all of it when nothing else is left. */
  readonly core: readonly CommandWord[];
}

/** Pieces of courtesy taken off each end at the most. */
const PIECES_MAX = 6;

/** Less than a millisecond's work. */
const ENTRIES_A_STEP = 50;

/** What is said is looked at by several parts of a turn. */
const HEARD = { textsMax: 64, charsMax: 2_000 };

const ORDER: ReadonlyMap<string, number> = new Map(Object.keys(INTENTS).map((intent, i) => [intent, i]));

export class Commands {
  /** The lists of each grammar, in their order. */
  readonly #lists: readonly ReadonlyMap<string, readonly PhraseList[]>[];

  constructor(
    readonly grammars: readonly Grammar[],
    private readonly more: ReadonlyMap<string, PhraseList> = new Map(),
  ) {
    this.#lists = grammars.map(({ lists }) => {
      const phrases = (name: string) => [lists.get(name), more.get(name)].filter((one) => one !== undefined);
      return new Map([...lists.keys(), ...more.keys()].map((name) => [name, phrases(name)]));
    });
  }

  /** The same with entries that a list has besides those of the files, in steps: the equipment of a site. */
  *with(list: string, entries: Iterable<string>): Steps<Commands> {
    const phrases = new PhraseList();
    let added = 0;
    for (const entry of entries) {
      if (added++ % ENTRIES_A_STEP === 0) yield;
      phrases.add(textsOf(wordsOf(entry)), entry);
    }
    return new Commands(this.grammars, new Map([...this.more, [list, phrases]]));
  }

  readonly hear = lately((message: string): MessageWords => {
    const words = wordsOf(message);
    return { message, words, core: this.#core(words) };
  }, HEARD);

  /** Each intent that the whole of it may be, the likeliest first. */
  of(said: MessageWords): readonly Command[] {
    const known = this.#known.get(said) ?? this.#read(said);
    this.#known.set(said, known);
    return known;
  }

  readonly #known = new WeakMap<MessageWords, readonly Command[]>();

  #read({ message, words, core }: MessageWords): readonly Command[] {
    const best = new Map<string, Command>();
    for (const some of core === words ? [words] : [words, core]) {
      for (const command of this.#walked(message, some, "sentences") as readonly Command[]) {
        const { intent, cost, language } = command;
        const other = best.get(intent);
        if (other === undefined || other.cost > cost) best.set(intent, command);
        else if (other.cost === cost && other.language !== language)
          best.set(intent, { ...other, language: undefined });
      }
    }
    return [...best.values()].sort(
      (a, b) => a.cost - b.cost || b.length - a.length || ORDER.get(a.intent)! - ORDER.get(b.intent)!,
    );
  }

  /** What it is to a guide that leads somebody, or (`build`) to one that is written down; the likeliest first. */
  orders<S extends keyof GuideOrders = "run">(
    { core, message, words }: MessageWords,
    section: S | "run" = "run",
  ): readonly (Omit<Command, "intent"> & { readonly intent: GuideOrders[S] })[] {
    const found = (core === words ? [words] : [words, core]).flatMap((some) =>
      this.#walked(message, some, section).map((one) => ({ ...one, intent: one.intent as GuideOrders[S] })),
    );
    return found.sort((a, b) => a.cost - b.cost);
  }

  /** The phrases that stand anywhere in some words. */
  phrases(words: readonly CommandWord[]): ReadonlySet<Phrase> {
    return new Set(this.#walked("", words, "phrases").map(({ intent }) => intent as Phrase));
  }

  /** The entry of a list, in any language, that begins at a word. */
  listed(list: string, words: readonly string[], from: number): Filling | undefined {
    return this.grammars.flatMap(({ lists }) => lists.get(list)?.at(words, from) ?? [])[0];
  }

  /** Whether some words are nothing but address, greeting and hesitation: "hello hello". */
  isCourtesy(words: readonly CommandWord[]): boolean {
    const texts = textsOf(words);
    let from = 0;
    for (let i = 0; i < PIECES_MAX && from < texts.length; i++) from = this.#endOfPiece(texts, from);
    return from === texts.length;
  }

  #walked(
    message: string,
    words: readonly CommandWord[],
    section: "sentences" | "phrases" | "run" | "build",
  ) {
    const texts = textsOf(words);
    const tokens = tokenize(message, 0, words.at(-1)?.end ?? 0);
    return this.grammars.flatMap((grammar, i) => {
      const numbers = new NumberReader(tokens, words, [grammar.language]);
      const read = new Arguments(texts, this.#lists[i]!, numbers);
      const fillings = (list: string, at: number) => read.at(list, at);
      const skips = (at: number) => (at === 0 ? [] : grammar.within.at(texts, at).map(({ end }) => end));
      const isAnywhere = section === "phrases";
      const found = walk(grammar[section], { words: texts, fillings, skips, isAnywhere });
      return found.map(({ intent, cost, ...rest }) => ({
        intent,
        cost,
        length: words.length,
        language: grammar.language,
        slots: slotsOf(rest, message, words),
      }));
    });
  }

  #core(words: readonly CommandWord[]): readonly CommandWord[] {
    const texts = textsOf(words);
    let [from, to] = [0, texts.length];
    for (let i = 0; i < PIECES_MAX; i++) {
      const [before, behind] = [from, to];
      const begin = this.#endOfPiece(texts.slice(0, to), from);
      if (begin < to) from = begin;
      to = this.#beginOfPiece(texts, from, to);
      if (from === before && to === behind) break;
    }
    return from === 0 && to === words.length ? words : words.slice(from, to);
  }

  #endOfPiece(texts: readonly string[], from: number): number {
    const ends = this.grammars.flatMap(({ before }) => before.at(texts, from).map(({ end }) => end));
    return Math.max(from, ...ends);
  }

  /** Something stays: the piece may not begin at `from`. */
  #beginOfPiece(texts: readonly string[], from: number, to: number): number {
    const some = texts.slice(0, to);
    for (let at = Math.max(from + 1, to - PIECE_WORDS_MAX); at < to; at++)
      if (this.grammars.some(({ after }) => after.at(some, at).some(({ end }) => end === to))) return at;
    return to;
  }
}

/** Words of the longest piece of courtesy at the end. */
const PIECE_WORDS_MAX = 5;

function textsOf(words: readonly CommandWord[]): readonly string[] {
  return words.map(({ text }) => text);
}

function slotsOf(
  { captured, fixed }: Pick<Match, "captured" | "fixed">,
  message: string,
  words: readonly CommandWord[],
): Readonly<Record<string, Argument>> {
  const slots: Record<string, Argument> = {};
  for (let one: SlotCapture | undefined = captured; one !== undefined; one = one.before) {
    const text = message.slice(words[one.from]!.start, words[one.to - 1]!.end);
    slots[one.name] ??= { text, value: one.value ?? text };
  }
  for (const [name, value] of Object.entries(fixed)) slots[name] ??= { text: value, value };
  return slots;
}
