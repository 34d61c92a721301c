/** What is said as an order, by templates and words alone: what is to be done, to what, with which value. Pure. */

import type { Command, Commands, MessageWords } from "../../locale/commands/commands.js";
import type { Grammar } from "../../locale/commands/file.js";
import type { KnownResources } from "../targets/registry.js";
import { entriesOf } from "../targets/sentence.js";

export interface SaidOrder {
  /** As the templates and the settings call it: `restart`. */
  readonly action: string;
  /** The words for the things, "all pumps in hall two"; those behind an "and" included. */
  readonly things: string;
  /** Of these, the ones that have to be a name; absent: "it", or several things with an "and" between. */
  readonly target?: string | undefined;
  /** What else is to be done, or done to. */
  readonly also?: string | undefined;
  /** What is to be set, as it was said: `temperature`. */
  readonly quantity?: string | undefined;
  readonly value?: number | undefined;
  readonly unit?: string | undefined;
  readonly language: string;
}

export interface SaidOrderFrom {
  readonly question: string;
  readonly commands: Commands;
  readonly known: KnownResources;
  /** Names of what tools here do: the templates know no other verbs of a site. */
  readonly actions: readonly string[];
  readonly language: string;
}

/** Intents that a sentence with "it" may be taken for, which say nothing of what is wanted. */
const EMPTY_INTENTS: ReadonlySet<string> = new Set(["about_this", "explain"]);
/** Lists whose words point at something that was spoken of. */
const POINTING_LISTS = ["pronoun", "other", "place", "every"] as const;

/** Undefined: it is no order. */
export function saidOrder(from: SaidOrderFrom): SaidOrder | undefined {
  const heard = from.commands.hear(from.question);
  const said = from.commands.of(heard);
  if (said[0]?.intent === "operate") return ofCommand(said[0], heard, from);
  if (!said.every(({ intent }) => EMPTY_INTENTS.has(intent))) return undefined;
  return byPointing(heard, from) ?? byActionName(heard, from);
}

function ofCommand(command: Command, heard: MessageWords, { commands, language }: SaidOrderFrom): SaidOrder {
  const { action, also, quantity, target, unit, value } = command.slots;
  const whole = textOf(heard, heard.core);
  const spoken = command.language ?? language;
  const from = target === undefined ? 0 : startOf(heard, target.text, grammarOf(commands, spoken));
  const to =
    also === undefined && target !== undefined
      ? heard.message.indexOf(target.text) + target.text.length
      : undefined;
  return {
    action: String(action?.value),
    things: target === undefined ? whole : heard.message.slice(from, to),
    ...(target === undefined || also !== undefined ? {} : { target: target.text }),
    also: also?.text,
    quantity: quantity === undefined ? undefined : String(quantity.value),
    value: typeof value?.value === "number" ? value.value : undefined,
    unit: unit === undefined ? undefined : String(unit.value),
    language: spoken,
  };
}

/** Where the words for the things begin: "all" and "both" stand before the argument. */
function startOf({ core, message }: MessageWords, target: string, grammar: Grammar): number {
  const at = message.indexOf(target);
  const texts = core.map(({ text }) => text);
  const every = entriesOf(grammar, "every", texts).find(({ from }) => core[from]!.start < at);
  return every === undefined ? at : core[every.from]!.start;
}

/** "Restart it", "restart the other one": the sentence with a name in their place is one of the templates. */
function byPointing(heard: MessageWords, from: SaidOrderFrom): SaidOrder | undefined {
  const { core, message } = heard;
  const name = from.known.all[0]?.names[0];
  if (name === undefined) return undefined;
  for (const grammar of from.commands.grammars) {
    const texts = core.map(({ text }) => text);
    const entries = POINTING_LISTS.flatMap((list) => entriesOf(grammar, list, texts));
    if (entries.length === 0) continue;
    const [first, last] = [
      Math.min(...entries.map((one) => one.from)),
      Math.max(...entries.map((one) => one.to)),
    ];
    const [start, end] = [core[first]!.start, core[last - 1]!.end];
    const named = `${message.slice(core[0]!.start, start)}${name}${message.slice(end, core.at(-1)!.end)}`;
    const instead = from.commands.hear(named);
    const [command] = from.commands.of(instead);
    if (command?.intent !== "operate" || command.slots.target?.text !== name) continue;
    const order = ofCommand(command, instead, from);
    const { target: _, ...rest } = order;
    const things = message.slice(start, order.also === undefined ? end : undefined);
    return { ...rest, things, language: grammar.language };
  }
  return undefined;
}

/** "Defrost freezer one": a verb of the settings, which no template has. */
function byActionName(
  heard: MessageWords,
  { actions, commands, language }: SaidOrderFrom,
): SaidOrder | undefined {
  const { core, message } = heard;
  for (const action of actions) {
    const verb = commands.hear(action.replaceAll("_", " ")).words.map(({ text }) => text);
    const isSaid = verb.length < core.length && verb.every((word, i) => core[i]!.text === word);
    if (!isSaid) continue;
    const things = message.slice(core[verb.length]!.start, core.at(-1)!.end);
    return { action, things, target: things, language };
  }
  return undefined;
}

function grammarOf({ grammars }: Commands, language: string): Grammar {
  return grammars.find((one) => one.language === language) ?? grammars[0]!;
}

function textOf({ message }: MessageWords, words: MessageWords["words"]): string {
  return words.length === 0 ? "" : message.slice(words[0]!.start, words.at(-1)!.end);
}
