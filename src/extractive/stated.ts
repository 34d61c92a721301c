/** Values that a question states, to hear whether they are as they should be: "Tank 4 is showing 1.1 bar, fine?". Pure. */
import { holds } from "../words/quantity/holds.js";
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
  const clauses = stated.map(({ start }) => text.slice(0, start).split(/[,;?!]/));
  return clauses.map((before) => before.at(-1)!.split(BEHIND_NAME)[0]!).join(" . ");
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
  const ranges = quantitiesIn(name).flatMap((one): readonly Quantity[] => {
    if (one.low < one.high) return [{ ...one, bound: "exact" }];
    if (UP_TO.test(name.slice(0, one.start))) return [{ ...one, bound: "at_most" }];
    return one.bound === "exact" || one.use === "order" ? [] : [one];
  });
  const compared = numbers.flatMap(({ amount, clause }) =>
    ranges.flatMap((range) => {
      const { dimension, unit, text } = range;
      const rest = termsOf(name.replace(text, " ").replace(BOUNDS, " "));
      const isOfSame = rest.length === 0 || rest.some((term) => clause.has(term));
      const isBare = isScaleless(amount, range) || (amount.dimension === "count" && isOfSame);
      const low = amount.printed * unit.factor + unit.offset;
      const value = isBare ? { ...amount, dimension, unit, low, high: low, use: range.use } : amount;
      const isHeld = isBare || (amount.use === "measure" && dimension === amount.dimension);
      return isHeld ? [{ amount, isIn: holds(range, value) === true }] : [];
    }),
  );
  return compared.length === 0 ? undefined : compared.flatMap(({ amount, isIn }) => (isIn ? [amount] : []));
}

const UP_TO = /\b(?:to|till|until) $/i;
const BOUNDS = /\b(?:up|to|till|until|above|over|below|under|more|less|than|at|most|least|and|or|from)\b/gi;

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
