/**
 * What somebody wants to know of a site, by templates and words alone: of what, which signals of it, and whether it is in
 * a state. Pure.
 */
import type { Resource } from "../domain/resource.js";
import type { TargetContext } from "../domain/target-context.js";
import type { Steps } from "../lib/steps.js";
import type { Command, Commands } from "../locale/commands/commands.js";
import type { Locale } from "../locale/locale.js";
import { FUNCTION_WORDS } from "../words/function-words.js";
import { type Language, NEGATIONS, STOP_WORDS } from "../words/polarity.js";
import { asksForRule, MATTER_WORDS, NOW_WORDS, QUESTION_WORDS } from "../words/questions.js";
import { tokenize } from "../words/tokens.js";
import type { KnownResources } from "./targets/registry.js";
import type { Resolution } from "./targets/resolution.js";
import { resolveTarget } from "./targets/resolve.js";

/** The signal that tells the state of a thing. */
export const STATUS = "status";

export interface Wanted {
  readonly target: Resolution;
  /** Names of signals as they are offered, the first asked first; empty: how it is in general. */
  readonly signals: readonly string[];
  /** The state that was asked about, such as `running`. */
  readonly state?: string;
  /** Everything that was said is explained: nothing is left to look up. */
  readonly isExplained: boolean;
}

export interface WantedFrom {
  readonly question: string;
  /** Ids of resources that the caller marked. */
  readonly mentions: readonly string[];
  readonly commands: Commands;
  readonly known: KnownResources;
  readonly context: TargetContext;
  /** Signals that can be read here. */
  readonly offered: readonly string[];
  readonly locale: Locale;
  readonly nowMs: number;
}

/** In steps, as the names of a site may be thousands. */
export function* wantedIn(from: WantedFrom): Steps<Wanted> {
  const { commands, context, known, locale, mentions, nowMs, offered, question } = from;
  const said = commands.of(commands.hear(question));
  const command = said.find(({ intent }) => intent === "check");
  const language = (command?.language ?? locale.language.slice(0, 2)) as Language;
  const { grammars } = commands;
  const named = { utterance: question, target: command?.slots.target?.text, mentions, language };
  const resolved = yield* resolveTarget(named, { known, context, grammars, nowMs });
  const asked = askedSignals(question, command, offered, locale);
  // "The load" is the machine's, though something has a name with this word in it.
  const namesSignal = isPartly(resolved) && isExplained(question, wordsOfSignals(asked, locale), from);
  const target: Resolution = namesSignal ? { type: "none" } : resolved;
  const state = stateAsked(question, command, commands);
  const signals = asked.length > 0 ? asked : state === undefined ? [] : [STATUS];
  return {
    target,
    signals,
    ...(state === undefined ? {} : { state }),
    isExplained:
      said[0]?.intent !== "operate" &&
      !asksForRule(question) &&
      isExplained(question, [...namesOf(target, known), ...wordsOfSignals(signals, locale)], from),
  };
}

/** Whether a thing was found by less than its whole name. */
function isPartly(target: Resolution): boolean {
  return (
    target.type === "ask" || (target.type === "one" && (target.how === "part" || target.how === "sound"))
  );
}

/** The quantity of the command, or the signals of which every word was said, those with more words first. */
function askedSignals(
  question: string,
  command: Command | undefined,
  offered: readonly string[],
  locale: Locale,
): readonly string[] {
  const quantity = command?.slots.quantity?.value;
  const ofCommand = offered.filter(
    (signal) => quantity !== undefined && bare(signal) === bare(String(quantity)),
  );
  if (ofCommand.length > 0) return ofCommand;
  const said = new Set(stems(question));
  const names = new Map(offered.map((signal) => [signal, spellings(signal, locale)]));
  const found = [...names].flatMap(([signal, ways]) => {
    const lengths = ways.filter((words) => words.every((word) => said.has(word))).map(({ length }) => length);
    return lengths.length === 0 ? [] : [{ signal, length: Math.max(...lengths) }];
  });
  const longest = Math.max(0, ...found.map(({ length }) => length));
  return found.filter(({ length }) => length === longest).map(({ signal }) => signal);
}

/** A quantity that is not offered is asked for all the same: the answer is that there is no such reading. */
export function quantityAsked(question: string, commands: Commands): string | undefined {
  const command = commands.of(commands.hear(question)).find(({ intent }) => intent === "check");
  const value = command?.slots.quantity?.value;
  return value === undefined ? undefined : String(value);
}

/**
 * A state at either end, where languages that ask by the order of words have it: "läuft Pumpe zwei". Whether it is not in
 * a state has no yes or no that everybody takes for the same: it is asked what its state is.
 */
function stateAsked(question: string, command: Command | undefined, commands: Commands): string | undefined {
  const words = commands.hear(question).words.map(({ text }) => text);
  const slot = command?.slots.state?.value;
  const found = [...words.keys()].flatMap((at) => {
    const one = commands.listed("state", words, at);
    return one?.value !== undefined && (at === 0 || one.end === words.length) ? String(one.value) : [];
  });
  if (words.some((word) => DENIALS.has(word)))
    return slot === undefined && found.length === 0 ? undefined : STATUS;
  return slot === undefined ? found[0] : String(slot);
}

const DENIALS: ReadonlySet<string> = new Set(Object.values(NEGATIONS).flat());

/** As the settings call it, and as the user's language does. */
function spellings(signal: string, locale: Locale): readonly (readonly string[])[] {
  const names = [signal.replaceAll("_", " "), locale.group("signal")[signal] ?? ""];
  return names.map(stems).filter(({ length }) => length > 0);
}

function wordsOfSignals(signals: readonly string[], locale: Locale): readonly string[] {
  return signals.flatMap((signal) => spellings(signal, locale).flat());
}

function namesOf(target: Resolution, known: KnownResources): readonly string[] {
  const resources: readonly Resource[] =
    target.type === "one"
      ? [target.resource]
      : target.type === "several"
        ? target.resources
        : target.type === "ask"
          ? target.between
          : [];
  return resources.flatMap((one) =>
    [...one.names, one.kind, one.address, known.areaOf(one) ?? ""].flatMap(stems),
  );
}

/** Whether nothing was said but these words, states, and words of any question. */
function isExplained(question: string, words: readonly string[], { commands }: WantedFrom): boolean {
  const explained = new Set(words);
  const heard = commands.hear(question).words;
  const texts = heard.map(({ text }) => text);
  const ofStates = new Set(
    texts.flatMap((_, at) => {
      const end = commands.listed("state", texts, at)?.end ?? at;
      return texts.slice(at, end);
    }),
  );
  return texts.every((text) => {
    const [stem = text] = stems(text);
    return explained.has(stem) || ofStates.has(text) || isSmall(text) || /^\d+$/.test(text);
  });
}

function isSmall(word: string): boolean {
  return SMALL_WORDS.has(word) && !MATTERS.has(word);
}

const SMALL_WORDS: ReadonlySet<string> = new Set([
  ...FUNCTION_WORDS,
  ...[QUESTION_WORDS, STOP_WORDS, NEGATIONS, NOW_WORDS].flatMap((words) => Object.values(words).flat()),
]);
const MATTERS: ReadonlySet<string> = new Set(Object.values(MATTER_WORDS).flat());

/** Letters and digits of a name, in lower case. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The words without the endings of a plural. */
function stems(text: string): readonly string[] {
  return tokenize(text)
    .filter(({ kind }) => kind === "word" || kind === "code" || kind === "number")
    .map(({ lower }) => (lower.length > 3 ? lower.replace(/(?:es|s|en|n)$/, "") : lower));
}
