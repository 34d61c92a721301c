/** What a number in a sentence says: how much of what, from where to where, exactly or at least; times and dates too. */
import type { Dimension } from "./units.js";

/** Which way an amount is open: "at least", "more than", "at most", "less than". */
export type Bound = "exact" | "at_least" | "more_than" | "at_most" | "less_than" | "about";

export interface Quantity {
  readonly dimension: Dimension;
  /** In the dimension's base unit: seconds, metres, °C, …; minutes after midnight of a `clock`; yyyymmdd of a `date`. */
  readonly low: number;
  readonly high: number;
  /** The number as printed, before any conversion. */
  readonly printed: number;
  /** Middle of a value with a tolerance, which may be said alone. */
  readonly middle?: number;
  readonly bound: Bound;
  /** Base units that the rounding of the printed number leaves open. */
  readonly rounding: number;
  readonly system: "metric" | "us" | "none";
  /** Of money the currency, otherwise the unit as in the table; empty for plain numbers. */
  readonly unit: string;
  /** Of a plain number: whether it counts, names ("channel 4"), orders ("third"), or is only an idiom ("one of"). */
  readonly use: "measure" | "count" | "label" | "order" | "idiom";
  /** Of a `clock`: whether morning or afternoon is known. Of a `date`: what is given. */
  readonly known: string;
  /** As written, unit included. */
  readonly text: string;
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** Tokens that it takes up. */
  readonly firstToken: number;
  readonly lastToken: number;
}

/** How the amounts of two quantities compare; `other` when they are not amounts of the same thing. */
export type Comparison = "same" | "different" | "other";

/** Compares amounts, not bounds. Between systems of units, the printed precision of either side is allowed for. */
export function compareAmounts(said: Quantity, known: Quantity): Comparison {
  if (said.dimension === "clock" && known.dimension === "clock") return compareClocks(said, known);
  if (said.dimension === "date" || known.dimension === "date") return compareDates(said, known);
  const [a, b] = [kindOf(said), kindOf(known)];
  if (a !== b || ordersOtherwise(said, known)) return "other";
  if (said.dimension === "money" && said.unit !== known.unit)
    return near(said.low, known.low, 0) ? "different" : "other";
  const allowed = allowance(said, known);
  if (near(said.low, known.low, allowed) && near(said.high, known.high, allowed)) return "same";
  if (known.middle !== undefined && near(said.low, known.middle, allowed) && said.low === said.high)
    return "same";
  return isEndOf(said, known, allowed) ? "same" : "different";
}

/** "First aid" is not "channel 1", but "the third floor" may be "floor 3". */
function ordersOtherwise(said: Quantity, known: Quantity): boolean {
  return (said.use === "order") !== (known.use === "order") && Math.min(said.low, known.low) <= 2;
}

/** Degrees without a scale are degrees of the scale that is meant. */
function kindOf({ dimension }: Quantity): string {
  return dimension === "angle" ? "temperature" : dimension;
}

/** "up to 15" of "10 to 15", "at least 10" of it. */
function isEndOf(said: Quantity, known: Quantity, allowed: number): boolean {
  if (known.low === known.high || said.low !== said.high) return false;
  if (said.bound === "at_most") return near(said.high, known.high, allowed);
  return said.bound === "at_least" && near(said.low, known.low, allowed);
}

/** A converted value may be rounded as it is printed; time is converted exactly. */
function allowance(said: Quantity, known: Quantity): number {
  if (said.unit === known.unit || said.dimension === "angle" || known.dimension === "angle") return 0;
  const scale = Math.max(Math.abs(said.low), Math.abs(known.low));
  if (said.system === known.system) return said.dimension === "time" ? scale * CALENDAR_SLACK : scale * 1e-6;
  const rounded = Math.max(said.rounding, known.bound === "about" ? known.rounding : 0);
  return said.dimension === "temperature" ? rounded : Math.min(rounded, scale * CONVERSION_ERROR_MAX);
}

/** A month is not 30 days and a year is not 52 weeks, but people say so. */
const CALENDAR_SLACK = 0.02;
/** Rounding of a conversion beyond this share is an error, whatever the precision: 1 ft is not 50 cm. */
const CONVERSION_ERROR_MAX = 0.1;

function near(a: number, b: number, allowed: number): boolean {
  return Math.abs(a - b) <= allowed + 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

const HALF_DAY_MINUTES = 720;

function compareClocks(said: Quantity, known: Quantity): Comparison {
  const modulo = said.known === "" || known.known === "" ? HALF_DAY_MINUTES : 2 * HALF_DAY_MINUTES;
  return said.low % modulo === known.low % modulo && said.high % modulo === known.high % modulo
    ? "same"
    : "different";
}

/** What both give must agree. A plain number of four digits may be a year. */
function compareDates(said: Quantity, known: Quantity): Comparison {
  const [a, b] = [partsOf(said), partsOf(known)];
  if (a === undefined || b === undefined) return "other";
  let together = 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i] === 0 || b[i] === 0) continue;
    if (a[i] !== b[i]) return "different";
    together += 1;
  }
  return together > 0 ? "same" : "other";
}

/** Year, month, day; 0 where not given. */
function partsOf({ dimension, low }: Quantity): readonly [number, number, number] | undefined {
  if (dimension === "date") return [Math.floor(low / 10_000), Math.floor(low / 100) % 100, low % 100];
  return dimension === "count" && low >= 1000 && low <= 2999 ? [low, 0, 0] : undefined;
}

/** +1 where the amount is open upward, -1 downward, 0 where it is not open. */
export function direction(bound: Bound): -1 | 0 | 1 {
  if (bound === "at_least" || bound === "more_than") return 1;
  return bound === "at_most" || bound === "less_than" ? -1 : 0;
}
