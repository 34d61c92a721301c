/** An utterance as the layers of the router read it: words for the templates, plain text for the classifier. */
import { languageOfQuestion } from "../grounding/language.js";
import type { Command, Commands, MessageWords } from "../locale/commands/commands.js";
import { plainText } from "../locale/commands/words.js";
import { commands as shipped } from "./commands.js";

/** `commands`: templates that know what a site has; those that are shipped unless given. */
export function utterance(message: string, commands = shipped): NormalizedMessage {
  return new NormalizedMessage(message, commands);
}

export class NormalizedMessage {
  readonly said: MessageWords;
  /** All of it, normalized. */
  readonly text: string;
  /** Without address, courtesy and hesitation at both ends; all of it when nothing else is left. */
  readonly core: string;
  #commands: readonly Command[] | undefined;

  /** `commands`: the templates that it is read by. */
  constructor(
    message: string,
    readonly commands: Commands,
  ) {
    this.said = commands.hear(message);
    this.text = plainText(this.said.words);
    this.core = plainText(this.said.core);
  }

  /** What the whole of it is by the templates, or each clause of it; `undefined` when it is none of that, or more. */
  get command(): Command | undefined {
    this.#commands ??= commandsIn(this);
    return this.#commands[0];
  }
}

/** Intents that tell something about an utterance and not what it wants. */
const REMARKS: ReadonlySet<string> = new Set(["about_this", "explain"]);

/** Clauses that are looked at; who says more says something else as well. */
const CLAUSES_MAX = 4;

/** A word of a thing that is named costs so much; what costs more is any words behind a short one: "I fell", "i pompa". */
const COST_OF_WORD_MAX = 2;

/** Whether it is more of its language than a short word and any others behind it. */
export function tellsLanguage({ cost, length }: Command): boolean {
  return cost <= COST_OF_WORD_MAX * length;
}

/** Whether a command may be one of this message, which tells its `language`; absent: it does not tell it. */
function isSpoken(command: Command, language: string | undefined): boolean {
  const { language: own = language } = command;
  return language === undefined || own === language || tellsLanguage(command);
}

/** The likeliest first. */
function commandsIn({ commands, said }: NormalizedMessage): readonly Command[] {
  const language = languageOfQuestion(said.message);
  const commandOf = (some: MessageWords) =>
    commands.of(some).filter((one) => !REMARKS.has(one.intent) && isSpoken(one, language));
  const whole = commandOf(said);
  if (whole.length > 0) return whole;
  const clauses = said.message.split(/[.,:;!?\n]/).filter((clause) => clause.trim() !== "");
  // One is what the whole is.
  if (clauses.length < 2 || clauses.length > CLAUSES_MAX) return [];
  const rest = clauses
    .map((clause) => commands.hear(clause))
    .filter(({ words }) => !commands.isCourtesy(words))
    .map((some) => commandOf(some)[0]);
  const [first] = rest;
  return first !== undefined && rest.every((one) => one?.intent === first.intent) ? [first] : [];
}
