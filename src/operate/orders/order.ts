/** From what somebody says to an order: which calls of which tools, and what consent takes; or why there is none. Pure. */
import { CALLS_MAX } from "../../domain/operation.js";
import type { Resource } from "../../domain/resource.js";
import type { Steps } from "../../lib/steps.js";
import type { Grammar } from "../../locale/commands/file.js";
import type { CommandWord } from "../../locale/commands/words.js";
import { FUNCTION_WORDS, LIGHT_WORDS } from "../../words/function-words.js";
import { DENIALS, type Language } from "../../words/polarity.js";
import { asksForRule } from "../../words/questions.js";
import type { ActingTool } from "../safety/acting.js";
import type { KnownResources } from "../targets/registry.js";
import { type Resolution, resourcesOf } from "../targets/resolution.js";
import { resolveTarget } from "../targets/resolve.js";
import { ARTICLES, entriesOf, languageSpoken } from "../targets/sentence.js";
import { numberByEar, spokenWords } from "../targets/spoken-words.js";
import type { WantedFrom } from "../wanted.js";
import { type CallDraft, type CallRefusal, callOn, type LevelOptions } from "./call.js";
import { type OrderedAction, saidOrder } from "./said-order.js";

export type Order =
  /** `drafts`: in the order of the words; at most `CALLS_MAX`, each thing once. */
  | (Found & { readonly type: "order"; readonly drafts: readonly [CallDraft, ...CallDraft[]] })
  | (Found & { readonly type: "ask"; readonly between: readonly Resource[] })
  | { readonly type: "unknown_target"; readonly action: string; readonly words: string }
  | { readonly type: "not_an_order" }
  | OrderRefusal;

interface Found {
  readonly action: string;
  readonly target: Resolution;
}

/** Why what was asked for is not proposed. `one_at_a_time`: something else is to be done, too. */
export type OrderRefusal = { readonly type: "refused"; readonly action: string } & (
  | { readonly why: "off" | "emergency_stop" | "one_at_a_time" }
  /** `areMany`: more than one thing was spoken of, "both", and none is known. */
  | { readonly why: "no_target"; readonly areMany: boolean }
  | (Found & ({ readonly why: "too_many"; readonly count: number } | CallRefusal))
);

export interface OrderFrom extends Omit<WantedFrom, "machines" | "offered"> {
  /** Of the access that asks. */
  readonly actingTools: readonly ActingTool[];
  readonly levels: LevelOptions;
  readonly isOff: boolean;
}

/** What a button at the machine does, and nothing else can. */
const EMERGENCY_STOP = "emergency_stop";

/** Lists whose words may stand around a name. */
const AROUND = ["near", "every", "other", "place", "pronoun", "fault", "joint"] as const;

/** In steps, as the names of a site may be thousands. */
export function* orderIn(from: OrderFrom): Steps<Order> {
  const { actingTools, commands, context, known, locale, mentions, nowMs, question } = from;
  const actions = [...new Set(actingTools.map(({ options }) => options.action))];
  const language = locale.language.slice(0, 2);
  const said = saidOrder({ question, commands, known, actions, language });
  if (said === undefined || asksForRule(question)) return { type: "not_an_order" };
  const { action, things } = said;
  if (action === EMERGENCY_STOP) return { type: "refused", why: "emergency_stop", action };
  const grammar = languageSpoken(things, commands.grammars, said.language as Language);
  const words = spokenWords(things, []).map(({ text }) => text);
  const areJoined = said.also !== undefined || entriesOf(grammar, "joint", words).length > 0;
  const areMany = entriesOf(grammar, "every", words).length > 0;
  const target = areJoined ? undefined : said.target;
  const named = { utterance: things, target, mentions, language: grammar.language as Language };
  const meant = yield* resolveTarget(named, { known, context, grammars: commands.grammars, nowMs });
  const between = meant.type === "ask" ? meant.between : resourcesOf(meant);
  if (isDenied(commands.hear(question).words, between)) return { type: "not_an_order" };
  const refused = (why: "off" | "one_at_a_time") => ({ type: "refused", why, action }) as const;
  if (from.isOff) return refused("off");
  const isOnly = mentions.length > 0 || isNamesOnly(things, between, known, grammar, areJoined);
  // "It and the other one", of which nothing was spoken of, are more than one.
  if (areJoined && (!isOnly || meant.type === "none")) return refused("one_at_a_time");
  if (meant.type === "none") return { type: "refused", why: "no_target", action, areMany };
  if (meant.type === "unknown" || !isOnly)
    return { type: "unknown_target", action, words: meant.type === "unknown" ? meant.words : things };
  if (meant.type === "ask") return { type: "ask", action, between: meant.between, target: meant };
  return orderOn(said, meant, from);
}

/** The order to do what is wanted to resources that are known, or why it is none. */
export function orderOn(
  wanted: OrderedAction,
  target: Resolution,
  { actingTools, isOff, levels }: Pick<OrderFrom, "actingTools" | "isOff" | "levels">,
): Exclude<Order, { readonly type: "not_an_order" }> {
  const { action } = wanted;
  if (isOff) return { type: "refused", why: "off", action };
  const resources = resourcesOf(target);
  if (resources.length > CALLS_MAX)
    return { type: "refused", action, why: "too_many", count: resources.length, target };
  const calls = resources.map((resource) => callOn(resource, wanted, actingTools, levels));
  const refused = calls.find((one) => "why" in one);
  if (refused !== undefined) return { type: "refused", action, ...refused, target };
  const drafts = calls as unknown as readonly [CallDraft, ...CallDraft[]];
  // As the settings call it, where "switch on" is their "start".
  const own = new Set(drafts.map((one) => one.action));
  return { type: "order", action: own.size === 1 ? drafts[0].action : action, drafts, target };
}

/**
 * Whether each word that is of no name points, counts, or joins names. `isStrict`: words that only sound like a name do not
 * count as one; else only words that would hold any sentence together are looked at, as the resolver asks for the others.
 */
function isNamesOnly(
  text: string,
  things: readonly Resource[],
  known: KnownResources,
  grammar: Grammar,
  isStrict: boolean,
): boolean {
  const language = grammar.language as Language;
  const words = spokenWords(text, [language, "en"]);
  const texts = words.map((word) => word.text);
  const around = new Set(
    AROUND.flatMap((list) => entriesOf(grammar, list, texts)).flatMap(({ from, to }) =>
      texts.slice(from, to),
    ),
  );
  const names = new Set(things.flatMap((one) => wordsOfNames(one, known)));
  return words.every(({ kind, text: word }) => {
    if (kind === "number" || around.has(word) || ARTICLES.test(word) || names.has(stem(word))) return true;
    if (isStrict) return false;
    return !(FUNCTION_WORDS.has(word) || LIGHT_WORDS.has(word)) || numberByEar(word, language) !== undefined;
  });
}

/** Of all that it is called, and of where it is. */
function wordsOfNames(resource: Resource, known: KnownResources): readonly string[] {
  const chain = known.chainOf(resource).flatMap(({ names }) => names);
  const all = [...chain, resource.kind, resource.address, known.areaOf(resource) ?? ""];
  return all.flatMap((name) => spokenWords(name, []).map(({ text }) => stem(text)));
}

/** Without the ending of a plural. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:es|s|en|n|e)$/, "") : word;
}

/** Whether a word denies it, in any language: "don't start pump two". A thing may have such a word in its name. */
function isDenied(words: readonly CommandWord[], things: readonly Resource[]): boolean {
  const names = things.flatMap((one) => one.names.flatMap((name) => name.toLowerCase().split(/\W+/)));
  // "Pump no. 2".
  const isNumbered = (i: number) => words[i]!.text === "no" && /^\d/.test(words[i + 1]?.text ?? "");
  return words.some(({ text }, i) => DENIALS.has(text) && !names.includes(text) && !isNumbered(i));
}
