/**
 * Which resource somebody means, before any model is asked: what is marked, what is named, and what was spoken of before.
 * Nothing is done with half of what was said. Pure; what the user may not know of has no part in it.
 */
import type { Resource } from "../../domain/resource.js";
import type { TargetContext } from "../../domain/target-context.js";
import type { Steps } from "../../lib/steps.js";
import type { Grammar } from "../../locale/commands/file.js";
import type { Language } from "../../words/polarity.js";
import { choices, spokenOf } from "./context.js";
import { nameIndex } from "./forms.js";
import { namedIn } from "./naming.js";
import { pointedAt } from "./pointing.js";
import type { KnownResources } from "./registry.js";
import { type Resolution, resourcesOf } from "./resolution.js";
import { languageSpoken, listed, SaidWords } from "./sentence.js";
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
  const index = yield* nameIndex(known);
  const resolve = (text: string, target?: string) =>
    namedIn(new SaidWords(text, grammar, index), { index, known, target });
  const offered = choices(context, nowMs).flatMap((id) => known.byId(id) ?? []);
  let spoken: readonly Resource[] = spokenOf(context, nowMs).flatMap((id) => known.byId(id) ?? []);
  const found: Resolution[] = [];
  for (const { target, text } of segmentsOf(said, grammar)) {
    const sentence = new SaidWords(text, grammar, index);
    const one = yield* pointedAt(sentence, { index, offered, resolve, spoken, target });
    found.push(one);
    if (resourcesOf(one).length > 0) spoken = resourcesOf(one);
  }
  return joined(found, said.utterance);
}

function ofMentions(ids: readonly string[], known: KnownResources): Resolution {
  const [first, ...others] = [...new Set(ids)].map((id) => known.byId(id));
  const resources = [first, ...others].filter((one) => one !== undefined);
  if (resources.length <= others.length) return { type: "unknown", words: "" };
  if (others.length > 0) return { type: "several", resources, words: "" };
  return { type: "one", resource: resources[0]!, how: "mention" };
}

interface Segment {
  readonly text: string;
  readonly target?: string | undefined;
}

/** What stands between "and"s, each with its own things. */
function segmentsOf({ target, utterance }: SaidTarget, grammar: Grammar): readonly Segment[] {
  const words = spokenWords(utterance, [grammar.language as Language]);
  const texts = words.map(({ text }) => text);
  const isCut = (at: number) => at > 0 && listed(grammar, "joint", texts, at) !== undefined;
  const cuts = [...words.keys()].filter(isCut);
  if (cuts.length === 0) return [{ text: utterance, target }];
  return [-1, ...cuts].flatMap((cut, i) => {
    const said = words.slice(cut + 1, cuts[i]);
    return said.length === 0 ? [] : [{ text: utterance.slice(said[0]!.start, said.at(-1)!.end) }];
  });
}

/** What the parts of a sentence name, together. */
function joined(found: readonly Resolution[], words: string): Resolution {
  const named = found.filter(({ type }) => type !== "none");
  const open = named.find(({ type }) => type === "unknown") ?? named.find(({ type }) => type === "ask");
  const resources = [...new Set(named.flatMap(resourcesOf))];
  if (open === undefined && resources.length > 1) return { type: "several", resources, words };
  return open ?? named[0] ?? { type: "none" };
}
