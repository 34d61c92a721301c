/**
 * Figures with their units, in a claim and in a reading: amounts of data, shares, times, temperatures and bare numbers;
 * what a rounded figure leaves room for, and words such as "at least" and "about".
 */

export type Measure = "bytes" | "share" | "duration" | "temperature" | "number";

/** What a figure claims: that, more than that, at least that, … */
export type Comparator = "equal" | "about" | "more" | "at_least" | "less" | "at_most";

export interface Quantity {
  readonly measure: Measure;
  /** In the unit that it is written in. */
  readonly value: number;
  /** What one of its units is in bytes, percent, seconds; several where the unit means several things ("GB"). */
  readonly factors: readonly number[];
  /** Half of the last digit that was written, in its unit; for a time, its smallest unit. */
  readonly leeway: number;
  readonly comparator: Comparator;
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

const [KILO, KIBI] = [1_000, 1_024];
const SIZE_LETTERS = ["k", "m", "g", "t", "p"];

/** Factors of a unit's name; undefined when it is no unit. */
function unitOf(
  name: string,
): { readonly measure: Measure; readonly factors: readonly number[] } | undefined {
  if (name === "m") return { measure: "duration", factors: [60] };
  const unit = name.toLowerCase();
  const size = /^([kmgtp])(i)?b?$|^(kilo|mega|giga|tera|peta)bytes?$|^(kibi|mebi|gibi|tebi|pebi)bytes?$/.exec(
    unit,
  );
  if (size !== null) {
    const power = SIZE_LETTERS.indexOf((size[1] ?? size[3] ?? size[4])![0]!) + 1;
    const isBinary = size[2] !== undefined || size[4] !== undefined;
    // Tools write "GB" for both.
    return { measure: "bytes", factors: isBinary ? [KIBI ** power] : [KILO ** power, KIBI ** power] };
  }
  if (/^(?:b|bytes?)$/.test(unit)) return { measure: "bytes", factors: [1] };
  if (/^(?:%|percent|per ?cent|pct|percentage)$/.test(unit)) return { measure: "share", factors: [1] };
  if (/^(?:fraction|ratio)$/.test(unit)) return { measure: "share", factors: [100] };
  const seconds = SECONDS.find(([names]) => names.test(unit))?.[1];
  if (seconds !== undefined) return { measure: "duration", factors: [seconds] };
  if (/^(?:°?c|celsius|degrees?(?: celsius| c)?|°)$/.test(unit))
    return { measure: "temperature", factors: [1] };
  if (/^(?:°?f|fahrenheit|degrees? (?:fahrenheit|f))$/.test(unit))
    return { measure: "temperature", factors: [FAHRENHEIT] };
  return undefined;
}

/** Stands for a scale of its own; see `celsius`. */
const FAHRENHEIT = -1;

const SECONDS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 0.001],
  [/^(?:s|secs?|seconds?)$/, 1],
  [/^(?:min|mins|minutes?)$/, 60],
  [/^(?:h|hrs?|hours?)$/, 3_600],
  [/^(?:d|days?)$/, 86_400],
  [/^(?:w|weeks?)$/, 604_800],
];

export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
    "seventeen eighteen nineteen twenty"
  )
    .split(" ")
    .map((word, value) => [word, value]),
);

const NUMBER = `(?:minus |[-−](?=\\d))?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?|\\b(?:${[...NUMBER_WORDS.keys()].join("|")})\\b`;
const UNIT =
  "%|°\\s?[CF]?|degrees?(?: celsius| fahrenheit| [CF])?|per ?cent|percent(?:age)?|pct|[kmgtp]i?b|[kmgtp]i(?=\\W|$)|" +
  "(?:kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi|pebi)?bytes?|milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|celsius|fahrenheit|[CF]|[GMTKsmhdw]";
const FIGURE = new RegExp(
  `(?<![\\w.:/@-]|\\d,)(${NUMBER})(?![\\d]|[.:/-]\\d)(?:\\s?(${UNIT})(?![\\w/]))?`,
  "giu",
);

const COMPARATORS: readonly (readonly [RegExp, Comparator])[] = [
  [/\b(?:at least|no less than|not less than|a minimum of|no fewer than)\s*$/i, "at_least"],
  [/\b(?:at most|no more than|not more than|up to|a maximum of)\s*$/i, "at_most"],
  [/(?:\b(?:more than|over|above|greater than|exceed(?:s|ing)?|upwards of)|>)\s*$/i, "more"],
  [/(?:\b(?:less than|fewer than|under|below|lower than|short of)|<)\s*$/i, "less"],
  [
    /(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|close to|just (?:over|under))|~|≈)\s*$/i,
    "about",
  ],
];

/** UTF-16 units before a figure in which its comparator stands. */
const COMPARATOR_CHARS_MAX = 48;

/** UTF-16 units of a text that is a figure and nothing else. */
const FIGURE_CHARS_MAX = 64;

/** The figures of a text, in order; parts of one time ("2 hours and 15 minutes") are one figure. */
export function quantitiesIn(text: string): readonly Quantity[] {
  const found: Quantity[] = [];
  for (const match of text.matchAll(FIGURE)) {
    const one = quantityOf(text, match);
    const last = found.at(-1);
    if (last !== undefined && continues(text, last, one)) found[found.length - 1] = joined(last, one);
    else found.push(one);
  }
  return found;
}

function quantityOf(text: string, match: RegExpMatchArray): Quantity {
  const [all, number, unitName] = match as unknown as [string, string, string | undefined];
  const start = match.index!;
  const unit = unitName === undefined ? undefined : unitOf(unitName.replace(/\s/g, " ").trim());
  const isShort = unitName !== undefined && /^[a-z]$/i.test(unitName) && /\s/.test(all.trim());
  const known = unit !== undefined && !isShort ? unit : undefined;
  const value = figureOf(number);
  const decimals = /\.(\d+)$/.exec(number)?.[1]?.length ?? 0;
  const before = text.slice(Math.max(0, start - COMPARATOR_CHARS_MAX), start);
  return {
    measure: known?.measure ?? "number",
    value,
    factors: known?.factors ?? [1],
    leeway: known?.measure === "duration" ? 1 : 0.5 * 10 ** -decimals,
    comparator: COMPARATORS.find(([words]) => words.test(before))?.[1] ?? "equal",
    start,
    end: start + (known === undefined ? number.length : all.length),
  };
}

function figureOf(number: string): number {
  const word = NUMBER_WORDS.get(number.toLowerCase());
  if (word !== undefined) return word;
  const digits = Number(number.replace(/^(?:minus |[-−])/i, "").replace(/,/g, ""));
  return /^(?:minus |[-−])/i.test(number) ? -digits : digits;
}

/** "15 minutes" behind "2 hours". */
function continues(text: string, last: Quantity, next: Quantity): boolean {
  return (
    last.measure === "duration" &&
    next.measure === "duration" &&
    next.factors[0]! < last.factors[0]! &&
    /^(?:,? ?and |,? ?)$/i.test(text.slice(last.end, next.start))
  );
}

/** In seconds; exact to the smaller unit. */
function joined(last: Quantity, next: Quantity): Quantity {
  const value = last.value * last.factors[0]! + next.value * next.factors[0]!;
  return { ...last, value, factors: [1], leeway: next.leeway * next.factors[0]!, end: next.end };
}

/** The figure of a reading: a number whose key names its unit (`memory_total_gb`), or a text with both ("16 GB"). */
export function quantityOfReading(words: readonly string[], value: string | number): Quantity | undefined {
  if (typeof value === "string") {
    if (value.length > FIGURE_CHARS_MAX) return undefined;
    const found = quantitiesIn(value);
    const first = found[0];
    if (found.length !== 1 || first === undefined || first.start !== 0 || first.end !== value.trim().length)
      return undefined;
    return first.measure === "number" ? quantityOfReading(words, first.value) : first;
  }
  if (!Number.isFinite(value)) return undefined;
  const unit = words
    .map((word) => (word === "c" || word.length > 1 || /^[bsc]$/.test(word) ? unitOf(word) : undefined))
    .filter((one) => one !== undefined)
    .at(-1);
  const { measure, factors } = unit ?? { measure: "number" as const, factors: [1] };
  return { measure, value, factors, leeway: 0, comparator: "equal", start: 0, end: 0 };
}

/** Whether a claimed figure holds, given what was read; undefined when the two do not measure the same. */
export function holds(claimed: Quantity, read: Quantity): boolean | undefined {
  const sameUnit = claimed.factors.join() === read.factors.join();
  if (claimed.measure !== read.measure) return undefined;
  if (claimed.measure === "temperature") return compare(claimed, inScaleOf(claimed, read));
  if (sameUnit) return compare(claimed, read.value);
  return claimed.factors.some((own) =>
    read.factors.some((other) => compare(claimed, (read.value * other) / own)),
  );
}

function inScaleOf({ factors }: Quantity, read: Quantity): number {
  const celsius = read.factors[0] === FAHRENHEIT ? ((read.value - 32) * 5) / 9 : read.value;
  return factors[0] === FAHRENHEIT ? (celsius * 9) / 5 + 32 : celsius;
}

/** How far "about" reaches, and how far an amount of data may be rounded, as shares of the figure. */
const ABOUT_SHARE = 0.1;
const ROUNDED_SHARE = 0.05;
const EPSILON = 1e-9;

function compare({ comparator, leeway, measure, value }: Quantity, read: number): boolean {
  const tolerance = measure === "bytes" ? Math.min(leeway, Math.abs(value) * ROUNDED_SHARE) : leeway;
  switch (comparator) {
    case "more":
      return read > value;
    case "at_least":
      return read >= value - EPSILON;
    case "less":
      return read < value;
    case "at_most":
      return read <= value + EPSILON;
    case "about":
      return Math.abs(read - value) <= Math.max(leeway, Math.abs(value) * ABOUT_SHARE) + EPSILON;
    case "equal":
      // A time is said in whole units that have passed.
      return measure === "duration"
        ? read > value - leeway / 2 && read < value + leeway
        : Math.abs(read - value) <= tolerance + EPSILON;
  }
}
