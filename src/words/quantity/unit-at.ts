/** The unit behind a number, one token or several: `°C`, `km/h`, "litres per minute", "square metres". */
import type { Token } from "../tokens.js";
import { UNITS, type Unit } from "./units.js";

export interface UnitMatch {
  readonly unit: Unit;
  /** Index of the first token behind it. */
  readonly next: number;
}

export function unitAt(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const token = tokens[at];
  if (token === undefined || token.kind === "stop" || token.kind === "number") return undefined;
  return (
    degrees(tokens, at) ??
    areaOrVolume(tokens, at) ??
    quotient(tokens, at) ??
    perCent(tokens, at) ??
    simple(tokens, at)
  );
}

function named(name: string, next: number): UnitMatch | undefined {
  const unit = UNITS.get(name);
  return unit === undefined ? undefined : { unit, next };
}

/** `°C`, `° C`, "degrees Celsius", "degrees C"; degrees alone may be of any scale. */
function degrees(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const [sign, scale] = [tokens[at]!, tokens[at + 1]];
  if (!/^(?:[°º]|degrees?|grados?|grad|degrés?|stopni|градусів)$/.test(sign.lower)) return undefined;
  if (scale !== undefined && /^(?:c|celsius|centigrade)$/.test(scale.lower)) return named("°c", at + 2);
  if (scale !== undefined && /^(?:f|fahrenheit)$/.test(scale.lower)) return named("°f", at + 2);
  return named("°", at + 1);
}

function areaOrVolume(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const { lower } = tokens[at]!;
  const unit = UNITS.get(tokens[at + 1]?.lower ?? "");
  if (unit?.dimension !== "length") return undefined;
  if (lower === "square")
    return {
      unit: { ...unit, dimension: "area", factor: unit.factor ** 2, name: `${unit.name}²` },
      next: at + 2,
    };
  if (lower === "cubic")
    return {
      unit: { ...unit, dimension: "volume", factor: unit.factor ** 3, name: `${unit.name}³` },
      next: at + 2,
    };
  return undefined;
}

/** A length or a volume in a time: `km/h`, "metres per second", "litres a minute" is left to the reader. */
function quotient(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const [above, stroke, below] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (above === undefined || below === undefined || !["/", "per"].includes(stroke?.lower ?? ""))
    return undefined;
  const [top, time] = [UNITS.get(above.lower), UNITS.get(below.lower)];
  if (top === undefined || time?.dimension !== "time") return undefined;
  const dimension = top.dimension === "length" ? "speed" : top.dimension === "volume" ? "flow" : undefined;
  if (dimension === undefined) return undefined;
  const name = `${top.name}/${time.name}`;
  return { unit: { dimension, factor: top.factor / time.factor, system: top.system, name }, next: at + 3 };
}

function perCent(tokens: readonly Token[], at: number): UnitMatch | undefined {
  return tokens[at]!.lower === "per" && tokens[at + 1]?.lower === "cent"
    ? named("percent", at + 2)
    : undefined;
}

function simple(tokens: readonly Token[], at: number): UnitMatch | undefined {
  const token = tokens[at]!;
  const { lower, text } = token;
  const glued = tokens[at - 1]?.end === token.start;
  if (WORDS_TOO.has(lower) && !glued && !endsClause(tokens[at + 1])) return undefined;
  if (lower === "a" && text !== "A") return undefined;
  // "5 s" and "5 S" are seconds, but "mW" is not "MW", nor "mA" "MA".
  if (text === "mW")
    return { unit: { dimension: "power", factor: 0.001, system: "metric", name: "mW" }, next: at + 1 };
  return named(lower, at + 1);
}

/** Units that are words or letters of other uses too. */
const WORDS_TOO: ReadonlySet<string> = new Set(["in", "a", "time", "cent", "ha"]);

function endsClause(token: Token | undefined): boolean {
  return (
    token === undefined ||
    token.kind !== "word" ||
    /^(?:of|and|or|at|for|per|in|from|high|long|wide|deep|away|above|below|to|is|are)$/.test(token.lower)
  );
}
