/** Which resource is named in a sentence. What nothing explains makes it unknown, and what fits two is asked. Pure. */
import type { Resource } from "../../domain/resource.js";
import type { Steps } from "../../lib/steps.js";
import { NAMES_PER_STEP, type NamedResource } from "./forms.js";
import { Heard, type HeardForm, together, WORD_MISSING } from "./heard.js";
import type { Resolution } from "./registry.js";
import { bitsWhere, count, first, has, last, type SaidEntry, type SaidWords } from "./sentence.js";
import { WORDS_MAX } from "./spoken-words.js";

/** Lists of the commands of what is asked of a place itself: "the temperature in hall two". */
const TELLING_LISTS: readonly string[] = "state quantity fault measure_word every pronoun".split(" ");
/** Missing words are sums of fractions. */
const ROUNDING = 0.05;

/** A resource of which something was said. */
interface Candidate {
  readonly resource: Resource;
  readonly best: HeardForm;
  /** The words that it explains by all that it is called, and by where it is. */
  readonly explained: number;
  /** Whether only the word for what it is was heard: none of its names. */
  readonly isOfKind: boolean;
  /** The numbers and letters in its names. */
  readonly ids: ReadonlySet<string>;
}

/** In steps: each name is held against the sentence. */
export function* namedIn(sentence: SaidWords): Steps<Resolution> {
  const naming = new Naming(sentence, yield* Heard.in(sentence));
  for (const [i, named] of sentence.index.named.entries()) {
    if (i % NAMES_PER_STEP === 0) yield;
    naming.add(named);
  }
  return naming.resolution();
}

class Naming {
  readonly #candidates: Candidate[] = [];
  /** Resources, by the words that say where they are, one bit each. */
  readonly #at = new Map<Resource, number>();
  /** Words of things that are called exactly so. */
  readonly #full = new Set<number>();
  /** Words that are surely of a name. */
  #sure = 0;

  constructor(
    private readonly sentence: SaidWords,
    private readonly heard: Heard,
  ) {}

  add({ around, forms, resource }: NamedResource): void {
    const { form: heardOf } = this.heard;
    const own = forms.flatMap(heardOf);
    const sure = own.filter(({ isSure }) => isSure);
    for (const { words } of sure.filter(isWhole)) this.#full.add(words);
    this.#sure |= together(sure);
    const at = together(around.flatMap(heardOf).filter(isWhole));
    if (at !== 0) this.#at.set(resource, at);
    // "Server one" is where the web server runs, and not a word of its name.
    const named = own.filter((one) => isWhole(one) || (one.words & ~at) !== 0);
    const [best] = named.sort(byWorth);
    if (best === undefined) return;
    const ids = new Set(forms.flatMap(({ items }) => items.flatMap(({ id }) => id ?? [])));
    // What only sounds a little like one name adds nothing to another: "Klasse" is not both "glass" and "Kasse".
    const explained = at | together(own.filter((one) => one === best || one.isSure));
    const isOfKind = forms.findIndex((form) => heardOf(form)[0] === best) === forms.length - 1;
    this.#candidates.push({ resource, best, explained, isOfKind, ids });
  }

  resolution(): Resolution {
    // "Anything on line two", but not "anything wrong with line two".
    const isAll = ({ to, value }: SaidEntry) =>
      value === "everything" || (value === "anything" && has(this.sentence.near, to));
    if (this.sentence.entries("every").some(isAll)) return this.#everything();
    const viable = this.#candidates.filter((one) => !isWeak(one.best) && !this.#isContradicted(one));
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
  #isContradicted(candidate: Candidate): boolean {
    const { explained } = candidate;
    const open = ~explained & ~this.sentence.frame;
    const isOther = (this.sentence.slot & open) !== 0 || this.#isOther(explained);
    if (isOther || this.heard.hasOtherNumber(explained)) return true;
    return this.sentence.words.some((_, i) => has(open, i) && this.#tellsApart(i, candidate));
  }

  /** Whether another thing or place was called by all of its name. */
  #isOther(explained: number): boolean {
    return [...this.#full].some((words) => (words & ~explained & ~this.sentence.frame) !== 0);
  }

  /** Whether a word that nothing explains tells another thing: by where it stands. */
  #tellsApart(at: number, { best, explained, resource: { id } }: Candidate): boolean {
    const { index, near } = this.sentence;
    const from = first(best.words);
    // "The printer in the canteen".
    const before = this.sentence.beforeArticle(at);
    if (has(near, before) && has(explained, before - 1)) return true;
    // "The coffee machine", and "the toaster on line four", which is not line four.
    const behind = this.sentence.beforeArticle(from);
    const isName = index.known.childrenOf(id).length > 0 || has(this.#sure, at);
    // "Check pump two", "check on the printer": the verb is the command's.
    if (this.sentence.slot !== 0 && !has(this.sentence.slot, at)) return false;
    return at + 1 === from || (at + 1 === behind && has(near, behind) && isName);
  }

  /** No name fits: a thing is named that is not known, or none. */
  #nothing(): Resolution {
    const isHeard = this.#candidates.some(({ best }) => best.hasHead && !isWeak(best));
    const isNamed = this.sentence.slot !== 0 || isHeard || this.heard.hasOtherNumber(0);
    return isNamed ? { type: "unknown", words: this.sentence.target ?? this.#name() } : { type: "none" };
  }

  /** The name that is not known: the words that sound most like one, with what tells it from others. */
  #name(): string {
    const { heard, sentence } = this;
    const named = this.#candidates.map(({ best }) => best).filter((one) => !isWeak(one));
    const likely = [...named, ...heard.countedPlaces];
    const least = Math.min(...likely.map(({ cost }) => cost));
    const words = together(likely.filter(({ cost }) => cost === least)) || ~sentence.frame;
    if (words === 0) return sentence.text;
    const isLink = (at: number) => has(sentence.near, at) || sentence.isArticle(at);
    const isOpen = (at: number) => at >= 0 && !sentence.isFrame(at) && !isLink(at);
    const past = (is: (at: number) => boolean, at: number, step: number): number =>
      is(at + step) ? past(is, at + step, step) : at;
    // "The rinser on line four", but not "fine in hall nine".
    const before = past(isOpen, past(isLink, past(isOpen, first(words), -1), -1), -1);
    const from = sentence.isArticle(before - 1) ? before : past(isOpen, first(words), -1);
    const to = past(isOpen, past(isLink, past(isOpen, last(words), 1), 1), 1);
    return sentence.text.slice(sentence.words[from]!.start, sentence.words[to]!.end);
  }

  #decided(top: readonly Candidate[]): Resolution {
    const resources = top.map(({ resource }) => resource);
    const { best } = top[0]!;
    if ((this.#quantity(top) ?? 1) !== resources.length) return { type: "ask", between: resources };
    if (resources.length > 1) return { type: "several", resources };
    const rivals = this.#rivals(top[0]!);
    if (best.isDoubtful || this.#isGuess(top[0]!) || rivals.length > 0)
      return { type: "ask", between: [...resources, ...rivals.map(({ resource }) => resource)] };
    const how = best.cost > 0 ? "sound" : best.missing > 0 ? "part" : "name";
    const measured = this.#measured(top[0]!);
    if (measured !== undefined || !this.#isLeftOut(top[0]!))
      return measured ?? { type: "one", resource: resources[0]!, how };
    return {
      type: "ask",
      between: [...resources, ...this.sentence.index.known.childrenOf(resources[0]!.id)],
    };
  }

  /** Whether a part of a name is known by its sound alone, or a name by a poor one with nothing else that bears it out. */
  #isGuess({ best, explained, ids, isOfKind }: Candidate): boolean {
    if (best.wordCost === 0) return false;
    const isOnly = ids.size === 0 && (~explained & ~this.sentence.frame) !== 0;
    return best.missing > 0 || isOfKind || (!best.isSure && isOnly);
  }

  /** Whether something in a place was meant that was not heard: "the ... on line two", "the line two ...". */
  #isLeftOut({ best, resource: { id } }: Candidate): boolean {
    const { sentence } = this;
    if (sentence.index.known.childrenOf(id).length === 0) return false;
    const at = sentence.beforeArticle(first(best.words));
    const behind = last(best.words) + 1;
    // "Is hall two lit": what is asked of the place.
    const isAsked = behind + 1 === sentence.words.length && sentence.entries("being").length > 0;
    if (!has(sentence.near, at)) return !isAsked && !sentence.isFrame(behind);
    const told = TELLING_LISTS.flatMap((list) => sentence.entries(list));
    return !told.some(({ from, to }) => from < at && to >= at);
  }

  /** "Card two" sounds like "cart two", but card reader two has the very word. "The PET line capping" is more of the capper. */
  #rivals(candidate: Candidate): readonly Candidate[] {
    const { best, ids } = candidate;
    const isNumber = (_: unknown, at: number) => has(best.words, at) && this.sentence.ids(at).length > 0;
    const words = best.words & ~bitsWhere(this.sentence.words, isNumber);
    const isFuller = (one: Candidate) => one.best.isSure && this.#told(one) > this.#told(candidate);
    const isNearer = ({ best: { wordCost, words: own }, ids: others }: Candidate) =>
      words !== 0 &&
      wordCost < best.wordCost - ROUNDING &&
      (words & ~own) === 0 &&
      (ids.size === 0 || [...others].some((id) => ids.has(id)));
    return this.#candidates.filter((one) => isNearer(one) || (isFuller(one) && !this.#isContradicted(one)));
  }

  /** "How warm is it in hall one" is asked of what tells the temperature there; undefined: of the named thing itself. */
  #measured({ best, resource: place }: Candidate): Resolution | undefined {
    const { sentence } = this;
    const { known, named } = sentence.index;
    const asked = sentence.entries("measure_word").find(({ from }) => !has(best.words, from))?.value;
    const isIn = has(sentence.near, sentence.beforeArticle(first(best.words)));
    if (asked === undefined || !isIn || known.childrenOf(place.id).length === 0) return undefined;
    const names = sentence.namesOf(asked);
    const tells = ({ forms }: NamedResource) =>
      forms.some(({ items }) => items.some(({ word }) => names.has(word.text)));
    const telling = named.filter(tells).map(({ resource }) => resource);
    if (telling.length === 0) return undefined;
    const inside = telling.filter((one) => known.chainOf(one).includes(place));
    if (inside.length === 1) return { type: "one", resource: inside[0]!, how: "part" };
    return { type: "ask", between: inside.length === 0 ? [place] : inside };
  }

  /** How many of those that fit were asked for; undefined where it was not said. */
  #quantity(top: readonly Candidate[]): number | undefined {
    const from = Math.min(...top.map(({ best }) => first(best.words)));
    for (const every of this.sentence.entries("every")) {
      if (every.value === "both") return 2;
      if (every.from < from) return top.length;
    }
    const isPlural = ({ best }: Candidate) =>
      this.sentence.words.some((word, i) => word.plural !== undefined && has(best.words, i));
    return top.every(isPlural) ? top.length : undefined;
  }

  /** "Everything in hall two". */
  #everything(): Resolution {
    const resources = [...this.#at].flatMap(([resource, words]) => (this.#isOther(words) ? [] : resource));
    return resources.length === 0 ? { type: "unknown", words: this.#name() } : { type: "several", resources };
  }
}

/** A part of a name that does not tell what is meant: no head, or what only sounds a little like one. */
function isWeak({ hasHead, isSure, missing }: HeardForm): boolean {
  return missing >= WORD_MISSING && !(hasHead && isSure);
}

const isWhole = ({ missing }: HeardForm): boolean => missing === 0;

function byWorth(a: HeardForm, b: HeardForm): number {
  const weaker = Number(isWeak(a)) - Number(isWeak(b));
  return weaker || count(b.words) - count(a.words) || a.missing - b.missing || a.cost - b.cost;
}
