/** What resources are called, taken apart for comparison: words, each with the number or letter that counts it ("line 3"). */
import type { Resource } from "../../domain/resource.js";
import { once } from "../../lib/once.js";
import type { Steps } from "../../lib/steps.js";
import { wordSet } from "../../lib/word-set.js";
import { soundOf } from "../../words/sound.js";
import type { KnownResources } from "./registry.js";
import { NAME_LANGUAGES, type SpokenWord, spokenWords } from "./spoken-words.js";

export interface NameWord {
  readonly text: string;
  /** As it may be said: as a word, and letter by letter where it may be short for something. */
  readonly sounds: readonly string[];
  /** Whether it is short for something: it has to sound just so. */
  readonly isLetters: boolean;
}

export interface NameItem {
  readonly word: NameWord;
  /** The number or letter that counts it. */
  readonly id: string | undefined;
}

export interface NameForm {
  readonly items: readonly NameItem[];
  /** Which of them say what it is: "printer" of "line one printer", and of "printer on line one". */
  readonly head: { readonly from: number; readonly to: number };
  /** Written as programs are called: any part of it is said for it. */
  readonly isIdentifier: boolean;
}

export interface NamedResource {
  readonly resource: Resource;
  readonly forms: readonly NameForm[];
  /** Where it is, what it is part of and what it runs on: said to tell it from others. */
  readonly around: readonly NameForm[];
}

/** Names that are looked at in one step, and those that are taken apart. */
export const NAMES_PER_STEP = 32;
const TAKEN_APART_PER_STEP = 8;

/** Of what is prefixed to a place or another thing, in names of any language. */
const BETWEEN = wordSet(
  "the of on in at for and an de del la el los las en der die das dem den des im am auf in von fur du des les le au sur dans",
);

/** All names that one access may know of, made once for all of its questions: a question that is given up leaves what it made. */
export class NameIndex {
  readonly named: NamedResource[] = [];
  /** Everything that is looked for in what was said, by its text. */
  readonly words = new Map<string, NameWord>();
  /** Single words that are all of a name, but for its number. */
  readonly wholes = new Set<string>();
  /** Words that are counted: a number is expected behind them. */
  readonly counted = new Set<NameWord>();
  readonly #forms = new Map<string, NameForm>();

  static readonly #of = once((known: KnownResources) => new NameIndex(known));

  private constructor(readonly known: KnownResources) {}

  static *of(known: KnownResources): Steps<NameIndex> {
    const index = NameIndex.#of(known);
    while (index.named.length < known.all.length) {
      if (index.named.length % TAKEN_APART_PER_STEP === 0) yield;
      const resource = known.all[index.named.length];
      if (resource !== undefined) index.#add(resource);
    }
    return index;
  }

  #add(resource: Resource): void {
    const { kind, names } = resource;
    const [, ...outer] = this.known.chainOf(resource);
    const around = [this.known.areaOf(resource) ?? [], ...outer.map((one) => one.names)].flat();
    const formsOf = (some: readonly string[]) => some.map((name) => this.#form(name));
    this.named.push({ resource, forms: formsOf([...names, kind]), around: formsOf(around) });
  }

  #form(name: string): NameForm {
    const known = this.#forms.get(name);
    if (known !== undefined) return known;
    const { items, place } = this.#items(name);
    for (const { id, word } of items) if (id !== undefined) this.counted.add(word);
    if (items.length === 1) this.wholes.add(items[0]!.word.text);
    const to = place ?? items.length;
    const from = items.findLastIndex(({ id }, i) => i < to - 1 && id !== undefined) + 1;
    const isIdentifier = /\p{L}[-_.@/]\p{L}/u.test(name) && !/\s/.test(name);
    this.#forms.set(name, { items, head: { from, to }, isIdentifier });
    return this.#forms.get(name)!;
  }

  /** The words of a name with what counts them, and where a place begins in it. */
  #items(name: string) {
    const items: NameItem[] = [];
    let place: number | undefined;
    /** A number in front counts what follows. */
    let before: string | undefined;
    const spoken = joined(spokenWords(name, NAME_LANGUAGES));
    for (const [i, { kind, text }] of spoken.entries()) {
      const isLetter = kind === "letters" && text.length === 1 && spoken[i + 1]?.kind !== "number";
      const last = items.at(-1);
      if (spoken.length > 1 && (kind === "number" || isLetter)) {
        if (last !== undefined && last.id === undefined) items[items.length - 1] = { ...last, id: text };
        else before = text;
      } else if (kind === "word" && BETWEEN.has(text)) place ??= items.length > 0 ? items.length : undefined;
      else {
        items.push({ word: this.#word(text, kind !== "word"), id: before });
        before = undefined;
      }
    }
    return { items, place };
  }

  #word(text: string, isLetters: boolean): NameWord {
    const sounds = new Set([soundOf(text), ...(isLetters ? [soundOf([...text].join(" "))] : [])]);
    const word = this.words.get(text) ?? { text, sounds: [...sounds], isLetters };
    this.words.set(text, word);
    return word;
  }
}

/** "U P S one": letters that stand apart are one word, but for one that counts what stands before it. */
function joined(words: readonly SpokenWord[]): readonly SpokenWord[] {
  const all: SpokenWord[] = [];
  for (const word of words) {
    const before = all.at(-1);
    if (word.kind === "letters" && before?.kind === "letters")
      all[all.length - 1] = { ...before, text: before.text + word.text, end: word.end };
    else all.push(word);
  }
  return all;
}
