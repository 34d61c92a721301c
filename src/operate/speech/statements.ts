/** Readings in words, and as values what these state: figures are rounded for the ear, and of many things few named. Pure. */
import type { Option } from "../../domain/dialogue.js";
import type { OperationStatement } from "../../domain/operation.js";
import type { Reading, Statement } from "../../domain/reading.js";
import type { Resource } from "../../domain/resource.js";
import type { StepEvidence } from "../../domain/turn.js";
import { relationOf, stateOf } from "../../grounding/readings/vocabulary.js";
import { grouped } from "../../lib/grouped.js";
import type { Locale } from "../../locale/locale.js";
import type { KnownResources } from "../targets/registry.js";
import { STATUS } from "../wanted.js";

export interface SaidStatement {
  readonly text: string;
  readonly says: readonly Statement[];
  /** What it states of operations, in place of readings. */
  readonly did?: readonly OperationStatement[];
}

export interface Rendering {
  readonly locale: Locale;
  /** For a voice: figures are rounded. */
  readonly isSpoken: boolean;
  /** What a resource is called; undefined: it is no single thing. */
  readonly nameOf: (target: string) => string | undefined;
  readonly asked?: string | undefined;
}

/** More things than these are not named one by one. */
export const NAMED_MAX = 4;
/** Values of one signal of one thing, such as alarms. */
const LISTED_MAX = 3;
const EAR_DIGITS = 3;
/** More of them are noise of the arithmetic. */
const SCREEN_DIGITS = 12;
/** How far two values of one quantity may be apart and count as the same: so much, or this share of the larger one. */
const APART_MAX = 0.5;
const APART_SHARE = 0.05;

/** Everything that was read, in its order, each signal by itself. */
export function statementsOf(readings: readonly Reading[], rendering: Rendering): readonly SaidStatement[] {
  const bySignal = grouped(readings, ({ signal }) => signal);
  return [...bySignal.values()].flatMap((ofSignal) => {
    const byTarget = [...grouped(ofSignal, ({ target }) => target).values()];
    if (byTarget.length <= NAMED_MAX) return byTarget.map((one) => ofThing(one, rendering));
    return ofSignal[0]!.signal === STATUS ? ofStates(ofSignal, rendering) : ofRange(ofSignal, rendering);
  });
}

/** What is asked of one thing: its newest value, or its list. */
function ofThing(readings: readonly Reading[], rendering: Rendering): SaidStatement {
  const { asked, locale, nameOf } = rendering;
  const [first] = readings as readonly [Reading, ...Reading[]];
  const { signal, target, value } = first;
  const name = nameOf(target);
  if (signal === STATUS && typeof value !== "number" && name !== undefined) {
    const text = sentence(locale.say("check_state", { name, state: stateInWords(value, locale) }));
    const isSo = asked === undefined ? undefined : isInState(value, asked);
    const word = isSo === undefined ? [] : [locale.say(isSo ? "check_yes" : "check_no")];
    return { text: [...word, text].join(" "), says: [statementOf(first)] };
  }
  const listed = readings.slice(0, LISTED_MAX);
  const values = listed.map((one) => valueInWords(one, rendering)).join(", ");
  const text = [valueSentence(first, values, rendering), ...besides(first, rendering)].join(" ");
  return { text, says: listed.map(statementOf) };
}

/** One value by itself: "Pump two, temperature: -11 °C." */
function valueSentence({ signal, target }: Reading, value: string, { locale, nameOf }: Rendering): string {
  return sentence(ofSignal("check_value", signal, locale, nameOf(target), value));
}

/** What is said of a signal of a thing, and the same of one of a whole site. */
const SITE = {
  check_value: "check_site_value",
  check_none: "check_site_none",
  check_no_reading: "check_no_site_reading",
} as const;

/** `name`: of the thing; absent: it is a signal of a whole site. */
export function ofSignal(text: keyof typeof SITE, signal: string, locale: Locale, name?: string, value = "") {
  const said = { name: name ?? "", signal: signalInWords(signal, locale), value };
  return locale.say(name === undefined ? SITE[text] : text, said);
}

/** What it usually is, and where it goes, where the site keeps that. */
function besides(reading: Reading, rendering: Rendering): readonly string[] {
  const { trend, usual, value } = reading;
  const { locale } = rendering;
  const said: string[] = [];
  if (usual !== undefined && typeof value === "number" && areApart(value, usual))
    said.push(locale.say("check_usual", { value: valueInWords({ ...reading, value: usual }, rendering) }));
  if (trend !== undefined && trend !== "steady") said.push(locale.say(`check_${trend}`));
  return said;
}

/** "All 6 are running", or how many are in the commonest state, and the others by name. */
function ofStates(readings: readonly Reading[], rendering: Rendering): readonly SaidStatement[] {
  const { locale } = rendering;
  const inWords = ({ value }: Reading) => stateInWords(String(value), locale);
  const [most, ...others] = [...grouped(readings, inWords).values()].sort((a, b) => b.length - a.length);
  const said = { count: String(most!.length), state: inWords(most![0]!) };
  const key = others.length === 0 ? "check_all_state" : "check_most_state";
  return [
    { text: locale.say(key, said), says: most!.map(statementOf) },
    ...others.flat().map((one) => ofThing([one], { ...rendering, asked: undefined })),
  ];
}

function ofRange(readings: readonly Reading[], rendering: Rendering): readonly SaidStatement[] {
  const [{ unit }] = readings as readonly [Reading, ...Reading[]];
  if (!readings.every((one) => typeof one.value === "number" && one.unit === unit))
    return readings.slice(0, NAMED_MAX).map((one) => ofThing([one], rendering));
  const sorted = readings.toSorted((a, b) => Number(a.value) - Number(b.value));
  const [low, high] = [sorted[0]!, sorted.at(-1)!];
  const { locale } = rendering;
  const ends = { low: valueInWords(low, rendering), high: valueInWords(high, rendering) };
  const said = { count: String(sorted.length), signal: signalInWords(low.signal, locale), ...ends };
  return [{ text: locale.say("check_range", said), says: [statementOf(low), statementOf(high)] }];
}

/** Two sensors that say different things: said as such, and as nothing else. */
export function disagreementOf(two: readonly [Reading, Reading], rendering: Rendering): SaidStatement {
  const { locale, nameOf } = rendering;
  const [first, second] = two.map((one) => valueInWords(one, rendering));
  const [{ signal, target }] = two;
  const said = { name: nameOf(target) ?? "", signal: signalInWords(signal, locale) };
  const text = locale.say("check_disagree", { ...said, first: first!, second: second! });
  return { text, says: two.map(statementOf) };
}

/** Whether two numbers of one unit are further apart than sensors may be. */
export function areApart(one: number, other: number): boolean {
  const share = Math.max(Math.abs(one), Math.abs(other)) * APART_SHARE;
  return Math.abs(one - other) > Math.max(APART_MAX, share);
}

export function statementOf({ signal, target, unit, value }: Reading): Statement {
  return { target, signal, value, holds: true, ...(unit === undefined ? {} : { unit }) };
}

/** As the user's language calls it; else as the settings do. */
export function signalInWords(signal: string, locale: Locale): string {
  return locale.group("signal")[signal.replaceAll("_", "")] ?? signal.replaceAll("_", " ");
}

/** The state that a value is, as `locales/` names it: "ACTIVE (running)" is `running`, and "not running" is itself. */
export function stateNamed(value: string | boolean): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  const words = (value.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !SINCE.test(word));
  const states = words.map((word) => (FAULT.has(word) ? "failed" : stateOf(word)?.family));
  return states.includes(undefined) ? words.join(" ") : (states.at(-1) ?? value);
}

/** In prose they are nouns; as a value, they are a state. */
const FAULT: ReadonlySet<string> = new Set(["fault", "faulted", "error", "tripped"]);
/** Words for how long it has been so. */
const SINCE = /^(?:for|since|about|an?|ago|(?:second|minute|hour|day|week|month)s?)$/;

/** In the language of the answer; a state that it has no word for is said as the system writes it. */
export function stateInWords(value: string | boolean, locale: Locale): string {
  const texts = locale.group("state");
  const name = stateNamed(value);
  return texts[name] ?? texts[name.replaceAll(" ", "_")] ?? String(value);
}

/** Whether what was read is the state that was asked about; undefined: neither follows from the other. */
export function isInState(value: string | boolean, asked: string): boolean | undefined {
  const name = stateNamed(value);
  if (name === asked) return true;
  const [claimed, known] = [stateOf(asked), stateOf(name)];
  if (claimed === undefined || known === undefined) return undefined;
  const relation = relationOf(claimed, known);
  return relation === "open" ? undefined : relation === "same";
}

/** Longer times are said in the next unit, from twice of it on. */
const TIMES = Object.entries({ d: 86_400, h: 3_600, min: 60 });

export function valueInWords(
  { signal, unit, value }: Pick<Reading, "signal" | "unit" | "value">,
  { isSpoken, locale }: Rendering,
): string {
  if (typeof value === "boolean" && signal !== STATUS) return locale.group("state")[value ? "yes" : "no"]!;
  if (typeof value !== "number")
    return signal === STATUS || /^\p{L}+$/u.test(String(value)) ? stateInWords(value, locale) : String(value);
  if (unit === "s") {
    const [longer, seconds] = TIMES.find(([, each]) => value >= 2 * each) ?? ["s", 1];
    return `${Math.floor(value / seconds)} ${longer}`;
  }
  const shown = Number(value.toPrecision(isSpoken ? EAR_DIGITS : SCREEN_DIGITS));
  return unit === undefined ? String(shown) : `${shown} ${unit}`;
}

/** Names are written as people say them: a sentence begins with a capital. */
export const sentence = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** Things that one question names. */
export const ASKED_MAX = 4;

/** "Pump two or pump three?": a question back about things, and what may be chosen. */
export function whichOf(between: readonly Resource[], locale: Locale) {
  const optionOf = ({ id, names: [words] }: Resource): Option => ({ words, means: { type: "resource", id } });
  const options = between.slice(0, ASKED_MAX).map(optionOf);
  const words = options.map((one) => one.words);
  const said = { first: words.slice(0, -1).join(", "), second: words.at(-1)!, count: `${between.length}` };
  const key = between.length === options.length ? "which_said" : "which_said_more";
  return { text: sentence(locale.say(key, said)), options };
}

/** Values of one step. */
const EVIDENCE_MAX = 24;

/** How readings of what is known are said; `isSpoken`: for a voice. */
export function renderingFor(locale: Locale, known: KnownResources, isSpoken: boolean): Rendering {
  const nameOf = (target: string) => known.byId(target)?.names[0] ?? partName(target, isSpoken);
  return { locale, isSpoken, nameOf };
}

/** Sensors that say the same are one value, as old as the oldest of them. `nowMs`: Unix milliseconds. */
export function evidenceOf(readings: readonly Reading[], rendering: Rendering, nowMs: number) {
  const told = new Map<string, StepEvidence>();
  for (const reading of readings.slice(0, EVIDENCE_MAX)) {
    const { signal, takenAtMs, target, unit, value } = reading;
    const text = valueSentence(reading, valueInWords(reading, rendering), rendering);
    const ageMs = Math.max(told.get(text)?.ageMs ?? 0, Math.round(nowMs - takenAtMs));
    told.set(text, { target, signal, value, ...(unit === undefined ? {} : { unit }), text, ageMs });
  }
  return [...told.values()];
}

/** A part of a machine is called as the machine calls it, for a voice without what nobody says; its root has no name. */
function partName(target: string, isSpoken: boolean): string | undefined {
  const name = target.slice(target.indexOf("/") + 1);
  const words = name.replaceAll("/", " ").trim();
  return words === "" ? undefined : isSpoken ? words : name;
}
