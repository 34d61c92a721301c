/** Which resource somebody means, before any model is asked: what is marked, named, or told by the conversation. Pure. */
import type { Resource } from "../../domain/resource.js";
import type { TargetContext } from "../../domain/target-context.js";
import type { Steps } from "../../lib/steps.js";
import type { Grammar } from "../../locale/commands/file.js";
import type { Language } from "../../words/polarity.js";
import { type NameForm, NameIndex } from "./forms.js";
import { namedIn } from "./naming.js";
import { choices, type KnownResources, type Resolution, resourcesOf, spokenOf } from "./registry.js";
import { entriesOf, languageSpoken, SaidWords } from "./sentence.js";
import { spokenWords } from "./spoken-words.js";

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

/** In steps: a site may have thousands of names, and each is held against what was said. */
export function* resolveTarget(said: SaidTarget, deps: ResolveDeps): Steps<Resolution> {
  const { context, grammars, known, nowMs } = deps;
  if (said.mentions !== undefined && said.mentions.length > 0) return ofMentions(said.mentions, known);
  const grammar = languageSpoken(said.utterance, grammars, said.language);
  const index = yield* NameIndex.of(known);
  const resourcesBy = (ids: readonly string[]) => ids.flatMap((id) => known.byId(id) ?? []);
  const offered = resourcesBy(choices(context, nowMs));
  let spoken: readonly Resource[] = resourcesBy(spokenOf(context, nowMs));
  const found: Resolution[] = [];
  for (const text of segmentsOf(said.utterance, grammar)) {
    const target = text === said.utterance ? said.target : undefined;
    const sentence = new SaidWords(text, grammar, index, target);
    const completed = spoken[0] && (yield* ofContext(sentence, spoken, offered));
    const meant = completed ?? (yield* namedIn(sentence));
    const one = meant.type === "none" ? (again(sentence, spoken) ?? meant) : meant;
    found.push(completed?.type === "one" ? { ...completed, how: "context" } : one);
    spoken = resourcesOf(one).length > 0 ? resourcesOf(one) : spoken;
  }
  return joined(found);
}

function ofMentions(ids: readonly string[], known: KnownResources): Resolution {
  const meant = [...new Set(ids)];
  const resources = meant.flatMap((id) => known.byId(id) ?? []);
  if (resources.length < meant.length) return { type: "unknown", words: "" };
  if (resources.length > 1) return { type: "several", resources };
  return { type: "one", resource: resources[0]!, how: "mention" };
}

/** What stands between "and"s, each with its own things. */
function segmentsOf(utterance: string, grammar: Grammar): readonly string[] {
  const words = spokenWords(utterance, [grammar.language as Language]);
  const texts = words.map(({ text }) => text);
  const cuts = entriesOf(grammar, "joint", texts).flatMap(({ from }) => (from === 0 ? [] : from));
  if (cuts.length === 0) return [utterance];
  return [-1, ...cuts].flatMap((cut, i) => {
    const said = words.slice(cut + 1, cuts[i]);
    return said.length === 0 ? [] : utterance.slice(said[0]!.start, said.at(-1)!.end);
  });
}

/** What the parts of a sentence name, together. */
function joined(found: readonly Resolution[]): Resolution {
  const named = found.filter(({ type }) => type !== "none");
  const open = named.find(({ type }) => type === "unknown") ?? named.find(({ type }) => type === "ask");
  const resources = [...new Set(named.flatMap(resourcesOf))];
  if (open === undefined && resources.length > 1) return { type: "several", resources };
  return open ?? named[0] ?? { type: "none" };
}

/** What is left out is filled in from what was spoken of before, and then resolved like any name. `offered`: to choose from. */
function* ofContext(sentence: SaidWords, spoken: readonly Resource[], offered: readonly Resource[]) {
  const resolve = (text: string) => namedIn(sentence.like(text));
  const { forms } = sentence.index.named.find(({ resource }) => resource === spoken[0])!;
  const form = forms.find(({ items }) => items.some(({ id }) => id !== undefined)) ?? forms.at(-1)!;
  const open = [...sentence.words.keys()].filter((i) => !sentence.isFrame(i));
  const numberAt = (at: number) =>
    sentence.ids(at).find(({ to }) => open.every((one) => one >= at && one < to));
  const ahead = [...sentence.words.keys()].find((at) => sentence.isNumberAhead(at) && numberAt(at));
  const first = ahead ?? open[0];
  if (first === undefined) {
    const place = sentence.entries("place")[0]?.value;
    if (place !== undefined && offered.length < 2)
      return yield* resolve(named(form, place === "last" ? undefined : String(place)));
    if (place !== undefined)
      return oneOf(offered.slice(place === "last" ? -1 : Number(place) - 1).slice(0, 1), offered);
    if (sentence.entries("other").length === 0) return again(sentence, spoken);
    const all = yield* resolve(named(form, undefined));
    const family = all.type === "ask" ? all.between : resourcesOf(all);
    return oneOf(offered.length > 1 ? offered : family.filter((one) => !spoken.includes(one)), spoken);
  }
  const number = numberAt(first);
  if (number !== undefined && (ahead !== undefined || sentence.words[first]!.kind === "number"))
    return yield* resolve(named(form, number.id));
  const [near] = sentence.entries("near");
  const [joint] = sentence.entries("joint");
  const behindJoint = joint?.from === 0 ? joint.to : undefined;
  if (near === undefined ? first !== behindJoint : first < near.to) return undefined;
  const head = form.items.slice(form.head.from, form.head.to).map(({ word }) => word.text);
  const elsewhere = yield* resolve([...head, sentence.text].join(" "));
  // "And on line three" is no question about the line, and "and line three" none where that is where the thing would be.
  const isBeside = elsewhere.type === "one" && elsewhere.resource.kind === spoken[0]!.kind;
  if (near === undefined && !isBeside) return undefined;
  const isFollowUp = near !== undefined && behindJoint === near.from && elsewhere.type === "unknown";
  return elsewhere.type === "one" || elsewhere.type === "ask" || isFollowUp ? elsewhere : undefined;
}

/** "It", "they"; undefined where nothing points at what was spoken of. "Both" are two, and "all of them" more than one. */
function again(sentence: SaidWords, spoken: readonly Resource[]): Resolution | undefined {
  const [entry] = sentence.entries("pronoun");
  if (entry === undefined || spoken.length === 0) return undefined;
  const [every] = sentence.entries("every");
  if (every !== undefined && (spoken.length < 2 || (every.value === "both" && spoken.length > 2)))
    return { type: "none" };
  const areMany = entry.value === "several" && spoken.length > 1;
  return areMany ? { type: "several", resources: spoken } : oneOf(spoken, spoken);
}

function oneOf(resources: readonly Resource[], otherwise: readonly Resource[]): Resolution {
  const [resource] = resources;
  if (resources.length === 1) return { type: "one", resource: resource!, how: "context" };
  return { type: "ask", between: resource === undefined ? otherwise : resources };
}

/** The name with another number; without one that of its whole family. */
function named({ items }: NameForm, number: string | undefined): string {
  const counted = items.findLast(({ id }) => id !== undefined) ?? items.at(-1);
  return items.map((item) => `${item.word.text} ${(item === counted ? number : item.id) ?? ""}`).join(" ");
}
