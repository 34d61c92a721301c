/** From what somebody says to an order, by templates and words: which calls, and what consent takes; or why there is none. Pure. */
import { CALLS_MAX } from "../../domain/operation.js";
import type { Resource } from "../../domain/resource.js";
import type { Steps } from "../../lib/steps.js";
import type { Command, MessageWords } from "../../locale/commands/commands.js";
import type { Grammar } from "../../locale/commands/file.js";
import type { CommandWord } from "../../locale/commands/words.js";
import { FUNCTION_WORDS, LIGHT_WORDS } from "../../words/function-words.js";
import { DENIALS, type Language } from "../../words/polarity.js";
import { asksForRule } from "../../words/questions.js";
import type { ActingTool } from "../safety/acting.js";
import { type KnownResources, type Resolution, resourcesOf } from "../targets/registry.js";
import { resolveTarget } from "../targets/resolve.js";
import { ARTICLES, entriesOf, languageSpoken } from "../targets/sentence.js";
import { numberByEar, spokenWords } from "../targets/spoken-words.js";
import type { WantedFrom } from "../wanted.js";
import { type CallDraft, type CallRefusal, callOn, type LevelOptions, type OrderedAction } from "./call.js";

export type Order =
  /** `drafts`: in the order of the words; at most `CALLS_MAX`, each thing once. */
  | (Found & { readonly type: "order"; readonly drafts: readonly [CallDraft, ...CallDraft[]] })
  | (Found & { readonly type: "ask"; readonly between: readonly Resource[] })
  | { readonly type: "unknown_target"; readonly action: string; readonly words: string }
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

interface SaidOrder extends OrderedAction {
  /** The words for the things, "all pumps in hall two"; those behind an "and" included. */
  readonly things: string;
  /** Of these, the ones that have to be a name; absent: "it", or several things with an "and" between. */
  readonly target?: string | undefined;
  /** What else is to be done, or done to. */
  readonly also?: string | undefined;
  readonly language: string;
}

/** What a button at the machine does, and nothing else can. */
const EMERGENCY_STOP = "emergency_stop";

/** Lists whose words may stand around a name. */
const AROUND = ["near", "every", "other", "place", "pronoun", "fault", "joint"] as const;

/** Intents that a sentence with "it" may be taken for, which say nothing of what is wanted. */
const EMPTY_INTENTS: readonly string[] = ["about_this", "explain"];
/** Lists whose words point at something that was spoken of. */
const POINTING_LISTS = ["pronoun", "other", "place", "every"] as const;

/** Undefined: it is no order. In steps, as the names of a site may be thousands. */
export function* orderIn(from: OrderFrom): Steps<Order | undefined> {
  const { commands, context, known, mentions, nowMs, question } = from;
  const said = saidOrder(from);
  if (said === undefined || asksForRule(question)) return undefined;
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
  if (isDenied(commands.hear(question).words, between)) return undefined;
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
): Order {
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

/** What is said as an order, by templates and words alone. Undefined: it is none. */
function saidOrder(from: OrderFrom): SaidOrder | undefined {
  const heard = from.commands.hear(from.question);
  const said = from.commands.of(heard);
  if (said[0]?.intent === "operate") return ofCommand(said[0], heard, from);
  if (!said.every(({ intent }) => EMPTY_INTENTS.includes(intent))) return undefined;
  return byPointing(heard, from) ?? byActionName(heard, from);
}

function ofCommand(command: Command, heard: MessageWords, { commands, locale }: OrderFrom): SaidOrder {
  const { action, also, quantity, target, unit, value } = command.slots;
  const { core, message } = heard;
  const language = command.language ?? locale.language.slice(0, 2);
  const grammar = commands.grammars.find((one) => one.language === language) ?? commands.grammars[0]!;
  const at = target === undefined ? (core[0]?.start ?? 0) : message.indexOf(target.text);
  const texts = core.map(({ text }) => text);
  // "All" and "both" stand before the argument.
  const every = entriesOf(grammar, "every", texts).find(({ from }) => core[from]!.start < at);
  const from = target === undefined || every === undefined ? at : core[every.from]!.start;
  const to =
    target === undefined ? core.at(-1)?.end : also === undefined ? at + target.text.length : undefined;
  return {
    action: String(action?.value),
    things: message.slice(from, to),
    target: also === undefined ? target?.text : undefined,
    also: also?.text,
    quantity: quantity && String(quantity.value),
    value: typeof value?.value === "number" ? value.value : undefined,
    unit: unit && String(unit.value),
    language,
  };
}

/** "Restart it", "restart the other one": the sentence with a name in their place is one of the templates. */
function byPointing(heard: MessageWords, from: OrderFrom): SaidOrder | undefined {
  const { core, message } = heard;
  const name = from.known.all[0]?.names[0];
  if (name === undefined) return undefined;
  const texts = core.map(({ text }) => text);
  for (const grammar of from.commands.grammars) {
    const entries = POINTING_LISTS.flatMap((list) => entriesOf(grammar, list, texts));
    if (entries.length === 0) continue;
    const { start } = core[Math.min(...entries.map((one) => one.from))]!;
    const { end } = core[Math.max(...entries.map((one) => one.to)) - 1]!;
    const named = `${message.slice(core[0]!.start, start)}${name}${message.slice(end, core.at(-1)!.end)}`;
    const instead = from.commands.hear(named);
    const [command] = from.commands.of(instead);
    if (command?.intent !== "operate" || command.slots.target?.text !== name) continue;
    const order = ofCommand(command, instead, from);
    const things = message.slice(start, order.also === undefined ? end : undefined);
    return { ...order, things, target: undefined, language: grammar.language };
  }
  return undefined;
}

/** "Defrost freezer one": a verb of the settings, which no template has. */
function byActionName({ core, message }: MessageWords, from: OrderFrom): SaidOrder | undefined {
  const { actingTools, commands, locale } = from;
  // The templates know no verbs of a site.
  for (const action of new Set(actingTools.map(({ options }) => options.action))) {
    const verb = commands.hear(action.replaceAll("_", " ")).words;
    if (verb.length >= core.length || !verb.every(({ text }, i) => core[i]!.text === text)) continue;
    const things = message.slice(core[verb.length]!.start, core.at(-1)!.end);
    return { action, things, target: things, language: locale.language.slice(0, 2) };
  }
  return undefined;
}

/**
 * Whether each word that is of no name points, counts, or joins names. `isStrict`: what only sounds like a name is none;
 * else only words that hold any sentence together are looked at, as the resolver asks for the others.
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
  const entries = AROUND.flatMap((list) => entriesOf(grammar, list, texts));
  const around = new Set(entries.flatMap(({ from, to }) => texts.slice(from, to)));
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
const stem = (word: string): string => (word.length > 3 ? word.replace(/(?:es|s|en|n|e)$/, "") : word);

/** Whether a word denies it, in any language: "don't start pump two". A thing may have such a word in its name. */
function isDenied(words: readonly CommandWord[], things: readonly Resource[]): boolean {
  const names = things.flatMap((one) => one.names.flatMap((name) => name.toLowerCase().split(/\W+/)));
  // "Pump no. 2".
  const isNumbered = (i: number) => words[i]!.text === "no" && /^\d/.test(words[i + 1]?.text ?? "");
  return words.some(({ text }, i) => DENIALS.has(text) && !names.includes(text) && !isNumbered(i));
}
