/**
 * What the resources that one access may know of are called, taken apart for comparison: each name is one or more parts,
 * words with the number or letter behind them ("label printer", "line 3"), so that a number stays with what it counts.
 */
import type { Resource } from "../../domain/resource.js";
import type { Steps } from "../../lib/steps.js";
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

export interface NamePart {
  readonly words: readonly NameWord[];
  /** The number or letter that counts it. */
  readonly id: string | undefined;
}

export interface NameForm {
  readonly parts: readonly NamePart[];
  /** Which part says what it is: "printer" of "line one printer", and of "printer on line one". */
  readonly head: number;
  /** The kind of the resource, which is no name of its own. */
  readonly isKind: boolean;
  /** Written as programs are called: any part of it is said for it. */
  readonly isIdentifier: boolean;
}

export interface NamedResource {
  readonly resource: Resource;
  readonly forms: readonly NameForm[];
  /** Where it is, what it is part of and what it runs on: said to tell it from others. */
  readonly around: readonly NameForm[];
}

export interface NameIndex {
  readonly named: readonly NamedResource[];
  /** Everything that is looked for in what was said, by its text. */
  readonly words: ReadonlyMap<string, NameWord>;
  /** Single words that are all of a name, but for its number. */
  readonly wholes: ReadonlySet<string>;
  /** Words that are counted: a number is expected behind them. */
  readonly counted: ReadonlySet<NameWord>;
}

/** Names that are looked at in one step. */
export const NAMES_PER_STEP = 32;

const indexes = new WeakMap<KnownResources, NameIndex>();

/** Made once for all that one access may know of. */
export function* nameIndex(known: KnownResources): Steps<NameIndex> {
  const index = indexes.get(known) ?? (yield* new IndexBuilder().index(known));
  indexes.set(known, index);
  return index;
}

/** Of what is prefixed to a place or another thing, in names of any language. */
const BETWEEN: ReadonlySet<string> = new Set(
  "the of on in at for and an de del la el los las en der die das dem den des im am auf in von fur du des les le au sur dans".split(
    " ",
  ),
);

class IndexBuilder {
  readonly #words = new Map<string, NameWord>();
  readonly #counted = new Set<NameWord>();
  readonly #wholes = new Set<string>();
  /** Places are names of many things. */
  readonly #forms = new Map<string, NameForm>();

  *index(known: KnownResources): Steps<NameIndex> {
    const named: NamedResource[] = [];
    for (const [i, resource] of known.all.entries()) {
      if (i % NAMES_PER_STEP === 0) yield;
      const [, ...outer] = known.chainOf(resource);
      const around = [known.areaOf(resource) ?? [], ...outer.map(({ names }) => names)].flat();
      named.push({
        resource,
        forms: [...resource.names.map((name) => this.#form(name, false)), this.#form(resource.kind, true)],
        around: around.map((name) => this.#form(name, false)),
      });
    }
    return { named, words: this.#words, wholes: this.#wholes, counted: this.#counted };
  }

  #form(name: string, isKind: boolean): NameForm {
    const known = this.#forms.get(`${isKind} ${name}`);
    if (known !== undefined) return known;
    const isIdentifier = /\p{L}[-_.@/]\p{L}/u.test(name) && !/\s/.test(name);
    const form: NameForm = { ...this.#parts(name), isKind, isIdentifier };
    const [first, ...others] = form.parts.flatMap(({ words }) => words);
    if (first !== undefined && others.length === 0) this.#wholes.add(first.text);
    this.#forms.set(`${isKind} ${name}`, form);
    return form;
  }

  #parts(name: string): Pick<NameForm, "parts" | "head"> {
    const parts: NamePart[] = [];
    let head: number | undefined;
    let words: NameWord[] = [];
    /** A number in front counts what follows. */
    let before: string | undefined;
    const close = (id: string | undefined) => {
      if (words.length > 0) parts.push({ words, id: id ?? before });
      if (words.length > 0 && (id ?? before) !== undefined) this.#counted.add(words.at(-1)!);
      before = words.length > 0 ? undefined : (id ?? before);
      words = [];
    };
    const spoken = joined(spokenWords(name, NAME_LANGUAGES));
    for (const [i, word] of spoken.entries()) {
      const isLetter = word.kind === "letters" && word.text.length === 1 && spoken.length > 1;
      if (word.kind === "number" || (isLetter && spoken[i + 1]?.kind !== "number")) close(word.text);
      else if (word.kind === "word" && BETWEEN.has(word.text)) {
        close(undefined);
        if (parts.length > 0) head ??= parts.length - 1;
      } else words.push(this.#word(word));
    }
    close(undefined);
    // A number that nothing stands beside is the name.
    if (before !== undefined && parts.length === 0)
      parts.push({ words: [this.#word({ text: before, kind: "letters" })], id: undefined });
    return { parts, head: head ?? parts.length - 1 };
  }

  #word({ kind, text }: Pick<SpokenWord, "kind" | "text">): NameWord {
    const isLetters = kind === "letters";
    const sounds = new Set([soundOf(text), ...(isLetters ? [soundOf([...text].join(" "))] : [])]);
    const word = this.#words.get(text) ?? { text, sounds: [...sounds], isLetters };
    this.#words.set(text, word);
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
