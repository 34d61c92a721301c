/** Values that a question states, to hear whether they are as they should be: "Tank 4 is showing 1.1 bar, fine?". Pure. */
import { quantitiesIn } from "../words/quantity/quantities.js";
import { isScaleless, type Quantity } from "../words/quantity/quantity.js";
import type { Dimension } from "../words/quantity/units.js";
import { ASKS_OF_VALUE, BEFORE_BARE_VALUE, BEHIND_BARE_VALUE, BEHIND_NAME } from "../words/question-forms.js";
import type { Shown } from "./expected-kind.js";
import { cellsOf } from "./table-row.js";
import { termsOf } from "./terms.js";

/** The amounts that are stated; none where the question asks for an amount itself. */
export function statedIn(text: string): readonly Quantity[] {
  if (ASKS_OF_VALUE.test(text)) return [];
  const stated = quantitiesIn(text).filter(
    ({ dimension, end, printed, start, use }) =>
      (use === "measure" && !UNMEASURED.has(dimension)) ||
      (use === "count" &&
        BEHIND_BARE_VALUE.test(text.slice(end)) &&
        (printed > DAY_HOURS || !/(?<!\bis |'s )\bat $/.test(text.slice(0, start))) &&
        BEFORE_BARE_VALUE.test(text.slice(0, start))),
  );
  return stated.slice(0, STATED_MAX);
}

const UNMEASURED: ReadonlySet<Dimension> = new Set<Dimension>(["date", "money", "times"]);

/** More at a time are not held against anything. */
const STATED_MAX = 4;

/** "At seven" may be a time of day. */
const DAY_HOURS = 24;

/** What one of these was measured of, as it is called before it: "lauter tun" of "the lauter tun is at 2 bar". */
export function measuredIn(text: string, stated: readonly Quantity[]): string {
  const before = stated.map(
    ({ start }) =>
      text
        .slice(0, start)
        .split(/[,;?!]/)
        .at(-1)!,
  );
  return before.map((clause) => clause.split(BEHIND_NAME)[0]!).join(" . ");
}

/** What a sentence or a cell has to show: an amount that one of these may be held against. The name of a row limits nothing. */
export function limitOf(stated: readonly Quantity[]): Shown {
  return {
    test: (text) => {
      const [, ...cells] = cellsOf(text);
      const said = cells.length === 0 ? [text] : cells.map(({ name, value }) => `${name}: ${value}`);
      return said.some((one) => isLimitIn(one, stated));
    },
  };
}

/** Whether all cells of a row give amounts of one kind: who hears two of them may take the wrong one. */
export function isContrast(row: string): boolean {
  const kinds = cellsOf(row)
    .slice(1)
    .map(({ value }) => quantitiesIn(value)[0]?.dimension);
  return new Set(kinds).size === 1 && kinds[0] !== undefined;
}

/** A number of a question, with the terms of its clause. */
export interface Said {
  readonly amount: Quantity;
  readonly clause: ReadonlySet<string>;
}

/**
 * Of the numbers of a question, those that the range in the name of a row or of a column takes in: 90 of "81–160 km/h";
 * undefined where it has none that they may be held against. A bare number is, of "lift to 25 mm", where "lift" is said.
 */
export function takenIn(name: string, numbers: readonly Said[]): readonly Quantity[] | undefined {
  const ranges = quantitiesIn(name).map((one) => (UP_TO.test(name.slice(0, one.start)) ? upTo(one) : one));
  const open = ranges.filter(
    ({ bound, high, low, use }) => (bound !== "exact" || low < high) && use !== "order",
  );
  const held = numbers.filter(({ amount, clause }) =>
    open.some((range) => {
      if ((amount.dimension === range.dimension && amount.use === "measure") || isScaleless(amount, range))
        return true;
      const rest = termsOf(name.replace(range.text, " ").replace(BOUNDS, " "));
      return amount.dimension === "count" && (rest.length === 0 || rest.some((term) => clause.has(term)));
    }),
  );
  if (held.length === 0) return undefined;
  return held.map(({ amount }) => amount).filter((amount) => open.some((range) => isWithin(amount, range)));
}

const UP_TO = /\b(?:to|till|until) $/i;
const upTo = (range: Quantity): Quantity => ({ ...range, bound: "at_most" });
const BOUNDS = /\b(?:up|to|till|until|above|over|below|under|more|less|than|at|most|least|and|or|from)\b/gi;

function isWithin(amount: Quantity, { bound, unit, ...range }: Quantity): boolean {
  const isBare = amount.dimension !== range.dimension;
  const value = isBare ? amount.printed * unit.factor + unit.offset : amount.low;
  const isOpen = range.low === range.high;
  const isFrom = value > range.low || (value === range.low && bound !== "more_than");
  const isTo = value < range.high || (value === range.high && bound !== "less_than");
  const [above, below] = [bound.endsWith("least") || bound === "more_than", /most|less/.test(bound)];
  return (isFrom || below) && (isTo || (above && isOpen));
}

/** Whether a text has an amount that one of these may be held against. */
export function isLimitIn(text: string, given: readonly Quantity[]): boolean {
  return quantitiesIn(text).some((limit) => given.some((one) => isHeldAgainst(one, limit)));
}

/** A number without a unit is held against any amount but a time, which may be an age, and "13 metres" against so many a second. */
function isHeldAgainst(amount: Quantity, limit: Quantity): boolean {
  const { dimension, low, printed, unit } = amount;
  if (dimension === "count") {
    if (printed < 0) return limit.dimension === "temperature";
    const isMeasure = limit.use === "measure" && (limit.dimension !== "time" || limit.unit.name === "year");
    return isMeasure || limit.printed === printed || !Number.isInteger(limit.printed);
  }
  const ratio = low / limit.low;
  const isFar = (ratio > RATIO_MAX && ratio < Infinity) || (ratio > 0 && ratio < 1 / RATIO_MAX);
  if (dimension === limit.dimension || isScaleless(amount, limit)) return !isFar;
  return limit.unit.name.startsWith(`${unit.name}/`);
}

/** 80 km are not held against 1.6 mm. */
const RATIO_MAX = 100;
