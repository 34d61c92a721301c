/** Whether a figure that is said holds for a value that was measured, with "at least", "about" and what rounding allows. */
import { compareAmounts, conversionError, isScaleless, near, type Quantity, readingsOf } from "./quantity.js";
import type { Dimension } from "./units.js";

/** How far "about" reaches, as a share of the figure. */
const ABOUT_SHARE = 0.1;
/** A measured value may be said in round figures; beyond this share it is another value. */
const ROUNDED_SHARE = 0.07;

/**
 * Undefined when the two are not amounts of the same thing. A figure said without a unit is in the unit of the reading.
 * In one unit the value that was read may be rounded to the last place that is said; between two units the rule of
 * `compareAmounts` applies.
 */
export function holds(said: Quantity, read: Quantity): boolean | undefined {
  const isBare = said.dimension === "count" || isScaleless(said, read);
  const ours = isBare ? inUnitOf(said, read) : said;
  if (ours.dimension !== read.dimension || compareAmounts(ours, read) === "other") return undefined;
  return readingsOf(ours, read).some((size) => isWithin(ours, read, size));
}

function inUnitOf(said: Quantity, { dimension, unit }: Quantity): Quantity {
  const [low, high] = [said.low, said.high].map((value) => value * unit.factor + unit.offset);
  return { ...said, dimension, unit, low: low!, high: high!, place: said.place * unit.factor };
}

function isWithin(said: Quantity, read: Quantity, size: number): boolean {
  const value = read.low * size;
  const converted = conversionError(said, { ...read, low: value, place: read.place * size });
  switch (said.bound) {
    case "more_than":
      return value > said.high && !near(value, said.high, 0);
    case "at_least":
      return value >= said.low || near(value, said.low, converted);
    case "less_than":
      return value < said.low && !near(value, said.low, 0);
    case "at_most":
      return value <= said.high || near(value, said.high, converted);
    case "about":
      return near(value, said.low, Math.max(said.place, Math.abs(said.low) * ABOUT_SHARE));
    case "exact":
      return isAt(said, value, Math.max(converted, rounding(said, value)));
  }
}

/** A time is said in whole units that have passed. */
function isAt({ dimension, high, low, place }: Quantity, value: number, allowed: number): boolean {
  if (dimension === "time" && low === high && place > 0)
    return value > low - place && value < low + 2 * place;
  return (value >= low && value <= high) || near(value, low, allowed) || near(value, high, allowed);
}

/** Scales without a zero to take a share of, and small whole numbers of hundredths. */
const UNSHARED: ReadonlySet<Dimension> = new Set<Dimension>(["temperature", "ratio", "count"]);

function rounding({ dimension, low, place }: Quantity, value: number): number {
  if (UNSHARED.has(dimension)) return place;
  return Math.min(place, Math.max(Math.abs(low), Math.abs(value)) * ROUNDED_SHARE);
}
