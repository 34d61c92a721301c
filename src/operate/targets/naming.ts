/**
 * Which resource is named in a sentence: by the words of its names, by their sound, by number and by place. Whatever was
 * said to tell things apart has to hold of the one that is taken: what nothing explains makes it unknown, and what fits
 * two is asked. Pure.
 */
import type { Resource } from "../../domain/resource.js";
import type { Steps } from "../../lib/steps.js";
import { NAMES_PER_STEP, type NamedResource, type NameForm, type NameIndex } from "./forms.js";
import { Heard, type HeardForm, ID_MISSING } from "./heard.js";
import type { KnownResources } from "./registry.js";
import type { Resolution } from "./resolution.js";
import { count, has, type SaidWords } from "./sentence.js";
import { WORDS_MAX } from "./spoken-words.js";

/** Missing words are sums of fractions. */
const ROUNDING = 0.05;

/** A resource of which something was said. */
interface Candidate {
  readonly resource: Resource;
  readonly best: HeardForm;
  readonly isKind: boolean;
  /** The words that it explains by all that it is called, and by where it is. */
  readonly explained: number;
}

/** In steps. `target`: the words that have to be explained wherever they stand, those of the argument of a command. */
export function* namedIn(
  sentence: SaidWords,
  {
    index,
    known,
    target,
  }: { readonly index: NameIndex; readonly known: KnownResources; readonly target: string | undefined },
): Steps<Resolution> {
  const heard = yield* Heard.in(sentence, index);
  const naming = new Naming(sentence, heard, known, target);
  for (const [i, named] of index.named.entries()) {
    if (i % NAMES_PER_STEP === 0) yield;
    naming.add(named);
  }
  return naming.resolution();
}

class Naming {
  readonly #candidates: Candidate[] = [];
  /** Resources, by the words that say where they are, one bit each. */
  readonly #at = new Map<Resource, number>();
  /** Words of things and places that are called exactly so. */
  readonly #full = new Set<number>();
  readonly #slot: number;
  readonly #words: string;

  constructor(
    private readonly sentence: SaidWords,
    private readonly heard: Heard,
    private readonly known: KnownResources,
    target: string | undefined,
  ) {
    this.#slot = sentence.bitsOf(target);
    this.#words = target ?? sentence.text;
  }

  add({ around, forms, resource }: NamedResource): void {
    const heardOf = (form: NameForm) => {
      const heard = this.heard.form(form);
      return heard === undefined ? [] : [{ ...heard, isKind: form.isKind }];
    };
    const own = forms.flatMap(heardOf);
    const places = around.flatMap(heardOf).filter(isWhole);
    for (const { words } of [...own.filter(isWhole), ...places].filter((one) => one.isSure))
      this.#full.add(words);
    const at = together(places);
    if (at !== 0) this.#at.set(resource, at);
    if (own.length === 0) return;
    const best = own.reduce((one, other) => (isBetter(other, one) ? other : one));
    this.#candidates.push({ resource, best, isKind: best.isKind, explained: at | together(own) });
  }

  resolution(): Resolution {
    const { sentence } = this;
    if ([...sentence.words.keys()].some((i) => sentence.listed("every", i)?.value === "everything"))
      return this.#everything();
    const viable = this.#candidates.filter((one) => !isWeak(one) && !this.#isContradicted(one));
    if (viable.length === 0) return this.#nothing();
    const most = Math.max(...viable.map((one) => this.#told(one)));
    const fitting = viable.filter((one) => this.#told(one) === most);
    const least = Math.min(...fitting.map(({ best }) => best.missing));
    return this.#decided(fitting.filter(({ best }) => best.missing <= least + ROUNDING));
  }

  /** How much of what was said it explains; words that make up a sentence count little. */
  #told({ explained }: Candidate): number {
    return count(explained & ~this.sentence.frame) * WORDS_MAX + count(explained & this.sentence.frame);
  }

  /** Whether something was said that does not hold of it. */
  #isContradicted({ best, explained, resource }: Candidate): boolean {
    const open = ~explained & ~this.sentence.frame;
    return (
      (this.#slot & open) !== 0 ||
      this.#isOther(explained) ||
      this.heard.countedPlaces.some((place) => this.heard.hasOtherNumber(place, explained)) ||
      [...this.sentence.words.keys()].some(
        (i) => has(open, i) && this.#tellsApart(i, best, explained, resource),
      )
    );
  }

  /** Whether another thing or place was called by all of its name. */
  #isOther(explained: number): boolean {
    return [...this.#full].some((words) => (words & ~explained & ~this.sentence.frame) !== 0);
  }

  /** Whether a word that nothing explains tells another thing: by where it stands. */
  #tellsApart(at: number, best: HeardForm, explained: number, { id }: Resource): boolean {
    const { sentence } = this;
    // "The printer in the canteen".
    let before = at - 1;
    while (sentence.isArticle(before)) before -= 1;
    if (has(sentence.near, before) && has(explained, before - 1)) return true;
    // "The coffee machine".
    if (at + 1 === best.from) return true;
    // "The rinser on line four" is not line four, though nothing is known of a rinser there.
    let behind = best.from - 1;
    while (sentence.isArticle(behind)) behind -= 1;
    return at + 1 === behind && has(sentence.near, behind) && this.known.childrenOf(id).length > 0;
  }

  /** No name fits: a thing is named that is not known, or none. */
  #nothing(): Resolution {
    const isNamed =
      this.#slot !== 0 ||
      this.#candidates.some(({ best }) => best.missing <= ID_MISSING || best.hasHead) ||
      this.heard.countedPlaces.some((place) => this.heard.hasOtherNumber(place, 0));
    return isNamed ? { type: "unknown", words: this.#words } : { type: "none" };
  }

  #decided(top: readonly Candidate[]): Resolution {
    const resources = top.map(({ resource }) => resource);
    const { best } = top[0]!;
    const wanted = this.#quantity(top);
    if (wanted !== undefined && wanted !== resources.length) return { type: "ask", between: resources };
    if (resources.length > 1)
      return wanted === undefined
        ? { type: "ask", between: resources }
        : { type: "several", resources, words: this.#words };
    if (best.isDoubtful) return { type: "ask", between: resources };
    const how = best.cost > 0 ? "sound" : best.missing > 0 ? "part" : "name";
    return { type: "one", resource: resources[0]!, how };
  }

  /** How many of those that fit were asked for; undefined where it was not said. */
  #quantity(top: readonly Candidate[]): number | undefined {
    const { sentence } = this;
    const from = Math.min(...top.map(({ best }) => best.from));
    for (const i of sentence.words.keys()) {
      const every = sentence.listed("every", i)?.value;
      if (every === "both") return 2;
      if (every !== undefined && i < from) return top.length;
    }
    if (!top.every(({ best, isKind }) => best.missing > 0 || isKind)) return undefined;
    const before = sentence.words[from - 1];
    if (before?.kind === "number") return Number(before.text);
    return top.every(({ best }) => (best.words & sentence.plurals) !== 0) ? top.length : undefined;
  }

  /** "Everything in hall two". */
  #everything(): Resolution {
    const resources = [...this.#at].flatMap(([resource, words]) => (this.#isOther(words) ? [] : [resource]));
    if (resources.length === 0) return { type: "unknown", words: this.#words };
    return { type: "several", resources, words: this.#words };
  }
}

function together(forms: readonly HeardForm[]): number {
  return forms.reduce((sum, { words }) => sum | words, 0);
}

/** A part of a name that does not tell what is meant. */
function isWeak({ best }: Candidate): boolean {
  return best.missing >= 1 && !best.hasHead;
}

function isWhole({ missing }: HeardForm): boolean {
  return missing === 0;
}

function isBetter(one: HeardForm, other: HeardForm): boolean {
  return (count(one.words) - count(other.words) || other.missing - one.missing || other.cost - one.cost) > 0;
}
