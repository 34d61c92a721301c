/** What is said as an order, by templates and words alone: what is to be done, to what, with which value. Pure. */
import type { Command, MessageWords } from "../../locale/commands/commands.js";
import { entriesOf } from "../targets/sentence.js";
import type { WantedFrom } from "../wanted.js";

/** What is to be done to a thing, whichever that is. */
export interface OrderedAction {
  /** As the templates and the settings call it: `restart`. */
  readonly action: string;
  /** What is to be set, as it was said: `temperature`. */
  readonly quantity?: string | undefined;
  readonly value?: number | undefined;
  readonly unit?: string | undefined;
}

export interface SaidOrder extends OrderedAction {
  /** The words for the things, "all pumps in hall two"; those behind an "and" included. */
  readonly things: string;
  /** Of these, the ones that have to be a name; absent: "it", or several things with an "and" between. */
  readonly target?: string | undefined;
  /** What else is to be done, or done to. */
  readonly also?: string | undefined;
  readonly language: string;
}

interface SaidOrderFrom extends Pick<WantedFrom, "question" | "commands" | "known"> {
  /** Names of what tools here do: the templates know no other verbs of a site. */
  readonly actions: readonly string[];
  readonly language: string;
}

/** Intents that a sentence with "it" may be taken for, which say nothing of what is wanted. */
const EMPTY_INTENTS: readonly string[] = ["about_this", "explain"];
/** Lists whose words point at something that was spoken of. */
const POINTING_LISTS = ["pronoun", "other", "place", "every"] as const;

/** Undefined: it is no order. */
export function saidOrder(from: SaidOrderFrom): SaidOrder | undefined {
  const heard = from.commands.hear(from.question);
  const said = from.commands.of(heard);
  if (said[0]?.intent === "operate") return ofCommand(said[0], heard, from);
  if (!said.every(({ intent }) => EMPTY_INTENTS.includes(intent))) return undefined;
  return byPointing(heard, from) ?? byActionName(heard, from);
}

function ofCommand(command: Command, heard: MessageWords, { commands, language }: SaidOrderFrom): SaidOrder {
  const { action, also, quantity, target, unit, value } = command.slots;
  const { core, message } = heard;
  const spoken = command.language ?? language;
  const grammar = commands.grammars.find((one) => one.language === spoken) ?? commands.grammars[0]!;
  const at = target === undefined ? (core[0]?.start ?? 0) : message.indexOf(target.text);
  // "All" and "both" stand before the argument.
  const every = entriesOf(grammar, "every", textsOf(core)).find(({ from }) => core[from]!.start < at);
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
    language: spoken,
  };
}

/** "Restart it", "restart the other one": the sentence with a name in their place is one of the templates. */
function byPointing(heard: MessageWords, from: SaidOrderFrom): SaidOrder | undefined {
  const { core, message } = heard;
  const name = from.known.all[0]?.names[0];
  if (name === undefined) return undefined;
  for (const grammar of from.commands.grammars) {
    const entries = POINTING_LISTS.flatMap((list) => entriesOf(grammar, list, textsOf(core)));
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
function byActionName(
  { core, message }: MessageWords,
  { actions, commands, language }: SaidOrderFrom,
): SaidOrder | undefined {
  for (const action of actions) {
    const verb = commands.hear(action.replaceAll("_", " ")).words;
    if (verb.length >= core.length || !verb.every(({ text }, i) => core[i]!.text === text)) continue;
    const things = message.slice(core[verb.length]!.start, core.at(-1)!.end);
    return { action, things, target: things, language };
  }
  return undefined;
}

function textsOf(words: MessageWords["words"]): readonly string[] {
  return words.map(({ text }) => text);
}
