/** What a number in a sentence says: how much of what, from where to where, exactly or at least; times and dates too. */
import type { Token } from "../tokens.js";
import { type Dimension, NO_UNIT, type Unit } from "./units.js";

/** Which way an amount is open: "at least", "more than", "at most", "less than". */
export type Bound = "exact" | "at_least" | "more_than" | "at_most" | "less_than" | "about";

export interface Quantity {
  readonly dimension: Dimension;
  /** In the dimension's base unit: seconds, metres, °C, …; minutes after midnight of a `clock`; yyyymmdd of a `date`. */
  readonly low: number;
  readonly high: number;
  /** The number as written, in its unit and with its sign. */
  readonly printed: number;
  /** Middle of a value with a tolerance, which may be said alone. */
  readonly middle?: number;
  readonly bound: Bound;
  /** Half of the last place that was written, in base units: "4.2 bar" is written to 0.05 bar. */
  readonly place: number;
  /** `NO_UNIT` of plain numbers, times of day and dates. */
  readonly unit: Unit;
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

/** What `quantityOf` has to know; the rest is where it stands. */
type Amount = Pick<Quantity, "low" | "high" | "printed" | "unit"> & Partial<Quantity>;

/** The quantity in tokens `from` to `next` of `text`; exact and measured unless `amount` says otherwise. */
export function quantityOf(
  text: string,
  tokens: readonly Token[],
  from: number,
  next: number,
  amount: Amount,
): Quantity {
  const [{ start }, { end }] = [tokens[from]!, tokens[next - 1]!];
  const place = { text: text.slice(start, end), start, end, firstToken: from, lastToken: next - 1 };
  return { ...plain(amount), ...place };
}

/** A measured value, in its unit, that stands in no text: a reading, or what follows from one. */
export function amountOf(value: number, unit: Unit = NO_UNIT): Quantity {
  const low = value * unit.factor + unit.offset;
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  const place = 0.5 * 10 ** -decimals * unit.factor;
  return plain({ low, high: low, printed: value, unit, place, use: unit === NO_UNIT ? "count" : "measure" });
}

function plain(amount: Amount): Quantity {
  const nowhere = { text: "", start: 0, end: 0, firstToken: 0, lastToken: 0 };
  const usual = { bound: "exact", place: 0, use: "measure", known: "" } as const;
  return { dimension: amount.unit.dimension, ...usual, ...nowhere, ...amount };
}

/** How the amounts of two quantities compare; `other` when they are not amounts of the same thing. */
export type Comparison = "same" | "different" | "other";

/**
 * Compares amounts, not bounds. In one unit they are the same number: what a document says is copied, not rounded. Of
 * two units, one was converted and perhaps rounded: they are the same where they agree at the coarser of the two last
 * places that were written, so that 100 psi is 6.9 bar. `CONVERSION_ERRORS` keeps a figure of one digit from being
 * the same as whatever rounds to it.
 */
export function compareAmounts(said: Quantity, known: Quantity): Comparison {
  if (said.dimension === "clock" && known.dimension === "clock") return compareClocks(said, known);
  if (said.dimension === "date" || known.dimension === "date") return compareDates(said, known);
  if (isScaleless(said, known) || isScaleless(known, said))
    return said.printed === known.printed ? "same" : "different";
  if (isSterling(said, known) || isSterling(known, said))
    return said.printed === known.printed ? "same" : "different";
  if (said.dimension !== known.dimension || ordersOtherwise(said, known)) return "other";
  if (said.dimension === "money" && said.unit.name !== known.unit.name)
    return near(said.low, known.low, 0) ? "different" : "other";
  return readingsOf(said, known).some((size) => isSame(said, known, size)) ? "same" : "different";
}

/** What to multiply the known amount with, where a symbol of either stands for two things. */
export function readingsOf(said: Quantity, known: Quantity): readonly number[] {
  const [ours, theirs] = [said.unit.binary, known.unit.binary];
  return said.unit.name === known.unit.name ? [1] : [1, theirs, 1 / ours, theirs / ours];
}

function isSame(said: Quantity, { low, high, middle, place, unit }: Quantity, size: number): boolean {
  const known = { low: low * size, high: high * size, place: place * size, unit };
  const allowed = conversionError(said, known);
  if (near(said.low, known.low, allowed) && near(said.high, known.high, allowed)) return true;
  if (middle !== undefined && near(said.low, middle * size, allowed) && said.low === said.high) return true;
  return isEndOf(said, known, allowed);
}

/** Degrees without a scale are degrees of the scale that is meant. */
export function isScaleless({ unit }: Quantity, other: Quantity): boolean {
  return unit.name === "°" && other.dimension === "temperature";
}

/** "Fifty pounds" are money where the other amount is "£50". */
function isSterling({ unit, text }: Quantity, other: Quantity): boolean {
  return unit.dimension === "mass" && other.unit.name === "£" && /pounds?$/i.test(text);
}

/** "First aid" is not "channel 1", but "the third floor" may be "floor 3". */
function ordersOtherwise(said: Quantity, known: Quantity): boolean {
  return (said.use === "order") !== (known.use === "order") && Math.min(said.low, known.low) <= 2;
}

/** "up to 15" of "10 to 15", "at least 10" of it. */
function isEndOf(said: Quantity, known: Pick<Quantity, "low" | "high">, allowed: number): boolean {
  if (known.low === known.high || said.low !== said.high) return false;
  if (said.bound === "at_most") return near(said.high, known.high, allowed);
  return said.bound === "at_least" && near(said.low, known.low, allowed);
}

/** How far two amounts may be apart, in base units: nothing in one unit, else what the coarser place leaves open. */
export function conversionError(a: RoundedValue, b: RoundedValue): number {
  if (a.unit.name === b.unit.name) return 0;
  const share = CONVERSION_ERRORS[a.unit.dimension] ?? CONVERSION_ERROR;
  return Math.min(Math.max(a.place, b.place), Math.max(Math.abs(a.low), Math.abs(b.low)) * share);
}

type RoundedValue = Pick<Quantity, "low" | "place" | "unit">;

/** Beyond this share a conversion is wrong, whatever was rounded: 2 m is 7 ft (6 %), but not 6 ft (9 %). */
const CONVERSION_ERROR = 0.07;

/**
 * A scale of temperature has no zero to take a share of. Times are counted rather than measured: 50 hours are not two
 * days, though a month is said to have 30 days.
 */
const CONVERSION_ERRORS: Partial<Readonly<Record<Dimension, number>>> = {
  temperature: Number.POSITIVE_INFINITY,
  time: 0.02,
};

/** What calculating leaves of a difference, as a share of the larger figure and beside 0: a microlitre is 1e-9 m³. */
const CALCULATED_SHARE = 1e-9;
const CALCULATED = 1e-14;

export function near(a: number, b: number, allowed: number): boolean {
  return Math.abs(a - b) <= allowed + CALCULATED + CALCULATED_SHARE * Math.max(Math.abs(a), Math.abs(b));
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
