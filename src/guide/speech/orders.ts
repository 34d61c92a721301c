/**
 * What a message is to a guide that leads somebody: one of its commands, an answer or a value that it asks for, noise, or
 * nothing of it, which goes to Ask or Check. Words of any language count. Pure.
 */
import { lookUp } from "../../grounding/sentence/lexicon.js";
import { pattern } from "../../lib/pattern.js";
import type { Argument } from "../../locale/commands/commands.js";
import type { Intent, RunOrder } from "../../locale/commands/intents.js";
import { commands } from "../../routing/commands.js";
import { type NormalizedMessage, utterance } from "../../routing/normalized-message.js";
import { chosenOf, isAlike } from "../../routing/take.js";
import { speakableIn } from "../../speech/spoken/speakable-in.js";
import { NUMBER_WORDS } from "../../words/number-words.js";
import { DENIALS, type Language, STOP_WORDS } from "../../words/polarity.js";
import { numeralAt } from "../../words/quantity/numerals.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import type { Quantity } from "../../words/quantity/quantity.js";
import { unitIn } from "../../words/quantity/unit-at.js";
import { NO_UNIT, type Unit } from "../../words/quantity/units.js";
import { type Token, tokenize } from "../../words/tokens.js";
import { named } from "../library/naming.js";
import { countedSteps, numberOf, stepAt, valueAskedAt } from "../run/places.js";
import type { GuideRun, RunAction, RunEvent } from "../run/run.js";
import { type GuideIndex, optionsOf } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";
import { LANGUAGES } from "../schema/schema.js";

/** What is said to a run, or that its user wants to be told when a time is over. */
export type GuideOrder = (RunAction | { readonly type: "timer"; readonly ms: number }) &
  Pick<RunEvent, "saidMs">;

/** Words of what may be noise where something is asked for: who says more says something of their own. */
const NOISE_WORDS_MAX = 2;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };

/** A message, and where it reaches a run. */
interface Heard {
  readonly text: string;
  readonly said: NormalizedMessage;
  readonly index: GuideIndex;
  readonly run: GuideRun;
  /** Undefined in the intake. */
  readonly step: GuideStep | undefined;
}

/** Undefined: nothing of the guide's. */
export function orderOf(text: string, index: GuideIndex, run: GuideRun): GuideOrder | undefined {
  const said = utterance(text);
  // Nothing, or hesitation alone.
  const isCourtesy = said.command === undefined && commands.isCourtesy(said.said.words);
  if (said.core === "" || isCourtesy) return { type: "noise" };
  const heard: Heard = { text, said, index, run, step: stepAt(index, run.place) };
  return answerIn(heard) ?? runOrder(heard) ?? valueIn(heard) ?? known(heard) ?? noiseIn(heard);
}

/** Whose hold point somebody confirms; undefined: that is not what they say. */
export function secondedIn(text: string): string | undefined {
  return textOf(commands.orders(utterance(text).said).find(({ intent }) => intent === "second")?.slots.who);
}

/** One of the options of a question, by its label, another word for it, or its place. */
function answerIn({ run, said, step }: Heard): RunAction | undefined {
  if (step === undefined || run.asks !== undefined) return undefined;
  const verdict = verdictOf(said);
  const isSaid = (words: string) => {
    const own = utterance(words);
    return own.core === said.core || (verdict !== undefined && verdictOf(own) === verdict);
  };
  const options = optionsOf(step).map((option) => ({ ...option, words: option.label }));
  const option =
    options.find(({ label, synonyms = [] }) => [label, ...synonyms].some(isSaid)) ??
    (verdict === undefined ? chosenOf(options, said) : undefined);
  return option && { type: "answer", option: option.id };
}

function verdictOf({ said }: NormalizedMessage): "yes" | "no" | undefined {
  const intents: readonly Intent[] = commands.of(said).map(({ intent }) => intent);
  if (intents.includes("yes")) return "yes";
  return intents.includes("no") ? "no" : undefined;
}

/** Those that mean something to a guide alone. */
function runOrder(heard: Heard): GuideOrder | undefined {
  const [order] = commands.orders(heard.said.said);
  if (order === undefined) return undefined;
  const { intent, slots } = order;
  switch (intent) {
    case "note": {
      const text = tellingIn(slots.text);
      return text === undefined ? { type: "noise" } : { type: "note", text };
    }
    case "skip":
      return { type: "leave_out", left: "skipped", reason: tellingIn(slots.reason) };
    case "not_apply":
      return { type: "leave_out", left: "does_not_apply", reason: tellingIn(slots.reason) };
    case "wrong":
      return { type: "no" };
    case "jump":
      return jumpTo(slots, heard);
    case "hand_over":
      return { type: "hand_over", to: textOf(slots.to) ?? "" };
    case "timer":
      return { type: "timer", ms: Number(slots.value?.value) * (UNIT_MS[String(slots.unit?.value)] ?? 0) };
    case "second":
      return undefined;
    default:
      return { type: intent satisfies Exclude<RunOrder, "second" | "wrong"> };
  }
}

function jumpTo({ number, step }: Slots, heard: Heard): GuideOrder | undefined {
  if (number !== undefined)
    return { type: "jump", step: stepNumbered(Number(number.value), heard)?.id ?? "" };
  const namesOf = ({ text = "", title = "" }: GuideStep) => [title, text];
  const { language, steps } = heard.index.guide;
  const found = named(textOf(step) ?? "", steps, namesOf, () => language).sure;
  // "Go to the conveyor" may be about anything: a step has to be named.
  return found.length === 1 ? { type: "jump", step: found[0]!.id } : undefined;
}

type Slots = Readonly<Record<string, Argument | undefined>>;

function textOf(slot: Argument | undefined): string | undefined {
  return slot?.text.trim();
}

/** What somebody broke off is no text: "take a note that". */
function tellingIn(slot: Argument | undefined): string | undefined {
  const text = textOf(slot);
  return text === undefined || BARE.has(text.toLowerCase()) ? undefined : text;
}

/** What leads to a text, in any language, and is none. */
const BARE: ReadonlySet<string> = new Set([
  ...["of", "that", "dass", "weil", "que", "porque", "parce que", "że", "bo", "що", "бо"],
]);

/** The step with this number, as `numberOf` counts; of a tree, the one that was come to as that one. */
function stepNumbered(number: number, { index: { guide, steps }, run }: Heard): GuideStep | undefined {
  if (guide.flowType !== "troubleshooting") return countedSteps(guide)[number - 1];
  const way = [...run.wayBack, run].flatMap(({ place }) => (place.type === "step" ? [place.id] : []));
  return steps.get(way[number - 1] ?? "");
}

/** Digits, a number in the unit that is asked for, or words. */
function valueIn(heard: Heard): RunAction | undefined {
  const { index, run, said, step, text } = heard;
  if (run.status !== "running") return undefined;
  const { language } = index.guide;
  const type = run.asks?.type;
  if (type === "check_digit") {
    // "Go back two" is an order without its number.
    const digits = spokenIn(language, (one) => digitsIn(text, one));
    const isOrder = digits === undefined || utterance(digits.rest).command !== undefined;
    return isOrder ? undefined : { type: "value", value: digits.digits };
  }
  if (said.command !== undefined || isAsking(heard)) return undefined;
  if (type === "reason") return { type: "note", text };
  if (type === "verification")
    return step?.verificationType === "text_input" ? { type: "value", value: text } : undefined;
  if (type !== undefined && type !== "readback") return undefined;
  const asked = valueAskedAt(index, run);
  if (asked === undefined) return undefined;
  if (!asked.isNumber) return { type: "value", value: text.trim().replace(/[.!]$/, "") };
  const words = text.trim().replace(CORRECTING, "").replace(NEGATIVE, "minus");
  const inDigits = spokenIn(language, (one) => withDecimal(words, one)) ?? words;
  const value = spokenIn(language, (one) => numberIn(inDigits, asked.unit, one, language));
  if (value === undefined) return undefined;
  // Who denies what is read back wants it asked again.
  return type === "readback" && typeof value === "string" ? { type: "no" } : { type: "value", value };
}

/** Read in the language of the guide first, and else in the first one that has it. */
function spokenIn<T>(first: Language, read: (language: Language) => T | undefined): T | undefined {
  for (const language of [first, ...LANGUAGES]) {
    const found = read(language);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** "Forty-seven eleven", "4 7 1 1": 4711, and the words besides. */
function digitsIn(text: string, language: Language) {
  const tokens = tokenize(text);
  const others: string[] = [];
  let digits = "";
  for (let at = 0; at < tokens.length; ) {
    const written = /^\d+$/.exec(tokens[at]!.text)?.[0];
    const numeral = written === undefined ? numeralAt(tokens, at, language) : undefined;
    const value = written ?? numeral?.value;
    if (value === undefined) others.push(tokens[at]!.text);
    else digits += `${value}`;
    at = numeral?.next ?? at + 1;
  }
  return digits === "" ? undefined : { digits, rest: others.join(" ") };
}

/** A "no" that a correction begins with: the rest of it is not denied. */
const CORRECTING = /^(?:(?:nein|non|nope|ні)(?!\p{L})[\s,.!]*|(?:no|nie)[,.!]\s*)/iu;
const NEGATIVE = /(?<!\p{L})(?:negativ[eoa]?|négati(?:f|ve)|ujemn[aey]|від['’]ємн[аеи]й?)(?= [\p{L}\d])/giu;
/** Of another time, or of how it ought to be. */
const NOT_NOW = pattern("iu")`
  (?<!\p{L})(?:was|were|yesterday|earlier|ago|last (?:time|night|week|shift)|should|would|will|might|supposed|war|waren
  |gestern|vorhin|soll|sollte|wird|würde|era|fue|estaba|ayer|debería|était|devrait|było|był|była|wczoraj|powinno|було
  |був|була|вчора|має бути)(?!\p{L})
`;

/**
 * In `unit`; a number that is said without one is taken for that. As it was said where it is no number of that unit, or not
 * the value: denied, bounded, past, of a unit that nobody knows. Undefined: there is none, or not exactly one.
 */
function numberIn(text: string, unit: string | undefined, language: Language, own: Language) {
  const all = text.trim().replace(/[.!]$/, "");
  const isNumber = ({ text: words, use }: Quantity) => use !== "idiom" || words === all;
  const [found, ...more] = quantitiesIn(text, language).filter(isNumber);
  if (found === undefined) return undefined;
  const tokens = tokenize(text);
  const isDenied = tokens.some(({ lower }) => DENIALS.has(lower) || lookUp(lower).negates);
  const isRange = found.low !== found.high || !["exact", "about"].includes(found.bound);
  if (isDenied || isRange || NOT_NOW.test(text)) return text;
  if (more.length > 0) return undefined;
  const wanted: Unit = (unit === undefined ? undefined : unitIn(unit)) ?? NO_UNIT;
  const isOwn =
    found.unit.name === wanted.name || (found.unit.name === "°" && wanted.dimension === "temperature");
  if (found.unit === NO_UNIT && unit !== undefined && isOfOther(tokens[found.lastToken + 1], unit, own))
    return text;
  if (found.unit === NO_UNIT || isOwn) return found.printed;
  // Said in what cannot be put into the unit of the guide, it is no number of it.
  if (found.unit.dimension !== wanted.dimension) return text;
  return Number(((found.low - wanted.offset) / wanted.factor).toPrecision(6));
}

/** Whether the word behind a number is another unit than the one that is asked for, known or not. */
function isOfOther(behind: Token | undefined, unit: string, language: Language): boolean {
  if (behind?.kind !== "word" || lookUp(behind.lower).weight !== "content") return false;
  if (Object.values(STOP_WORDS).some((words) => words.includes(behind.lower))) return false;
  const said = `${unit} ${speakableIn(`2 ${unit}`, language)}`.toLowerCase();
  return !said.split(" ").some((word) => isAlike(word, behind.lower));
}

/** A decimal that is said, in digits: "nought point five bar", and "point five" that is short for it. Undefined: none is. */
function withDecimal(text: string, language: Language): string | undefined {
  const { point, small } = NUMBER_WORDS[language];
  if (/^[.,]\d/.test(text)) return `0${text}`;
  const [minus = ""] = /^(?:minus|menos|moins|мінус) /iu.exec(text) ?? [];
  const rest = text.slice(minus.length);
  const isShort = rest.toLowerCase().startsWith(`${point} `);
  const decimals = isShort ? rest.slice(point.length + 1) : "";
  if (/^\d/.test(decimals)) return `${minus}0.${decimals}`;
  const [nought] = [...small].find(([, value]) => value === 0)!;
  const said = isShort ? `${minus}${nought} ${rest}` : text;
  const tokens = tokenize(said);
  for (const [at, { start }] of tokens.entries()) {
    const numeral = numeralAt(tokens, at, language);
    if (numeral?.form !== "words" || Number.isInteger(numeral.value)) continue;
    return `${said.slice(0, start)}${numeral.value}${said.slice(tokens[numeral.next - 1]!.end)}`;
  }
  return undefined;
}

const ACTION_OF: Partial<Record<Intent, RunAction["type"]>> = {
  ...({ repeat: "repeat", slower: "slower", source: "why", yes: "yes", no: "no" } as const),
  ...({ stop: "pause", never_mind: "pause" } as const),
};

/** What has its templates without a guide, and means more where one leads. */
function known(heard: Heard): GuideOrder | undefined {
  const { run, said } = heard;
  const { command } = said;
  // A yes has the same words in several languages, and is short: the first that is meant counts.
  const verdict = verdictOf(said);
  if (verdict !== undefined) return { type: verdict };
  if (command === undefined) return undefined;
  if (command.intent === "continue") return { type: run.status === "paused" ? "resume" : "next" };
  if (command.intent === "guide_move") return moveOf(command.slots, heard);
  const type = ACTION_OF[command.intent];
  return type === undefined ? undefined : ({ type } as RunAction);
}

function moveOf({ move, step: slot }: Slots, heard: Heard): GuideOrder | undefined {
  const number = slot === undefined ? undefined : Number(slot.value);
  const isHere = number === undefined || number === numberOf(heard.index, heard.run).number;
  const step = number === undefined ? undefined : stepNumbered(number, heard)?.id;
  switch (move?.value) {
    case "back":
      return number === undefined ? { type: "back" } : { type: "jump", step: step ?? "" };
    case "repeat":
      return { type: "repeat", step: isHere ? undefined : step };
    case "skip":
      return isHere ? { type: "leave_out", left: "skipped" } : { type: "noise" };
    case "where":
    case "pause":
    case "quit":
      return { type: move.value };
    default:
      return isHere ? { type: "next" } : undefined;
  }
}

/** Where something is asked for, a word or two that no template knows; anywhere, sounds without words. */
function noiseIn(heard: Heard): RunAction | undefined {
  const { run, said, step } = heard;
  if (run.status !== "running" || said.command !== undefined || isAsking(heard)) return undefined;
  const isAsked = run.asks !== undefined || step === undefined || ["question", "record"].includes(step.kind);
  const isShort = isAsked && said.core.split(" ").length <= NOISE_WORDS_MAX;
  return isShort || !/[\p{L}\p{N}]/u.test(said.core) ? { type: "noise" } : undefined;
}

function isAsking({ said: { said }, text }: Heard): boolean {
  const words = said.core.map((word) => word.text);
  const begins = (list: string) => commands.listed(list, words, 0) !== undefined;
  return text.trimEnd().endsWith("?") || begins("asking") || begins("own_sense");
}
