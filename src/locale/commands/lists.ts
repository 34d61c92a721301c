/**
 * What arguments of commands may be: entries of a list, numbers, or any words within bounds. An open argument may have
 * to hold an entry of some list ("the valve behind hall 3"), and never holds words that make a question of an order.
 */
import type { Filling } from "./automaton.js";
import type { NumberReader } from "./numbers.js";

/** What a list holds, as plain data. */
export interface PhraseData {
  /** Whether its nouns may end a longer word. */
  readonly compounds: boolean;
  /** Word by word. */
  readonly root: Map<string, Entry>;
  /** Single words, for languages that put them at the end of longer ones. */
  readonly nouns: Set<string>;
}

/** Phrases of one list, word by word, with what each stands for. */
export class PhraseList {
  constructor(readonly data: PhraseData = { compounds: false, root: new Map(), nouns: new Set() }) {}

  add(words: readonly string[], value?: string): void {
    let level = this.data.root;
    for (const [i, word] of words.entries()) {
      const entry: Entry = level.get(word) ?? { next: new Map(), isEnd: false, value: undefined };
      level.set(word, entry);
      if (i === words.length - 1) {
        entry.isEnd = true;
        entry.value ??= value;
      }
      level = entry.next;
    }
    if (words.length === 1 && words[0]!.length >= NOUN_CHARS_MIN) this.data.nouns.add(words[0]!);
  }

  /** Entries that begin at a word, the shortest first. */
  at(words: readonly string[], from: number): readonly Filling[] {
    const found: Filling[] = [];
    let level: Map<string, Entry> | undefined = this.data.root;
    for (let end = from + 1; level !== undefined && end <= words.length; end++) {
      const entry: Entry | undefined = level.get(words[end - 1]!);
      if (entry?.isEnd === true)
        found.push({ end, cost: LISTED, ...(entry.value === undefined ? {} : { value: entry.value }) });
      level = entry?.next;
    }
    if (found.length === 0 && this.#isCompound(words[from] ?? ""))
      found.push({ end: from + 1, cost: LISTED });
    return found;
  }

  #isCompound(word: string): boolean {
    if (!this.data.compounds) return false;
    const from = Math.max(1, word.length - NOUN_CHARS_MAX);
    for (let i = from; i <= word.length - NOUN_CHARS_MIN; i++)
      if (this.data.nouns.has(word.slice(i))) return true;
    return false;
  }
}

interface Entry {
  readonly next: Map<string, Entry>;
  isEnd: boolean;
  value: string | undefined;
}

/** Of a noun that ends a compound. */
const NOUN_CHARS_MIN = 3;
const NOUN_CHARS_MAX = 24;

/** Costs: a listed phrase as a whole, and each word of an open argument. The cheapest reading of a sentence holds. */
const LISTED = 1;

interface Span {
  readonly wordsMax: number;
  readonly costPerWord: number;
  /** The list that it holds an entry of. */
  readonly holds?: string;
  /** Lists whose words end it. */
  readonly without: readonly string[];
}

/** The arguments that are open. */
const SPANS: Readonly<Record<string, Span>> = {
  /** A thing that is known for something one can operate. */
  target: {
    wordsMax: 8,
    costPerWord: 2,
    holds: "equipment",
    without: ["asking", "document", "procedure", "joint"],
  },
  /** Anything that could be one. */
  thing: { wordsMax: 6, costPerWord: 4, without: ["asking", "document", "procedure", "joint", "no_thing"] },
  procedure: { wordsMax: 8, costPerWord: 2, holds: "procedure", without: ["asking"] },
  /** What is to be done besides. */
  also: { wordsMax: 120, costPerWord: 4, without: ["asking"] },
  /** What may stand around words of an account. */
  around: { wordsMax: 120, costPerWord: 0, without: ["no_account"] },
  /** What somebody wants to be led through. */
  lesson: { wordsMax: 120, costPerWord: 1, without: [] },
  word: { wordsMax: 1, costPerWord: 4, without: [] },
  /** What somebody does. */
  verb: { wordsMax: 1, costPerWord: 4, without: ["being"] },
  /** What a question to the documents is about. */
  topic: { wordsMax: 120, costPerWord: 6, without: ["not_documents"] },
  /** What takes up the words before. */
  few: { wordsMax: 8, costPerWord: 6, without: ["own_sense"] },
  rest: { wordsMax: 120, costPerWord: 6, without: [] },
};

/** Names that a template may use in braces besides those of its language's lists. */
export const OPEN_LISTS: readonly string[] = [...Object.keys(SPANS), "value"];

/** Lists of what is said to a proposal. `consent_yes` and `consent_filler` explain a consent, the others take it away. */
export const CONSENT_LISTS = [
  ...(["consent_yes", "consent_confirm", "consent_filler", "consent_undecided", "consent_stop"] as const),
  ...(["consent_wait", "consent_no", "consent_aside", "consent_doubt", "consent_asking"] as const),
] as const;

/** Lists that the open arguments and replies need of every language. */
export const LISTS_NEEDED: readonly string[] = [
  ...CONSENT_LISTS,
  "minus",
  "place",
  "reply_filler",
  ...["every", "machine", "near", "other", "past", "pronoun"],
  ...new Set(Object.values(SPANS).flatMap(({ holds, without }) => [...without, ...(holds ? [holds] : [])])),
];

/** Reads the arguments of one utterance; what was read once is kept. */
export class Arguments {
  readonly #known = new Map<string, readonly Filling[]>();
  readonly #within = new Map<string, readonly number[]>();

  constructor(
    private readonly words: readonly string[],
    private readonly lists: ReadonlyMap<string, readonly PhraseList[]>,
    private readonly numbers: NumberReader,
  ) {}

  at(list: string, from: number): readonly Filling[] {
    const key = `${list} ${from}`;
    const known = this.#known.get(key) ?? this.#read(list, from);
    this.#known.set(key, known);
    return known;
  }

  #read(list: string, from: number): readonly Filling[] {
    if (list === "value") return this.#number(from);
    const span = SPANS[list];
    return span === undefined ? this.#listed(list, from) : this.#open(span, from);
  }

  #number(from: number): readonly Filling[] {
    const isBelowZero = this.#isIn("minus", from);
    const number = this.numbers.at(isBelowZero ? from + 1 : from);
    if (number === undefined) return [];
    return [{ end: number.end, value: isBelowZero ? -number.value : number.value, cost: LISTED }];
  }

  #listed(list: string, from: number): readonly Filling[] {
    return (this.lists.get(list) ?? []).flatMap((phrases) => phrases.at(this.words, from));
  }

  #open({ wordsMax, costPerWord, holds, without }: Span, from: number): readonly Filling[] {
    const found: Filling[] = [];
    const end = Math.min(this.words.length, from + wordsMax);
    const first = holds === undefined ? 0 : this.#firstEnd(holds, from);
    for (let at = from; at < end; at++) {
      if (without.some((list) => list !== holds && this.#isIn(list, at))) break;
      if (at + 1 >= first) found.push({ end: at + 1, cost: costPerWord * (at + 1 - from) });
    }
    return found;
  }

  #isIn(list: string, at: number): boolean {
    return (this.lists.get(list) ?? []).some((phrases) => phrases.at(this.words, at).length > 0);
  }

  /** Where the first entry of a list ends that begins at `from` or behind it. */
  #firstEnd(list: string, from: number): number {
    const known = this.#within.get(list);
    if (known !== undefined) return known[from]!;
    const ends: number[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (let at = this.words.length - 1; at >= 0; at--) {
      const here = this.#listed(list, at).map(({ end }) => end);
      if (list === "equipment" && DESIGNATION.test(this.words[at]!)) here.push(at + 1);
      next = Math.min(next, ...here);
      ends[at] = next;
    }
    this.#within.set(list, ends);
    return ends[from]!;
  }
}

/** What is called by letters and a number is a thing of a plant: "c4", "p101". */
const DESIGNATION = /^\p{L}{1,3}\d{1,4}$/u;
