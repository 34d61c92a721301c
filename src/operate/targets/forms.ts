/**
 * What the resources that one access may know of are called, taken apart for comparison: each name is one or more parts,
 * words with the number or letter behind them ("label printer", "line 3"), so that a number stays with what it counts.
 */
import type { Resource } from "../../domain/resource.js";
import type { Steps } from "../../lib/steps.js";
import { soundOf } from "../../words/sound.js";
import type { KnownResources } from "./registry.js";
import { NAME_LANGUAGES, type SpokenWord, spokenWords } from "./spoken-words.js";

/** Words that may stand for others: a whole part, or one word of it. */
export interface NameWords {
  readonly text: string;
  /** As it may be said: as a word, and letter by letter where it may be short for something. */
  readonly sounds: readonly string[];
  readonly words: number;
  /** Whether it is short for something: it has to sound just so. */
  readonly isLetters: boolean;
}

export interface NamePart {
  readonly chunk: NameWords;
  /** Its words, where it has several. */
  readonly pieces: readonly NameWords[];
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
  /** Everything that is looked for in what was said. */
  readonly chunks: readonly NameWords[];
  /** Every single word of them. */
  readonly texts: ReadonlySet<string>;
  /** Single words that are all of a name, but for its number. */
  readonly wholes: ReadonlySet<string>;
  /** Parts that are counted: a number is expected behind them. */
  readonly counted: ReadonlySet<NameWords>;
}

/** Names that are looked at in one step. */
export const NAMES_PER_STEP = 32;

const indexes = new WeakMap<KnownResources, NameIndex>();

/** Made once for all that one access may know of. */
export function* nameIndex(known: KnownResources): Steps<NameIndex> {
  const index = indexes.get(known) ?? (yield* new IndexBuilder(known).index());
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
  readonly #chunks = new Map<string, NameWords>();
  readonly #counted = new Set<NameWords>();
  readonly #wholes = new Set<string>();
  readonly #forms = new Map<string, NameForm>();

  constructor(private readonly known: KnownResources) {}

  *index(): Steps<NameIndex> {
    const named: NamedResource[] = [];
    for (const [i, resource] of this.known.all.entries()) {
      if (i % NAMES_PER_STEP === 0) yield;
      named.push(this.#named(resource));
    }
    return {
      named,
      chunks: [...this.#chunks.values()],
      texts: new Set(this.#chunks.keys()),
      wholes: this.#wholes,
      counted: this.#counted,
    };
  }

  #named(resource: Resource): NamedResource {
    const [, ...outer] = this.known.chainOf(resource);
    const area = this.known.areaOf(resource);
    const around = [...(area === undefined ? [] : [area]), ...outer.flatMap(({ names }) => names)];
    return {
      resource,
      forms: [...resource.names.map((name) => this.#form(name, false)), this.#form(resource.kind, true)],
      around: around.map((name) => this.#form(name, false)),
    };
  }

  #form(name: string, isKind: boolean): NameForm {
    const key = `${isKind} ${name}`;
    const known = this.#forms.get(key);
    if (known !== undefined) return known;
    const isIdentifier = /\p{L}[-_.@/]\p{L}/u.test(name) && !/\s/.test(name);
    const { head, parts } = this.#parts(name);
    if (parts.length === 1 && parts[0]!.chunk.words === 1) this.#wholes.add(parts[0]!.chunk.text);
    const form: NameForm = { parts, head, isKind, isIdentifier };
    this.#forms.set(key, form);
    return form;
  }

  #parts(name: string): Pick<NameForm, "parts" | "head"> {
    const parts: NamePart[] = [];
    let head: number | undefined;
    let words: SpokenWord[] = [];
    let idBefore: string | undefined;
    const close = (id: string | undefined) => {
      if (words.length > 0) {
        parts.push(this.#part(words, id ?? idBefore));
        idBefore = undefined;
      } else if (id !== undefined) idBefore = id;
      words = [];
    };
    const spoken = joined(spokenWords(name, NAME_LANGUAGES));
    for (const [i, word] of spoken.entries()) {
      const isLetter = word.kind === "letters" && word.text.length === 1 && spoken.length > 1;
      if (word.kind === "number") close(word.text);
      else if (word.kind === "word" && BETWEEN.has(word.text)) {
        close(undefined);
        if (parts.length > 0) head ??= parts.length - 1;
      } else if (isLetter && spoken[i + 1]?.kind !== "number") close(word.text);
      else words.push(word);
    }
    close(undefined);
    // A number that nothing stands beside is the name.
    if (idBefore !== undefined && parts.length === 0)
      parts.push(this.#part([{ text: idBefore, kind: "letters", start: 0, end: 0 }], undefined));
    return { parts, head: head ?? parts.length - 1 };
  }

  #part(words: readonly SpokenWord[], id: string | undefined): NamePart {
    const chunk = this.#chunk(words);
    const pieces = words.length > 1 ? words.map((word) => this.#chunk([word])) : [];
    if (id !== undefined) this.#counted.add(chunk);
    return { chunk, pieces, id };
  }

  #chunk(words: readonly SpokenWord[]): NameWords {
    const text = words.map((word) => word.text).join(" ");
    const asWords = words.map((word) => soundOf(word.text)).join("");
    const spelt = words
      .map((word) => soundOf(word.kind === "letters" ? [...word.text].join(" ") : word.text))
      .join("");
    const known = this.#chunks.get(text);
    const chunk: NameWords = known ?? {
      text,
      sounds: [...new Set([asWords, spelt])],
      words: words.length,
      isLetters: words.every(({ kind }) => kind === "letters"),
    };
    this.#chunks.set(text, chunk);
    return chunk;
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
