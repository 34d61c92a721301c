/** Claims with figures: amounts of memory and disk, shares, times, temperatures; and how many of a kind there are. */
import type { Reason } from "../../domain/answer.js";
import { grouped } from "../../lib/grouped.js";
import type { Steps } from "../../lib/steps.js";
import { holds } from "../../words/quantity/holds.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { amountOf, type Quantity } from "../../words/quantity/quantity.js";
import { unitIn, unitOfKey } from "../../words/quantity/unit-at.js";
import { type Dimension, NO_UNIT, type Unit, unitNamed } from "../../words/quantity/units.js";
import type { ClaimClause } from "./clause.js";
import { FACTS_PER_STEP, type Fact, factsOf } from "./facts.js";
import { decide, evidenceOfFact, evidenceOfListing, type FactFinding, type PartResult } from "./finding.js";
import { canonicalNamesOf } from "./names.js";
import { claimedStates, membersInState } from "./states.js";
import {
  type Aspect,
  aspectOf,
  isVolatileMeasure,
  keySegments,
  keyWords,
  kindOf,
  resourceOf,
  stateOf,
} from "./vocabulary.js";

/** What came of a figure, and where it stands. */
export interface CheckedFigure {
  readonly quantity: Quantity;
  readonly result: PartResult;
}

/** The clause's figures of which it says what they measure or count. */
export function* checkFigures(clause: ClaimClause): Steps<readonly CheckedFigure[]> {
  const found: CheckedFigure[] = [];
  for (const quantity of figuresOf(clause)) {
    yield;
    const result = ofCount(clause, quantity) ?? (yield* ofMeasure(clause, quantity));
    if (result !== undefined) found.push({ quantity, result });
  }
  return found;
}

/** Its figures, and "no containers" as a figure of none; parts of names are none. */
function figuresOf({ mentions, text }: ClaimClause): readonly Quantity[] {
  const none = /\bno(?= (?:\p{L}+ ){0,2}(?:\p{L}+s)\b)/iu.exec(text);
  const zero = none === null ? [] : [{ ...amountOf(0), start: none.index, end: none.index + 2 }];
  const figures = quantitiesIn(text).filter(
    ({ dimension, end, start }) =>
      !NO_FIGURES.has(dimension) &&
      !isPartOfName(text, start, end) &&
      !mentions.some((mention) => mention.start <= start && start < mention.end),
  );
  return [...figures, ...zero];
}

/** Times of day and dates are no figures of a system. */
const NO_FIGURES: ReadonlySet<Dimension> = new Set<Dimension>(["clock", "date"]);

/** `nginx-1.24`, `/dev/sda1`, `10.0.0.5:80`. */
function isPartOfName(text: string, start: number, end: number): boolean {
  const [before, behind] = [text[start - 1] ?? " ", text.slice(end, end + 2)];
  return /[\p{L}\p{N}_.:/@-]/u.test(before) || /^(?:[\p{L}\p{N}_]|[.:/-]\d)/u.test(behind);
}

// --- amounts ---

interface MeasureTarget {
  readonly resource: string;
  readonly aspect: Aspect | undefined;
  /** The unit alone tells what is measured, so that a field has to be named: "the delay is 90 minutes". */
  readonly byUnit: boolean;
}

function* ofMeasure(clause: ClaimClause, quantity: Quantity): Steps<PartResult | undefined> {
  const asked = askedMeasure(clause, quantity);
  if (asked === undefined) return undefined;
  const isShare = quantity.dimension === "ratio";
  const aspect = asked.aspect ?? (isShare ? "used" : quantity.dimension === "data" ? "total" : undefined);
  const candidates: Reading[] = [];
  for (const [i, fact] of clause.facts.facts.entries()) {
    if (i % FACTS_PER_STEP === 0) yield;
    candidates.push(...readingOf(fact, asked, clause));
  }
  const findings = [...candidates, ...derived(candidates)].flatMap((one): FactFinding[] => {
    const read = inAspect(one, aspect);
    const verdict = read === undefined ? undefined : holds(quantity, read);
    return verdict === undefined ? [] : [findingOf(one, verdict, quantity, clause)];
  });
  const nothing: Reason = {
    code: "number_unknown",
    text: `no reading of ${aspect ?? ""} ${asked.resource}`.replace("  ", " "),
  };
  return decide(
    onTheMainDisk(findings, candidates, clause),
    isVolatileMeasure(asked.resource, aspect, isShare),
    nothing,
  );
}

function askedMeasure(clause: ClaimClause, quantity: Quantity): MeasureTarget | undefined {
  const words = clause.tokens.map(({ word }) => word);
  const resources = words.map(resourceOf).filter((one) => one !== undefined);
  const behind = resourceOf(/^\s*(?:cpu |of )?(\w+)/i.exec(clause.text.slice(quantity.end))?.[1] ?? "");
  const { dimension } = quantity;
  const physical = SPREAD.has(dimension) ? undefined : dimension;
  const isUp = dimension === "time" && /\b(?:up|running|uptime|active|booted|started)\b/i.test(clause.text);
  const resource =
    behind === "core" || behind === "thread"
      ? behind
      : (physical ??
        (isUp ? "uptime" : (resources.find((one) => one !== "level") ?? resourceOfThing(clause))));
  if (dimension === "count" && !BARE_RESOURCES.has(resource ?? "")) return undefined;
  const near = clause.text.slice(quantity.end);
  const aspects = [...near.split(/\W+/), ...words]
    .map((word) => aspectOf(word))
    .filter((one) => one !== undefined);
  const aspect = aspects.find((one) => one !== "total") ?? aspects[0];
  return { resource: resource ?? dimension, aspect, byUnit: resource === undefined };
}

/** Dimensions of which several resources are measured: memory and disks, what is up and what lasts. */
const SPREAD: ReadonlySet<Dimension> = new Set<Dimension>([
  "count",
  "data",
  "money",
  "ratio",
  "time",
  "times",
]);

/** What is measured without a unit, or with one that is not known here. */
const BARE_RESOURCES: ReadonlySet<string> = new Set(["core", "thread", "load", "level", "speed", "pressure"]);

/** "/data is 92 % full": what is named is a disk. */
function resourceOfThing({ facts, mentions }: ClaimClause): string | undefined {
  const isDisk = facts.facts.some(
    ({ things }) =>
      things[0]?.kind === "disk" && mentions.some(({ name }) => canonicalNamesOf(things[0]!).includes(name)),
  );
  return isDisk ? "disk" : undefined;
}

interface Reading {
  readonly fact: Fact;
  readonly aspect: Aspect | undefined;
  readonly quantity: Quantity;
}

/** A field as a measure of what is asked, when it is one and belongs to what the clause speaks of. */
function readingOf(fact: Fact, { resource, byUnit }: MeasureTarget, clause: ClaimClause): readonly Reading[] {
  if (typeof fact.value === "boolean") return [];
  const levels = [fact.words, fact.path.slice(0, -1).flatMap(keyWords), keyWords(fact.origin.name)];
  const quantity = quantityOfReading(fact, fact.value, clause);
  if (quantity === undefined || !belongs(fact, clause)) return [];
  const isSaid = (word: string) => clause.tokens.some((token) => token.word === word);
  const [own, around] = levels.slice(0, 2).map((words) => words.filter((word) => !isMeasureWord(word)));
  if (!own!.every(isSaid) || (byUnit && ![...own!, ...around!].some(isSaid))) return [];
  const aspect = fact.words.map(aspectOf).find((one) => one !== undefined);
  const level = levels.find((words) => words.some((word) => resourceOf(word) !== undefined));
  const resources = level?.map(resourceOf).filter((one) => one !== undefined) ?? [];
  const isKnown = level === fact.words || aspect !== undefined || quantity.dimension !== "count";
  // Degrees may be of a temperature.
  const asked = resource === "angle" ? ["angle", "temperature"] : [resource];
  const isAsked = [mostTelling(resources) ?? "", quantity.dimension].some((one) => asked.includes(one));
  return isKnown && isAsked ? [{ fact, aspect, quantity }] : [];
}

/** UTF-16 units of a text that is a figure and nothing else. */
const FIGURE_CHARS_MAX = 64;

/** A number with the unit that its key or the field beside it names, or a text with both ("16 GB"). */
function quantityOfReading(fact: Fact, value: string | number, clause: ClaimClause): Quantity | undefined {
  if (typeof value === "number")
    return Number.isFinite(value) ? amountOf(value, unitOf(fact, clause)) : undefined;
  if (value.length > FIGURE_CHARS_MAX) return undefined;
  const [first, second] = quantitiesIn(value);
  const isWhole = first?.start === 0 && first.end === value.trim().length && first.low === first.high;
  if (first === undefined || second !== undefined || !isWhole) return undefined;
  return first.dimension === "count" ? amountOf(first.printed, unitOf(fact, clause)) : first;
}

function unitOf({ parent, path }: Fact, { facts }: ClaimClause): Unit {
  const beside = factsOf(parent, facts).find(({ words }) =>
    /^(?:units?|uom|unit_of_measurement)$/.test(words.join("_")),
  );
  if (typeof beside?.value === "string") return unitIn(beside.value) ?? NO_UNIT;
  const named = path.toReversed().map((key) => unitOfKey(keySegments(key)));
  return named.find((unit) => unit !== undefined) ?? NO_UNIT;
}

/** `cpu_cores` counts cores, `cpu_temperature` is a temperature. */
function mostTelling(resources: readonly string[]): string | undefined {
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

/** Kinds of which a figure is the machine's own when none is named. */
const OF_THE_MACHINE: ReadonlySet<string | undefined> = new Set([
  "disk",
  "sensor",
  "zone",
  "tank",
  undefined,
]);

function belongs({ things }: Fact, { mentions }: ClaimClause): boolean {
  const thing = things[0];
  if (thing === undefined) return mentions.every(({ isKnown }) => !isKnown);
  if (mentions.length === 0) return OF_THE_MACHINE.has(thing.kind);
  return mentions.some(({ name }) => canonicalNamesOf(thing).includes(name));
}

const PERCENT = unitNamed("%")!;

/** What is free and what is used make up the whole; each follows from the others of the same object. */
function derived(readings: readonly Reading[]): readonly Reading[] {
  const siblings = grouped(readings, ({ fact }) => fact.parent);
  return readings.flatMap((total) => {
    if (total.aspect !== "total" || total.quantity.dimension !== "data") return [];
    return siblings
      .get(total.fact.parent)!
      .filter(
        ({ aspect, quantity }) =>
          aspect !== "total" && aspect !== undefined && quantity.unit.name === total.quantity.unit.name,
      )
      .flatMap(({ aspect, fact, quantity }): Reading[] => {
        const rest = total.quantity.printed - quantity.printed;
        const share = (100 * quantity.low) / total.quantity.low;
        return [
          { fact, aspect: aspect === "used" ? "free" : "used", quantity: amountOf(rest, quantity.unit) },
          { fact, aspect, quantity: amountOf(share, PERCENT) },
        ];
      });
  });
}

/** The reading as the aspect that is asked for: a share that is used tells what is free. */
function inAspect({ aspect, quantity }: Reading, asked: Aspect | undefined): Quantity | undefined {
  if (asked === undefined || aspect === asked) return quantity;
  if (quantity.dimension === "ratio") {
    const own = aspect ?? "used";
    if (own === asked) return quantity;
    return own === "total" || asked === "total" ? undefined : amountOf(100 - quantity.low, PERCENT);
  }
  return aspect === undefined && (asked === "total" || quantity.dimension !== "data") ? quantity : undefined;
}

/** "The disk" is the one that the system is on. */
function onTheMainDisk(
  findings: readonly FactFinding[],
  readings: readonly Reading[],
  { mentions }: ClaimClause,
): readonly FactFinding[] {
  if (mentions.length > 0) return findings;
  const isMain = ({ fact }: Reading) => fact.things.some(({ names }) => names.includes("/"));
  const main = new Set(readings.filter(isMain).map((one) => evidenceOfFact(one.fact).value));
  if (main.size === 0) return findings;
  return findings.filter(({ evidence }) => main.has(evidence.value));
}

function findingOf(
  { fact }: Reading,
  isRight: boolean,
  { end, start }: Quantity,
  { text }: ClaimClause,
): FactFinding {
  const evidence = evidenceOfFact(fact);
  return {
    relation: isRight ? "same" : "opposed",
    origin: fact.origin,
    evidence,
    reason: {
      code: "number_differs",
      text: `says ${text.slice(start, end)}, ${evidence.source} has ${evidence.value}`,
    },
  };
}

// --- how many ---

/** "3 containers are running"; undefined when the figure counts no kind of thing. */
function ofCount(clause: ClaimClause, quantity: Quantity): PartResult | undefined {
  const behind = clause.text
    .slice(quantity.end)
    .trim()
    .split(/\s+/)
    .slice(0, COUNTED_WORDS_MAX)
    .map((word) => word.replace(/(?<!\W)\W+$/, "").toLowerCase());
  const kind = behind.map(kindOf).find((one) => one !== undefined);
  if (quantity.dimension !== "count" || kind === undefined || kind === "port") return undefined;
  const states = claimedStates(clause);
  const claimed = states[0] ?? attributive(behind);
  const counted = { state: claimed, isNegated: states[0]?.isNegated === true && quantity.printed !== 0 };
  const findings = [
    ...countsOfLists(clause, quantity, kind, counted),
    ...countsGiven(clause, quantity, kind, counted),
  ];
  const nothing: Reason = { code: "number_unknown", text: `no reading says how many of ${kind}` };
  const steady =
    kind === "package" ||
    kind === "user" ||
    kind === "group" ||
    kind === "interface" ||
    (kind === "service" && claimed === undefined);
  return decide(findings, !steady, nothing);
}

const COUNTED_WORDS_MAX = 4;

type CountQualifier = {
  readonly state: ReturnType<typeof attributive> | undefined;
  readonly isNegated: boolean;
};

/** "3 running containers". */
function attributive(words: readonly string[]) {
  const state = words.map(stateOf).find((one) => one !== undefined);
  return state === undefined ? undefined : { state, isNegated: false, at: 0 };
}

function countsOfLists(
  clause: ClaimClause,
  quantity: Quantity,
  kind: string,
  { state, isNegated }: CountQualifier,
): readonly FactFinding[] {
  return clause.facts.listings
    .filter((listing) => listing.kind === kind)
    .flatMap((listing): FactFinding[] => {
      const isOwn =
        listing.state === undefined ||
        listing.state.dimension === "presence" ||
        kind === "process" ||
        kind === "package";
      if (state === undefined && !isOwn) return [];
      const counts =
        state === undefined
          ? { in: listing.members.length, unknown: 0 }
          : membersInState(listing, { ...state, isNegated }, clause.facts);
      if (counts.unknown > 0) return [];
      const right = holds(quantity, amountOf(counts.in));
      // A part of the list can only show that there are more.
      if (!listing.isComplete && (right === true || counts.in < quantity.printed)) return [];
      const evidence = evidenceOfListing(listing);
      const text = `says ${quantity.printed}, ${evidence.source} has ${counts.in}`;
      return [
        {
          relation: right === true ? "same" : "opposed",
          origin: listing.origin,
          evidence,
          reason: { code: "number_differs", text },
        },
      ];
    });
}

function countsGiven(
  clause: ClaimClause,
  quantity: Quantity,
  kind: string,
  { state, isNegated }: CountQualifier,
): readonly FactFinding[] {
  if (isNegated) return [];
  return clause.facts.facts.flatMap((fact): FactFinding[] => {
    if (typeof fact.value !== "number" || fact.things.length > 0) return [];
    const around = [...fact.path.slice(0, -1).flatMap(keyWords), ...keyWords(fact.origin.name)];
    const own =
      fact.words.map(kindOf).find((one) => one !== undefined) ??
      around.map(kindOf).find((one) => one !== undefined);
    const known = fact.words.map(stateOf).find((one) => one !== undefined);
    const isCount = fact.words.every(
      (word) =>
        kindOf(word) === kind ||
        stateOf(word) !== undefined ||
        /^(?:count|total|number|num|of|n|all|docker)$/.test(word),
    );
    if (own !== kind || !isCount || known?.family !== state?.state.family) return [];
    const evidence = evidenceOfFact(fact);
    const text = `says ${quantity.printed}, ${evidence.source} has ${evidence.value}`;
    return [
      {
        relation: holds(quantity, amountOf(fact.value)) ? "same" : "opposed",
        origin: fact.origin,
        evidence,
        reason: { code: "number_differs", text },
      },
    ];
  });
}
