/** The unit behind a number, one token or several: `°C`, `km/h`, "litres per minute", "square metres", "foot-pounds". */
import { isNumbered } from "../labels.js";
import { type Token, tokenize } from "../tokens.js";
import { type Dimension, PREFIX_NAMES, toPower, type Unit, unitNamed } from "./units.js";

export interface UnitMatch {
  readonly unit: Unit;
  /** Index of the first token behind it. */
  readonly next: number;
}

/** The unit that begins at token `at`; undefined when there is none. */
export function unitAt(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const token = tokens[at];
  if (token === undefined || token.kind === "stop" || token.kind === "number") return undefined;
  const isGlued = tokens[at - 1]?.end === token.start;
  if (!isGlued && WORDS_TOO.has(token.lower) && !endsClause(tokens[at + 1])) return undefined;
  // "5x10": a sign between two numbers.
  if (/^[x×]$/.test(token.lower) && tokens[at + 1]?.kind === "number") return undefined;
  const found = measured(tokens, at) ?? scaleBehind(tokens, at);
  return !isGlued && found?.next === at + 1 && ONLY_GLUED.has(token.lower) ? undefined : found;
}

/** `4C`, `55 C`: a letter behind a number that is no name. */
function scaleBehind(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const [letter, number] = [tokens[at]!, tokens[at - 1]];
  if (!/^[CF]$/.test(letter.text) || number?.kind !== "number" || letter.start - number.end > 1)
    return undefined;
  const unit = isNumbered(tokens[at - 2]?.lower) ? undefined : scaleNamed(letter.text);
  return unit === undefined ? undefined : { unit, next: at + 1 };
}

/** As a row of a table has it: "Concentration (mg/mL): 100", "Hold at (°C, min.): 63". */
const HEADER = /[([]([^()[\],;]{1,24})(?:[,;][^()[\]]{0,24})?[)\]] ?: ?$/;
const HEADER_CHARS_MAX = 56;

/** The unit that stands in brackets before the number at `start` of `text`; it reaches no token further. */
export function unitOfHeader(text: string, start: number, next: number): UnitMatch | undefined {
  const header = HEADER.exec(text.slice(Math.max(0, start - HEADER_CHARS_MAX), start))?.[1];
  const unit = header === undefined ? undefined : unitIn(header);
  return unit === undefined ? undefined : { unit, next };
}

function measured(tokens: readonly Token[], at: number): UnitMatch | undefined {
  return degrees(tokens, at) ?? perCent(tokens, at) ?? quotient(tokens, at) ?? factor(tokens, at);
}

/** The unit that a text is and nothing else, as a field beside a reading has it: `kPa`, `m³/h`, "degrees Celsius". */
export function unitIn(text: string): Unit | undefined {
  const tokens = tokenize(text);
  const found = measured(tokens, 0);
  return found?.next === tokens.length ? found.unit : scaleNamed(text);
}

/**
 * The unit that a key of a reading names: `pressure_kPa`, `tempC`, `flow_l_min`, `used_percent`. `segments` are the
 * parts of the key as they are written. One letter is a unit at the end of the key only.
 */
export function unitOfKey(segments: readonly string[]): Unit | undefined {
  for (let last = segments.length - 1; last >= 0; last--) {
    const segment = segments[last]!;
    const rate = last === 0 ? undefined : unitIn(`${segments[last - 1]}/${segment}`);
    if (rate !== undefined && RATES.has(rate.dimension)) return rate;
    if (segment.length === 1 && last < segments.length - 1) continue;
    const unit = FRACTIONS.has(segment.toLowerCase())
      ? { ...unitNamed("%")!, factor: 100 }
      : NO_KEYS.has(segment.toLowerCase())
        ? undefined
        : (unitNamed(segment) ?? scaleNamed(segment));
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** A share of 1. */
const FRACTIONS: ReadonlySet<string> = new Set(["fraction", "ratio"]);
/** Rates that a key may write in two parts. */
const RATES: ReadonlySet<Dimension> = new Set<Dimension>(["speed", "flow"]);
/** Parts of keys that are words: `time_in_use`, `total_time`. */
const NO_KEYS: ReadonlySet<string> = new Set(["in", "time", "times", "a", "day", "mil", "d"]);

/** `C`, `degF`: a scale of temperature without its sign. */
function scaleNamed(written: string): Unit | undefined {
  const scale = /^(?:deg(?:rees)?[ _]?)?([cf])$/i.exec(written)?.[1];
  return scale === undefined ? undefined : unitNamed(`°${scale}`);
}

/** `°C`, `° C`, "degrees Celsius", "degrees C"; degrees alone may be of any scale. */
function degrees(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const [sign, scale] = [tokens[at], tokens[at + 1]];
  if (sign === undefined || unitNamed(sign.lower)?.name !== "°") return undefined;
  const unit = scale === undefined ? undefined : (scaleNamed(scale.lower) ?? unitNamed(scale.lower));
  return unit?.dimension === "temperature" ? { unit, next: at + 2 } : { unit: unitNamed("°")!, next: at + 1 };
}

function perCent(tokens: readonly Token[], at: number): UnitMatch | undefined {
  return tokens[at]?.lower === "per" && tokens[at + 1]?.lower === "cent"
    ? { unit: unitNamed("%")!, next: at + 2 }
    : undefined;
}

/** One unit by another: `km/h`, "metres per second", "litres a minute", `N/mm²`. */
function quotient(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const above = factor(tokens, at);
  const stroke = above === undefined ? undefined : tokens[above.next]?.lower;
  if (above === undefined || stroke === undefined || !PER.test(stroke)) return undefined;
  const below = factor(tokens, above.next + 1);
  if (below === undefined) return undefined;
  const [top, bottom] = [above.unit.dimension, below.unit.dimension] as const;
  const isShare = SHARES.has(top) && above.unit.name !== below.unit.name && /^(?:\/|per)$/.test(stroke);
  if ((top === bottom && !isShare) || NO_RATES.has(top)) return undefined;
  if (/^an?$/.test(stroke) && !/^(?:volume|length)\/time$/.test(`${top}/${bottom}`)) return undefined;
  const [dimension, times] = QUOTIENTS[`${top}/${bottom}`] ?? [`${top}/${bottom}` as Dimension, 1];
  const name = `${above.unit.name}/${below.unit.name}`;
  const size = (above.unit.factor / below.unit.factor) * times;
  return { unit: { dimension, factor: size, offset: 0, name, binary: above.unit.binary }, next: below.next };
}

const PER = /^(?:\/|per|an?|pro|por|par|na|на)$/;

/** What these are by the hour or by the day is told as how much, and how often. */
const NO_RATES: ReadonlySet<Dimension> = new Set<Dimension>(["money", "times"]);

/** What there is so much of in so much of the same: `mg/kg`, `ml/l`. */
const SHARES: ReadonlySet<Dimension> = new Set<Dimension>(["mass", "volume"]);

/** What a kilogram weighs, in newtons. */
const GRAVITY = 9.80665;

/** What one dimension by another is, and the factor to its base unit. */
const QUOTIENTS: Readonly<Record<string, readonly [Dimension, number]>> = {
  "length/time": ["speed", 1],
  "volume/time": ["flow", 1],
  "energy/time": ["power", 1],
  "force/area": ["pressure", 1],
  "mass/area": ["pressure", GRAVITY],
};

/** What makes a torque, and the factor to newton metres: "N m", "ft lb". */
const PRODUCTS: Readonly<Record<string, number>> = {
  force·length: 1,
  length·force: 1,
  mass·length: GRAVITY,
  length·mass: GRAVITY,
};

/** A unit, its square or cube, or a force times a length. */
function factor(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const single = areaOrVolume(tokens, at) ?? named(tokens, at);
  if (single === undefined) return undefined;
  const second = named(tokens, single.next);
  const gap = second === undefined ? 2 : tokens[single.next]!.start - tokens[single.next - 1]!.end;
  if (second === undefined || gap > 1) return single;
  const times = PRODUCTS[`${single.unit.dimension}·${second.unit.dimension}`];
  if (times === undefined) return single;
  const name = `${single.unit.name}·${second.unit.name}`;
  const size = single.unit.factor * second.unit.factor * times;
  return { unit: { dimension: "torque", factor: size, offset: 0, name, binary: 1 }, next: second.next };
}

function areaOrVolume(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const power = /^(?:square|sq)$/.test(tokens[at]?.lower ?? "")
    ? 2
    : /^(?:cubic|cu)$/.test(tokens[at]?.lower ?? "")
      ? 3
      : 0;
  if (power === 0) return undefined;
  const next = tokens[at + 1]?.text === "." ? at + 2 : at + 1;
  const length = unitNamed(tokens[next]?.text ?? "");
  const unit = length === undefined ? undefined : toPower(length, power);
  return unit === undefined ? undefined : { unit, next: next + 1 };
}

/** The longest name that begins here, of two words at most: "fluid ounces", "mega pascals". */
function named(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const [token, second] = [tokens[at], tokens[at + 1]];
  if (token === undefined || (token.kind !== "word" && token.kind !== "symbol")) return undefined;
  const joint = PREFIX_NAMES.has(token.lower) ? "" : " ";
  const long = second === undefined ? undefined : unitNamed(`${token.text}${joint}${second.text}`);
  if (long !== undefined) return { unit: long, next: at + 2 };
  const unit = unitNamed(token.text);
  return unit === undefined ? undefined : { unit, next: at + 1 };
}

/** Units that are words or letters of other uses too. */
const WORDS_TOO: ReadonlySet<string> = new Set(["in", "a", "time", "cent", "ha", "mil", "thou", "pt"]);
const ONLY_GLUED: ReadonlySet<string> = new Set(["d", "b", "x"]);

function endsClause(token: Token | undefined): boolean {
  return (
    token === undefined ||
    token.kind !== "word" ||
    /^(?:of|and|or|at|for|per|in|from|high|long|wide|deep|away|above|below|to|is|are)$/.test(token.lower)
  );
}
