/** What a site's system said, as values; and what is said of it. */

export type ReadingValue = string | number | boolean;

/** One value that was read. */
export interface Reading {
  /** Id of the resource. */
  readonly target: string;
  /** What was read of it, such as `status` or `temperature`: a key of `reads` in the settings. */
  readonly signal: string;
  readonly value: ReadingValue;
  /** As the lexicon writes it, such as `°C`; absent: a state, or a bare number. */
  readonly unit?: string;
  /** When the site's system took it, in Unix milliseconds; when it was asked, where it does not tell. */
  readonly takenAtMs: number;
  /** The tool that told, as `{site}.{tool}`. */
  readonly tool: string;
  /** What it usually is, where the site keeps that. */
  readonly usual?: number;
  readonly trend?: Trend;
}

export type Trend = "rising" | "falling" | "steady";

/**
 * What is said of readings, as a value: it is compared with the readings as a value, and rendered from `locales/`.
 * `holds: false` says that the signal does not have this value.
 */
export interface Statement {
  readonly target: string;
  readonly signal: string;
  readonly value: ReadingValue;
  readonly unit?: string;
  readonly holds: boolean;
}

/** How a value is bounded; `between`: both ends are allowed. */
export type RuleBound = "at_most" | "less_than" | "at_least" | "more_than" | "between";

/** What a sentence of a document allows of a value: it is compared with the words of that sentence. */
export interface DocumentRule {
  /** Id of the chunk that the sentence stands in. */
  readonly chunk: string;
  /** The sentence, as it stands there. */
  readonly quote: string;
  readonly bound: RuleBound;
  /** The ends of `between`; of all others the same number twice. */
  readonly low: number;
  readonly high: number;
  /** As of a reading. */
  readonly unit: string;
}

/** A value with its unit, if it has any: "-18 °C". */
export function amountOf(value: ReadingValue, unit: string | undefined): string {
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
