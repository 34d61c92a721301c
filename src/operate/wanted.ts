/** What somebody wants to know of a site, by templates and words alone: of what, which signals, in which state. */
import type { SiteRequest } from "../capability/capability.js";
import type { Resource } from "../domain/resource.js";
import { NO_TARGETS, type TargetContext } from "../domain/target-context.js";
import type { Access } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { gently, type Steps, WorkBudget } from "../lib/steps.js";
import type { Command, Commands } from "../locale/commands/commands.js";
import type { Locale } from "../locale/locale.js";
import { FUNCTION_WORDS } from "../words/function-words.js";
import { DENIALS, type Language, NEGATIONS, STOP_WORDS } from "../words/polarity.js";
import { quantitiesIn } from "../words/quantity/quantities.js";
import { asksForRule, MATTER_WORDS, NOW_WORDS, QUESTION_WORDS } from "../words/questions.js";
import { tokenize } from "../words/tokens.js";
import type { SiteReader } from "./safety/site-reader.js";
import { type KnownResources, type Registry, type Resolution, resourcesOf } from "./targets/registry.js";
import { resolveTarget } from "./targets/resolve.js";

/** The signal that tells the state of a thing. */
export const STATUS = "status";
/** The signal that tells what is wrong with a thing, and the state that asks for it. */
const ALARM = "alarm";
const HEALTHY = "healthy";
/** The signal that tells whether a machine is up, and the states that it answers for. */
const UPTIME = "uptime";
const UP: readonly string[] = ["running", "stopped", "connected", "disconnected", "on", "off", STATUS];

export interface Wanted {
  readonly target: Resolution;
  /** Names of signals as they are offered, the first asked first; where none was asked for, the state. */
  readonly signals: readonly string[];
  /** What was asked for, offered or not. */
  readonly asked: string;
  /** The state that was asked about, such as `running`. */
  readonly state?: string;
  /** Whether it was asked against what is allowed: "is it too warm". */
  readonly isWeighed: boolean;
  /** How it was, or is on average, was asked, which no reading of now tells. */
  readonly isPast: boolean;
  /** Everything that was said is explained: nothing is left to look up. */
  readonly isExplained: boolean;
}

export interface WantedFrom extends Pick<SiteRequest, "question" | "locale"> {
  /** Ids of resources that the caller marked. */
  readonly mentions: readonly string[];
  /** The templates with the names of what is known. */
  readonly commands: Commands;
  readonly known: KnownResources;
  readonly context: TargetContext;
  /** Signals that can be read here. */
  readonly offered: readonly string[];
  /** Sites that are a machine: "the machine" and "this server" are theirs where no other thing is called so. */
  readonly machines: readonly string[];
  readonly nowMs: number;
}

/** In steps, as the names of a site may be thousands. */
export function* wantedIn(from: WantedFrom): Steps<Wanted> {
  const { commands, context, known, locale, machines, mentions, nowMs, offered, question } = from;
  const heard = commands.hear(question);
  const words = heard.words.map(({ text }) => text);
  const said = commands.of(heard);
  const command = said.find(({ intent }) => intent === "check");
  const language = (command?.language ?? locale.language.slice(0, 2)) as Language;
  const spoken = { utterance: question, target: command?.slots.target?.text, mentions, language };
  const resolved = yield* resolveTarget(spoken, { known, context, grammars: commands.grammars, nowMs });
  const quantity = command?.slots.quantity?.value;
  const named = askedSignals(from, quantity);
  const measured = named.length === 0 && quantity === undefined ? measuredIn(from) : undefined;
  const asked = measured === undefined ? named : [measured];
  const state = stateAsked(words, command, commands);
  const listed = (list: string) =>
    words.flatMap((_, at) => words.slice(at, commands.listed(list, words, at)?.end ?? at));
  const ofMachine = meantIn(resolved).every(({ site }) => machines.includes(site)) ? listed("machine") : [];
  const isOfMachine = machines.length > 0 && ofMachine.length > 0;
  const past = listed("past");
  // One that anything may have, and not the last of something: "the last backup".
  const isQuantity = (signal: string) => commands.listed("quantity", signal.split("_"), 0) !== undefined;
  const frame = [...past, ...listed("state"), ...(measured === undefined ? [] : listed("unit"))];
  const small = new Set([...SMALL_WORDS, ...frame, ...(isOfMachine ? ofMachine : [])]);
  const open = words.filter((word) => !small.has(word) && !/^\d+$/.test(word));
  const isExplained = (names: readonly string[]) => {
    const explained = new Set([...names, ...asked.flatMap((signal) => spellings(signal, locale).flat())]);
    return open.every((word) => explained.has(stems(word)[0] ?? word));
  };
  // "The load" is the machine's, though something has a name with this word in it.
  const isPart = resolved.type === "one" && (resolved.how === "part" || resolved.how === "sound");
  const isOpen = isPart || resolved.type === "ask" || (isOfMachine && resolved.type === "unknown");
  const target: Resolution = isOpen && isExplained([]) ? { type: "none" } : resolved;
  const mayBeUp = quantity === undefined && UP.includes(state ?? STATUS) && offered.includes(UPTIME);
  // "Is it ok" and "how is it" ask for what is wrong with it, too.
  const isWhole = isExplained(namesOf(target, known));
  const isBare = state === undefined && (quantity ?? STATUS) === STATUS && target.type === "one";
  const isOverall = state === HEALTHY || (isBare && (isWhole || command !== undefined));
  const isHealth = isOverall && asked.length === 0 && offered.includes(ALARM);
  const wanted =
    asked[0] ?? String(quantity ?? (isOfMachine && mayBeUp && target.type === "none" ? UPTIME : STATUS));
  return {
    target,
    // What nothing here reads: of a thing its state is told instead, and of none that there is no such reading.
    signals:
      asked.length > 0 ? asked : [target.type === "none" ? wanted : STATUS, ...(isHealth ? [ALARM] : [])],
    asked: wanted,
    ...(state === undefined ? {} : { state }),
    isWeighed: command?.slots.weighed !== undefined || measured !== undefined,
    isPast: past.length > 0 && (named.length === 0 || named.some(isQuantity)),
    isExplained: said[0]?.intent !== "operate" && !asksForRule(question) && isWhole,
  };
}

/** The quantity of the command, or the signals of which every word was said, those with more words first. */
function askedSignals({ locale, offered, question }: WantedFrom, quantity: string | number | undefined) {
  const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const ofCommand = offered.filter((signal) => bare(signal) === bare(String(quantity)));
  if (quantity !== undefined && ofCommand.length > 0) return ofCommand;
  const said = new Set(stems(question));
  const found = offered.map((signal) => {
    const whole = spellings(signal, locale).filter((words) => words.every((word) => said.has(word)));
    return { signal, length: Math.max(0, ...whole.map(({ length }) => length)) };
  });
  const longest = Math.max(1, ...found.map(({ length }) => length));
  return found.filter(({ length }) => length === longest).map(({ signal }) => signal);
}

/** The signal of the quantity that a value was said of: "is 12 bar ok". */
function measuredIn({ locale, offered, question }: WantedFrom): string | undefined {
  const said = quantitiesIn(question, locale.language.slice(0, 2) as Language);
  return offered.find((signal) => said.some(({ unit }) => unit.name !== "" && unit.dimension === signal));
}

/** A state in a slot or at either end ("läuft Pumpe zwei"). Of a denial the state is asked: its yes or no would be unclear. */
function stateAsked(words: readonly string[], command: Command | undefined, commands: Commands) {
  const atEnds = words.flatMap((_, at) => {
    const { end, value } = commands.listed("state", words, at) ?? {};
    return value !== undefined && (at === 0 || end === words.length) ? value : [];
  });
  const state = command?.slots.state?.value ?? atEnds[0];
  if (state === undefined) return undefined;
  return words.some((word) => DENIALS.has(word)) ? STATUS : String(state);
}

/** As the settings call it, and as the user's language does. */
function spellings(signal: string, locale: Locale): readonly (readonly string[])[] {
  const names = [signal.replaceAll("_", " "), locale.group("signal")[signal] ?? ""];
  return names.map(stems).filter(({ length }) => length > 0);
}

function meantIn(target: Resolution): readonly Resource[] {
  return target.type === "ask" ? target.between : resourcesOf(target);
}

function namesOf(target: Resolution, known: KnownResources): readonly string[] {
  const all = (one: Resource) => [...one.names, one.kind, one.address, known.areaOf(one) ?? ""];
  return meantIn(target).flatMap(all).flatMap(stems);
}

const MATTERS: ReadonlySet<string> = new Set(Object.values(MATTER_WORDS).flat());
/** Words of any question that tell nothing of what it is about. */
const SMALL_WORDS: readonly string[] = [
  ...FUNCTION_WORDS,
  ...[QUESTION_WORDS, STOP_WORDS, NEGATIONS, NOW_WORDS].flatMap((words) => Object.values(words).flat()),
].filter((word) => !MATTERS.has(word));

/** The words without the endings of a plural. */
function stems(text: string): readonly string[] {
  return tokenize(text)
    .filter(({ kind }) => kind === "word" || kind === "code" || kind === "number")
    .map(({ lower }) => (lower.length > 3 ? lower.replace(/(?:es|s|en|n)$/, "") : lower));
}

export interface UnderstandingDeps {
  readonly clock: Clock;
  readonly reader: SiteReader;
  readonly registry: () => Registry;
  /** The templates with the names of these. */
  readonly commandsFor: (known: KnownResources) => Promise<Commands>;
}

/** Computing time for one message, in milliseconds: a hundred times what two hundred names take. */
export const UNDERSTANDING_MS_MAX = 2_000;
/** What could not be worked out in that time is no question for the site. */
const IS_NOT = { isWeighed: false, isPast: false, isExplained: false };
const NOTHING: Wanted = { target: { type: "none" }, signals: [STATUS], asked: STATUS, ...IS_NOT };

export async function understood(request: SiteRequest, deps: UnderstandingDeps) {
  const { access, targets: context = NO_TARGETS } = request;
  const known = deps.registry().knownTo(access);
  const wanted = await wantedOnce(request, () => wantedOf(request, known, deps));
  return { context, known, tools: deps.reader.toolsFor(access), wanted };
}

async function wantedOf(asked: SiteRequest, known: KnownResources, deps: UnderstandingDeps): Promise<Wanted> {
  const { access, locale, mentions = [], question, targets: context = NO_TARGETS } = asked;
  const { clock, commandsFor, reader } = deps;
  const commands = await commandsFor(known);
  const [offered, machines] = [reader.signalsFor(access), reader.machinesFor(access)];
  const from = { question, mentions, commands, known, context, offered, machines, locale };
  const steps = wantedIn({ ...from, nowMs: clock.now() });
  const wanted = (await gently(steps, new WorkBudget(UNDERSTANDING_MS_MAX))) ?? NOTHING;
  const { signals, target } = wanted;
  if (target.type !== "unknown" || !signals.every((signal) => signal === STATUS)) return wanted;
  // What no list has may be a process of a machine: it is asked whether it runs.
  const resource = reader.unlisted(target.words, access);
  return resource === undefined ? wanted : { ...wanted, target: { type: "one", resource, how: "name" } };
}

/**
 * Works something out of a turn's message once, by the turn's own access: whether a capability takes it, and what it
 * answers, need the same. `telling`: what of the request it follows from.
 */
export function oncePerTurn<T>(...telling: readonly (keyof SiteRequest)[]) {
  const ofTurns = new WeakMap<Access, { readonly request: SiteRequest; readonly worked: Promise<T> }>();
  return (request: SiteRequest, work: () => Promise<T>): Promise<T> => {
    const asked = ofTurns.get(request.access);
    if (asked !== undefined && telling.every((key) => asked.request[key] === request[key]))
      return asked.worked;
    const worked = work();
    ofTurns.set(request.access, { request, worked });
    return worked;
  };
}

const wantedOnce = oncePerTurn<Wanted>("question", "targets", "locale", "mentions");
