/** Values that a question states, to hear whether they are as they should be: "Tank 4 is showing 1.1 bar, fine?". Pure. */
import { quantitiesIn } from "../words/quantity/quantities.js";
import type { Quantity } from "../words/quantity/quantity.js";
import type { Dimension } from "../words/quantity/units.js";
import { ASKS_OF_VALUE, BEFORE_BARE_VALUE, BEHIND_BARE_VALUE, BEHIND_NAME } from "../words/question-forms.js";
import type { Shown } from "./expected-kind.js";
import { cellsOf } from "./table-row.js";

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

/** Whether a text has an amount that one of these may be held against. */
export function isLimitIn(text: string, given: readonly Quantity[]): boolean {
  return quantitiesIn(text).some((limit) => given.some((one) => isHeldAgainst(one, limit)));
}

/** A number without a unit is held against any amount but a time, which may be an age, and "13 metres" against so many a second. */
function isHeldAgainst({ dimension, low, printed, unit }: Quantity, limit: Quantity): boolean {
  if (dimension === "count") {
    if (printed < 0) return limit.dimension === "temperature";
    const isMeasure = limit.use === "measure" && (limit.dimension !== "time" || limit.unit.name === "year");
    return isMeasure || limit.printed === printed || !Number.isInteger(limit.printed);
  }
  const ratio = low / limit.low;
  const isFar = (ratio > RATIO_MAX && ratio < Infinity) || (ratio > 0 && ratio < 1 / RATIO_MAX);
  const isScaleless = unit.name === "°" && limit.dimension === "temperature";
  if (dimension === limit.dimension || isScaleless) return !isFar;
  return limit.unit.name.startsWith(`${unit.name}/`);
}

/** 80 km are not held against 1.6 mm. */
const RATIO_MAX = 100;
