/** Claims with amounts: memory and disk, shares, times, temperatures. */
import type { Steps } from "../../lib/steps.js";
import { holds } from "../../words/quantity/holds.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { amountOf, type Quantity } from "../../words/quantity/quantity.js";
import { unitIn, unitOfKey } from "../../words/quantity/unit-at.js";
import { NO_UNIT, type Unit, unitNamed } from "../../words/quantity/units.js";
import { type ClaimClause, isMentioned } from "./clause.js";
import { FACTS_PER_STEP, type Fact } from "./facts.js";
import { decide, type PartResult, told, unknown } from "./finding.js";
import { type Aspect, aspectOf, isVolatileMeasure, keySegments, resourceOf } from "./vocabulary.js";

/** What a figure is said to measure. */
interface MeasureTarget {
  readonly resource: string;
  readonly aspect: Aspect | undefined;
  /** The unit alone tells what is measured, so that a field has to be named: "the delay is 90 minutes". */
  readonly byUnit: boolean;
}

/** A field as a measure. */
interface Measure {
  readonly fact: Fact;
  readonly aspect: Aspect | undefined;
  readonly quantity: Quantity;
}

/** What comes of a figure of the clause; undefined where it measures nothing. */
export function* checkMeasure(clause: ClaimClause, said: Quantity): Steps<PartResult | undefined> {
  const target = targetOf(clause, said);
  if (target === undefined) return undefined;
  const measures: Measure[] = [];
  for (const [i, fact] of clause.site.facts.entries()) {
    if (i % FACTS_PER_STEP === 0) yield;
    if (belongs(fact, clause)) measures.push(...measureOf(fact, target, clause));
  }
  const { aspect, resource } = target;
  const findings = onTheMainDisk(measures, clause).flatMap((one) => {
    const read = inAspect(one, aspect);
    const isRight = read && holds(said, read);
    return isRight === undefined ? [] : [told(one.fact, isRight, "number_differs", said.text)];
  });
  const nothing = unknown("number_unknown", `no reading of ${[aspect, resource].filter(Boolean).join(" ")}`);
  return decide(findings, isVolatileMeasure(resource, aspect, said.dimension === "ratio"), nothing);
}

function targetOf(clause: ClaimClause, { dimension, end }: Quantity): MeasureTarget | undefined {
  const { text, tokens } = clause;
  const behind = text.slice(end);
  const counted = resourceOf(/^\s*(?:cpu |of )?(\w+)/i.exec(behind)?.[1] ?? "");
  const isCores = counted === "core" || counted === "thread";
  const isUp = dimension === "time" && /\b(?:up|running|uptime|active|booted|started)\b/i.test(text);
  const named = tokens.flatMap(({ word }) => resourceOf(word) ?? []).find((one) => one !== "level");
  const bySpeech = isUp ? "uptime" : (named ?? (namesDisk(clause) ? "disk" : undefined));
  const resource = isCores ? counted : SPREAD.test(dimension) ? bySpeech : dimension;
  if (dimension === "count" && !BARE.test(resource ?? "")) return undefined;
  const aspects = [...behind.split(/\W+/), ...tokens.map(({ word }) => word)].flatMap(
    (word) => aspectOf(word) ?? [],
  );
  const usual = dimension === "ratio" ? "used" : dimension === "data" ? "total" : undefined;
  const aspect = aspects.find((one) => one !== "total") ?? aspects[0] ?? usual;
  return { resource: resource ?? dimension, aspect, byUnit: resource === undefined };
}

/** Dimensions of which several resources are measured: memory and disks, what is up and what lasts. */
const SPREAD = /^(?:count|data|money|ratio|times?)$/;

/** What is measured without a unit, or with one that is not known here. */
const BARE = /^(?:core|thread|load|level|speed|pressure)$/;

/** "/data is 92 % full". */
function namesDisk({ mentions, site }: ClaimClause): boolean {
  return site.facts.some(({ things }) => things[0]?.kind === "disk" && isMentioned(things, mentions));
}

/** Kinds of which a figure is the machine's own when none is named. */
const OF_THE_MACHINE = ["disk", "sensor", "zone", "tank", undefined];

function belongs({ things }: Fact, { mentions }: ClaimClause): boolean {
  if (things.length === 0) return mentions.every(({ isKnown }) => !isKnown);
  return mentions.length === 0 ? OF_THE_MACHINE.includes(things[0]!.kind) : isMentioned(things, mentions);
}

/** A field as a measure of what is asked, when it is one. */
function measureOf(fact: Fact, { resource, byUnit }: MeasureTarget, { tokens }: ClaimClause): Measure[] {
  const isSaid = (word: string) => tokens.some((token) => token.word === word);
  const own = fact.words.filter((word) => !isMeasureWord(word));
  if (!own.every(isSaid)) return [];
  const around = fact.around.filter((word) => !isMeasureWord(word));
  if (byUnit && ![...own, ...around].some(isSaid)) return [];
  const quantity = quantityOf(fact);
  if (quantity === undefined) return [];
  const aspect = fact.words.map(aspectOf).find((one) => one !== undefined);
  const levels = [fact.words, fact.around, keySegments(fact.origin.name)];
  const level = levels.find((words) => words.some((word) => resourceOf(word) !== undefined)) ?? [];
  const isKnown = level === fact.words || aspect !== undefined || quantity.dimension !== "count";
  // Degrees may be of a temperature.
  const asked = resource === "angle" ? ["angle", "temperature"] : [resource];
  const isAsked = asked.includes(quantity.dimension) || asked.includes(mostTelling(level) ?? "");
  return isKnown && isAsked ? [{ fact, aspect, quantity }] : [];
}

/** `cpu_cores` counts cores, `cpu_temperature` is a temperature. */
function mostTelling(words: readonly string[]): string | undefined {
  const resources = words.flatMap((word) => resourceOf(word) ?? []);
  return resources.find((one) => !["cpu", "disk", "memory"].includes(one)) ?? resources.at(-1);
}

function isMeasureWord(word: string): boolean {
  return (
    resourceOf(word) !== undefined ||
    aspectOf(word) !== undefined ||
    unitOfKey([word]) !== undefined ||
    /^(?:count|num|number|value|avg|average|current|1m|1|amount|physical|root|system)$/.test(word)
  );
}

/** UTF-16 units of a text that is a figure and nothing else. */
const FIGURE_CHARS_MAX = 64;

/** A number with the unit that its key or the field beside it names, or a text with both ("16 GB"). */
function quantityOf(fact: Fact): Quantity | undefined {
  const { value } = fact;
  if (typeof value === "number") return Number.isFinite(value) ? amountOf(value, unitOf(fact)) : undefined;
  if (typeof value === "boolean" || value.length > FIGURE_CHARS_MAX) return undefined;
  const [first, second] = quantitiesIn(value);
  if (first === undefined || second !== undefined || first.low !== first.high) return undefined;
  if (first.start > 0 || first.end < value.trim().length) return undefined;
  return first.dimension === "count" ? amountOf(first.printed, unitOf(fact)) : first;
}

function unitOf({ beside, path }: Fact): Unit {
  const named = beside.find(({ words }) => /^(?:units?|uom|unit_of_measurement)$/.test(words.join("_")));
  if (typeof named?.value === "string") return unitIn(named.value) ?? NO_UNIT;
  const units = path.toReversed().map((key) => unitOfKey(keySegments(key)));
  return units.find((unit) => unit !== undefined) ?? NO_UNIT;
}

const PERCENT = unitNamed("%")!;

/** The measure as the aspect that is asked for: a share that is used tells what is free. */
function inAspect({ aspect, quantity }: Measure, asked: Aspect | undefined): Quantity | undefined {
  if (asked === undefined || aspect === asked) return quantity;
  if (quantity.dimension !== "ratio") {
    const isWhole = aspect === undefined && (asked === "total" || quantity.dimension !== "data");
    return isWhole ? quantity : undefined;
  }
  const own = aspect ?? "used";
  if (own === asked) return quantity;
  return own === "total" || asked === "total" ? undefined : amountOf(100 - quantity.low, PERCENT);
}

/** "The disk" is the one that the system is on. */
function onTheMainDisk(measures: readonly Measure[], { mentions }: ClaimClause): readonly Measure[] {
  const main = measures.filter(({ fact }) => fact.things.some(({ names }) => names.includes("/")));
  return mentions.length > 0 || main.length === 0 ? measures : main;
}
