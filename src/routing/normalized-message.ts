/** An utterance as the layers of the router read it: words for the templates, plain text for the classifier. */
import type { Command, Commands, MessageWords } from "../locale/commands/commands.js";
import { plainText } from "../locale/commands/words.js";
import { commands as shipped } from "./commands.js";

export interface NormalizedMessage {
  /** The templates that it is read by. */
  readonly commands: Commands;
  readonly said: MessageWords;
  /** All of it, normalized. */
  readonly text: string;
  /** Without address, courtesy and hesitation at both ends; all of it when nothing else is left. */
  readonly core: string;
}

/** `commands`: templates that know what a site has; those that are shipped unless given. */
export function utterance(message: string, commands = shipped): NormalizedMessage {
  const said = commands.hear(message);
  return { commands, said, text: plainText(said.words), core: plainText(said.core) };
}

/** Intents that tell something about an utterance and not what it wants. */
const REMARKS: ReadonlySet<string> = new Set(["about_this", "explain"]);

/** Clauses that are looked at; who says more says something else as well. */
const CLAUSES_MAX = 4;

/** What the whole utterance is by the templates, or each clause of it; `undefined` when it is none of that, or more. */
export function commandIn({ commands, said }: NormalizedMessage): Command | undefined {
  const commandOf = (some: MessageWords) => commands.of(some).find(({ intent }) => !REMARKS.has(intent));
  const whole = commandOf(said);
  if (whole !== undefined) return whole;
  const clauses = said.message.split(/[.,:;!?\n]/).filter((clause) => clause.trim() !== "");
  if (clauses.length > CLAUSES_MAX) return undefined;
  const rest = clauses
    .map((clause) => commands.hear(clause))
    .filter(({ words }) => !commands.isCourtesy(words))
    .map(commandOf);
  const [first] = rest;
  return rest.every((one) => one?.intent === first?.intent) ? first : undefined;
}
