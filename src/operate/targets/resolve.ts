/**
 * Which resource somebody means, before any model is asked: by the words of its names, by their sound, by number and by
 * place. Whatever was said to tell things apart has to hold of the one that is taken: what nothing explains makes it
 * unknown, and what fits two is asked. Pure; what the user may not know of has no part in it.
 */
import type { Resource } from "../../domain/resource.js";
import type { TargetContext } from "../../domain/target-context.js";
import type { Steps } from "../../lib/steps.js";
import type { Grammar } from "../../locale/commands/file.js";
import type { Language } from "../../words/polarity.js";
import { choices, spokenOf } from "./context.js";
import { NAMES_PER_STEP, type NamedResource, type NameIndex, nameIndex } from "./forms.js";
import { bits, Heard, type HeardForm, ID_MISSING } from "./heard.js";
import type { KnownResources } from "./registry.js";
import type { Resolution } from "./resolution.js";
import { languageSpoken } from "./sentence.js";
import { spokenWords, WORDS_MAX } from "./spoken-words.js";

export interface SaidTarget {
  readonly utterance: string;
  /** The words of the `target` argument, where a template of commands found one. */
  readonly target?: string | undefined;
  /** Ids that the caller marked: a field of a page, not speech. */
  readonly mentions?: readonly string[];
  /** Of the turn: it counts where what was said does not tell. */
  readonly language: Language;
}

export interface ResolveDeps {
  readonly known: KnownResources;
  readonly context: TargetContext;
  /** The commands of every language: what was said tells which of them it is in. */
  readonly grammars: readonly Grammar[];
  readonly nowMs: number;
}

/** Resources that one question asks between; there may be more. */
export const ASKED_MAX = 8;
/** How much worse a second one has to sound, for the first to be taken. */
const MARGIN = 0.35;
/** How different a name may sound that has to be a part of what is meant: all of it together, or for each sound. */
const SURE_COST_MAX = 0.31;
const SURE_COST_PER_SOUND_MAX = 0.13;

/** In steps: a site may have thousands of names, and each is held against what was said. */
export function* resolveTarget(said: SaidTarget, deps: ResolveDeps): Steps<Resolution> {
  if (said.mentions !== undefined && said.mentions.length > 0) return ofMentions(said.mentions, deps.known);
  const grammar = languageSpoken(said.utterance, deps.grammars, said.language);
  const index = yield* nameIndex(deps.known);
  const parts = segmentsOf(said, grammar);
  const found: Resolution[] = [];
  for (const part of parts) {
    const before = found.flatMap(resourcesOf).map(({ id }) => id);
    const spoken = before.length > 0 ? before : spokenOf(deps.context, deps.nowMs);
    const heard = yield* Heard.in(part.utterance, grammar, index);
    found.push(yield* new Resolver(part, heard, deps, spoken).resolution());
  }
  return joined(found, said);
}

function ofMentions(ids: readonly string[], known: KnownResources): Resolution {
  const resources = [...new Set(ids)].flatMap((id) => known.byId(id) ?? []);
  if (resources.length < new Set(ids).size) return { type: "unknown", words: "" };
  return resources.length === 1
    ? { type: "one", resource: resources[0]!, how: "mention" }
    : { type: "several", resources, words: "" };
}

/** What stands between "and"s, each with its own things. */
function segmentsOf(said: SaidTarget, { language, lists }: Grammar): readonly SaidTarget[] {
  const words = spokenWords(said.utterance, [language as Language]);
  const texts = words.map(({ text }) => text);
  const cuts = words.flatMap((_word, i) =>
    i > 0 && (lists.get("joint")?.at(texts, i).length ?? 0) > 0 ? [i] : [],
  );
  if (cuts.length === 0) return [said];
  const starts = [0, ...cuts.map((cut) => cut + 1)];
  return starts.flatMap((from, i) => {
    const to = cuts[i] ?? words.length;
    if (from >= to) return [];
    const utterance = said.utterance.slice(words[from]!.start, words[to - 1]!.end);
    return [{ ...said, target: undefined, utterance }];
  });
}

function resourcesOf(found: Resolution): readonly Resource[] {
  return found.type === "one" ? [found.resource] : found.type === "several" ? found.resources : [];
}

/** What the parts of a sentence name, together: nothing is done with half of it. */
function joined(found: readonly Resolution[], { utterance }: SaidTarget): Resolution {
  const named = found.filter(({ type }) => type !== "none");
  if (named.length <= 1) return named[0] ?? { type: "none" };
  const open = named.find(({ type }) => type === "unknown") ?? named.find(({ type }) => type === "ask");
  if (open !== undefined) return open;
  const resources = [...new Set(named.flatMap(resourcesOf))];
  return resources.length === 1 ? named[0]! : { type: "several", resources, words: utterance };
}

/** A resource of which something was said. */
interface Candidate {
  readonly named: NamedResource;
  readonly best: HeardForm;
  /** The words that it explains by all that it is called, and by where it is. */
  readonly explained: number;
}

class Resolver {
  readonly #index: NameIndex;
  /** Words that have to be explained wherever they stand: those of the argument of a command. */
  readonly #slot: number;
  /** Words of things and places that are called exactly so. */
  readonly #full = new Set<number>();
  #candidates: readonly Candidate[] = [];
  #placeBits: number | undefined;

  constructor(
    private readonly said: SaidTarget,
    private readonly heard: Heard,
    private readonly deps: ResolveDeps,
    /** Ids of what was spoken of before. */
    private readonly spoken: readonly string[],
  ) {
    this.#index = heard.index;
    this.#slot = this.#bitsOf(said.target);
  }

  *resolution(): Steps<Resolution> {
    const candidates: Candidate[] = [];
    for (const [i, named] of this.#index.named.entries()) {
      if (i % NAMES_PER_STEP === 0) yield;
      candidates.push(...this.#candidate(named));
    }
    this.#candidates = candidates;
    return this.#resolved();
  }

  #resolved(): Resolution {
    const focused = this.#focused();
    if (focused !== undefined) return focused;
    const everything = this.#everything();
    if (everything !== undefined) return everything;
    const viable = this.#candidates.filter((one) => !isWeak(one) && !this.#isContradicted(one));
    if (viable.length === 0) return this.#nothing();
    const most = Math.max(...viable.map((one) => this.#told(one)));
    const fitting = viable.filter((one) => this.#told(one) === most);
    const least = Math.min(...fitting.map(({ best }) => best.missing));
    const nearest = fitting.filter(({ best }) => best.missing <= least + 0.05);
    const cost = Math.min(...nearest.map(({ best }) => best.cost));
    const top = nearest.filter(({ best }) => best.cost <= cost + MARGIN);
    return this.#list(top) ?? this.#decided(top);
  }

  #bitsOf(words: string | undefined): number {
    const at = words === undefined ? -1 : this.said.utterance.indexOf(words);
    if (at < 0) return 0;
    const to = at + words!.length;
    return this.heard.words.reduce(
      (sum, { start, end }, i) => (start >= at && end <= to ? sum | (1 << i) : sum),
      0,
    );
  }

  #candidate(named: NamedResource): readonly Candidate[] {
    const forms = named.forms.flatMap((form) => this.heard.form(form) ?? []);
    const around = named.around.flatMap((form) => this.heard.form(form) ?? []).filter(isWhole);
    for (const one of [...forms, ...around]) if (isWhole(one) && isSure(one)) this.#full.add(one.words);
    if (forms.length === 0) return [];
    const explained = [...forms, ...around].reduce((sum, { words }) => sum | words, 0);
    const best = forms.reduce((one, other) => (isBetter(other, one) ? other : one));
    return [{ named, best, explained }];
  }

  /** Whether something was said that does not hold of it. */
  #isContradicted({ best, explained, named }: Candidate): boolean {
    const heard = this.heard;
    const open = ~explained & ~heard.frame;
    if ([...this.#full].some((words) => (words & open) !== 0)) return true;
    if ((this.#slot & open & this.#contentBits()) !== 0) return true;
    if (heard.countedPlaces.some((place) => heard.hasOtherNumber(place, explained))) return true;
    return (
      this.#isModified(best, open) ||
      this.#isElsewhere(open) ||
      this.#isPlaceOfAnother(named.resource, best, open)
    );
  }

  /** How much of what was said it explains; words that make up a sentence count little. */
  #told({ explained }: Candidate): number {
    return count(explained & ~this.heard.frame) * WORDS_MAX + count(explained & this.heard.frame);
  }

  #contentBits(): number {
    return this.heard.words.reduce(
      (sum, { text }, i) => (text.length > 1 || /\d/.test(text) ? sum | (1 << i) : sum),
      0,
    );
  }

  /** "The coffee machine" is no washing machine: a word stands before that nothing explains. */
  #isModified(best: HeardForm, open: number): boolean {
    const before = best.from - 1;
    if (before < 0 || ((open >> before) & 1) === 0) return false;
    return before > 0 || best.missing >= 1;
  }

  /** "The rinser on line four" is not line four, though nothing is known of a rinser there. */
  #isPlaceOfAnother({ id }: Resource, { from }: HeardForm, open: number): boolean {
    if (this.deps.known.childrenOf(id).length === 0) return false;
    let before = from - 1;
    while (before > 0 && this.heard.isArticle(before)) before -= 1;
    return (
      before > 0 && this.heard.listed("near", before) !== undefined && ((open >> (before - 1)) & 1) === 1
    );
  }

  /** "The printer in the canteen", where nothing is known of a canteen. */
  #isElsewhere(open: number): boolean {
    return (this.#places() & open) !== 0;
  }

  /** Words that tell a place, behind a thing: one bit each. */
  #places(): number {
    if (this.#placeBits !== undefined) return this.#placeBits;
    const heard = this.heard;
    const named = this.#candidates.reduce(
      (sum, { best, explained }) => (best.missing < 1 ? sum | explained : sum),
      0,
    );
    this.#placeBits = 0;
    for (let i = 1; i < heard.words.length; i++) {
      if (heard.listed("near", i) === undefined || ((named >> (i - 1)) & 1) === 0) continue;
      let at = i + 1;
      while (heard.isArticle(at)) at += 1;
      if (at < heard.words.length) this.#placeBits |= 1 << at;
    }
    return this.#placeBits;
  }

  #nothing(): Resolution {
    const isNamed =
      this.#candidates.some(({ best }) => best.missing <= ID_MISSING + 0.01 || best.hasHead) ||
      this.#isOtherNumber();
    if (this.#slot === 0 && !isNamed)
      return this.spoken.length > 0 && this.#isPointing() ? this.#again() : { type: "none" };
    return { type: "unknown", words: this.said.target ?? this.said.utterance };
  }

  #isOtherNumber(): boolean {
    return this.heard.countedPlaces.some((place) => this.heard.hasOtherNumber(place, 0));
  }

  #decided(top: readonly Candidate[]): Resolution {
    const [first] = top;
    const { best, named } = first!;
    if (top.length > 1) return this.#ask(top.map((one) => one.named.resource));
    if (best.isDoubtful) return this.#ask([named.resource]);
    const how = best.cost > 0 ? "sound" : best.missing > 0 ? "part" : "name";
    return { type: "one", resource: named.resource, how };
  }

  #ask(between: readonly Resource[]): Resolution {
    return { type: "ask", between };
  }

  /** All that fit, where several were asked for. */
  #list(fitting: readonly Candidate[]): Resolution | undefined {
    const resources = fitting.map(({ named }) => named.resource);
    const wanted = this.#quantity(fitting);
    if (wanted === undefined) return undefined;
    if (typeof wanted === "number" && resources.length !== wanted) return this.#ask(resources);
    return resources.length === 1
      ? undefined
      : { type: "several", resources, words: this.said.target ?? this.said.utterance };
  }

  /** Whether several were asked for: how many, where that was said. */
  #quantity(fitting: readonly Candidate[]): number | "all" | undefined {
    const heard = this.heard;
    const from = Math.min(...fitting.map(({ best }) => best.from));
    for (let i = 0; i < heard.words.length; i++) {
      const every = heard.listed("every", i)?.value;
      if (every === "both") return 2;
      if (every !== undefined && i < from) return "all";
    }
    const isCounted = fitting.every(({ best }) => best.missing > 0 || best.form.isKind);
    if (!isCounted) return undefined;
    const before = heard.words[from - 1];
    if (before?.kind === "number") return Number(before.text);
    return fitting.every(({ best }) => this.#isPlural(best)) ? "all" : undefined;
  }

  #isPlural({ words }: HeardForm): boolean {
    return this.heard.words.some(({ isPlural }, i) => isPlural === true && ((words >> i) & 1) === 1);
  }

  /** "Everything in hall two". */
  #everything(): Resolution | undefined {
    const heard = this.heard;
    const isAsked = heard.words.some((_word, i) => heard.listed("every", i)?.value === "everything");
    if (!isAsked) return undefined;
    const resources = this.#index.named
      .filter(({ around }) => {
        const places = around.flatMap((form) => heard.form(form) ?? []).filter(isWhole);
        const explained = places.reduce((sum, { words }) => sum | words, 0);
        return explained !== 0 && [...this.#full].every((words) => (words & ~explained & ~heard.frame) === 0);
      })
      .map(({ resource }) => resource);
    if (resources.length > 0)
      return { type: "several", resources, words: this.said.target ?? this.said.utterance };
    return { type: "unknown", words: this.said.target ?? this.said.utterance };
  }

  /** What only the conversation explains: "the other one", "what about three", "and on line two". */
  #focused(): Resolution | undefined {
    const spoken = this.spoken.flatMap((id) => this.deps.known.byId(id) ?? []);
    if (spoken.length === 0) return undefined;
    const heard = this.heard;
    const open = heard.words.flatMap((_word, i) => (heard.isFrame(i) ? [] : [i]));
    if (open.length === 0) return this.#ofFrame(spoken);
    const ids = heard.ids(open[0]!);
    if (heard.words[open[0]!]!.kind === "number" && open.length === ids[0]!.to - open[0]!)
      return this.#sibling(spoken[0]!, new Set(ids.map(({ id }) => id)));
    return this.#elsewhere(spoken[0]!);
  }

  #ofFrame(spoken: readonly Resource[]): Resolution | undefined {
    const heard = this.heard;
    for (const [i] of heard.words.entries()) {
      if (heard.listed("other", i) !== undefined) return this.#other(spoken);
      const place = heard.listed("place", i)?.value;
      if (place !== undefined) return this.#ordinal(String(place), spoken);
    }
    return this.#isPointing() ? this.#again() : undefined;
  }

  #isPointing(): boolean {
    return this.heard.words.some((_word, i) => this.heard.listed("pronoun", i) !== undefined);
  }

  #again(): Resolution {
    const spoken = this.spoken.flatMap((id) => this.deps.known.byId(id) ?? []);
    if (spoken.length === 1) return { type: "one", resource: spoken[0]!, how: "context" };
    const isMany = this.heard.words.some((_word, i) => this.heard.listed("pronoun", i)?.value === "several");
    return isMany ? { type: "several", resources: spoken, words: this.said.utterance } : this.#ask(spoken);
  }

  #other(spoken: readonly Resource[]): Resolution {
    const offered = choices(this.deps.context, this.deps.nowMs).flatMap(
      (id) => this.deps.known.byId(id) ?? [],
    );
    const others = (offered.length > 1 ? offered : this.#family(spoken[0]!)).filter(
      (one) => !spoken.includes(one) || offered.length > 1,
    );
    if (others.length === 0) return { type: "unknown", words: this.said.utterance };
    return others.length === 1 ? { type: "one", resource: others[0]!, how: "context" } : this.#ask(others);
  }

  #ordinal(place: string, spoken: readonly Resource[]): Resolution {
    const offered = choices(this.deps.context, this.deps.nowMs).flatMap(
      (id) => this.deps.known.byId(id) ?? [],
    );
    if (offered.length < 2)
      return place === "last"
        ? this.#ask(this.#family(spoken[0]!))
        : this.#sibling(spoken[0]!, new Set([place]));
    const resource = place === "last" ? offered.at(-1) : offered[Number(place) - 1];
    return resource === undefined ? this.#ask(offered) : { type: "one", resource, how: "context" };
  }

  /** Those that have a name of the same words with another number, or else are of the same kind. */
  #family(of: Resource): readonly Resource[] {
    const own = this.#namedAs(of).forms.flatMap(({ isKind, parts }) =>
      isKind ? [] : parts.filter(({ id }) => id !== undefined).map(({ chunk }) => chunk),
    );
    const counted = this.#index.named.filter(
      ({ forms, resource }) =>
        resource.kind === of.kind &&
        forms.some(
          ({ isKind, parts }) =>
            !isKind && parts.some(({ chunk, id }) => id !== undefined && own.includes(chunk)),
        ),
    );
    const family =
      counted.length > 1 ? counted : this.#index.named.filter(({ resource }) => resource.kind === of.kind);
    return family.map(({ resource }) => resource);
  }

  #namedAs(resource: Resource): NamedResource {
    return this.#index.named.find((one) => one.resource === resource)!;
  }

  /** The one of the family with this number. */
  #sibling(of: Resource, ids: ReadonlySet<string>): Resolution {
    const found = this.#family(of).filter((one) =>
      this.#namedAs(one).forms.some(({ parts }) => parts[0]?.id !== undefined && ids.has(parts[0].id)),
    );
    if (found.length === 0) return { type: "unknown", words: this.said.utterance };
    return found.length === 1 ? { type: "one", resource: found[0]!, how: "context" } : this.#ask(found);
  }

  /** The same kind of thing at another place: "and on line two". */
  #elsewhere(of: Resource): Resolution | undefined {
    const heard = this.heard;
    const near = heard.words.findIndex((_word, i) => heard.listed("near", i) !== undefined);
    if (near < 0) return undefined;
    const open = heard.words.reduce((sum, _word, i) => (heard.isFrame(i) ? sum : sum | (1 << i)), 0);
    if ((open & bits(0, near)) !== 0) return undefined;
    const found = this.#index.named.filter(({ around, resource }) => {
      if (resource.kind !== of.kind) return false;
      const places = around.flatMap((form) => heard.form(form) ?? []).filter(isWhole);
      return places.some(({ words }) => (open & ~words) === 0);
    });
    if (found.length === 0) return undefined;
    const resources = found.map(({ resource }) => resource);
    return resources.length === 1
      ? { type: "one", resource: resources[0]!, how: "context" }
      : this.#ask(resources);
  }
}

/** A part of a name that does not tell what is meant. */
function isWeak({ best }: Candidate): boolean {
  return best.missing >= 1 && !best.hasHead;
}

function isSure({ cost, sounds }: HeardForm): boolean {
  return cost <= Math.max(SURE_COST_MAX, SURE_COST_PER_SOUND_MAX * sounds);
}

function isWhole({ missing }: HeardForm): boolean {
  return missing === 0;
}

function isBetter(one: HeardForm, other: HeardForm): boolean {
  const [explained, less] = [count(one.words), count(other.words)];
  return explained !== less
    ? explained > less
    : one.missing !== other.missing
      ? one.missing < other.missing
      : one.cost < other.cost;
}

function count(words: number): number {
  let [left, sum] = [words, 0];
  for (; left !== 0; left &= left - 1) sum += 1;
  return sum;
}
