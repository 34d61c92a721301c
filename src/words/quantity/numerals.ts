/** Numbers as they are written and spoken: `1,600.5`, `½`, "twenty-five", "two point five", "one one two", "3rd". */
import { type Token, WORD_CHARS_MAX } from "../tokens.js";

export interface Numeral {
  readonly value: number;
  /** Half a unit of the last place as printed: a rounded value stands for what lies within. */
  readonly halfLastPlace: number;
  /** As `halfLastPlace`, with zeros at the end of a whole number taken for rounding. */
  readonly halfLastDigit: number;
  readonly form: "digits" | "words" | "ordinal" | "spelled" | "article";
  /** Index of the first token behind it. */
  readonly next: number;
}

/** The number that begins at token `at`. "a" and "an" are numbers only before a multiplier, such as "a hundred". */
export function numeralAt(tokens: readonly Token[], at: number): Numeral | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const base = token.kind === "number" ? digitsAt(tokens, at) : wordsAt(tokens, at);
  return base === undefined ? symbolAt(token, at) : withHalf(tokens, withMultiplier(tokens, base));
}

const SYMBOLS: Readonly<Record<string, number>> = { "½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3 };

function symbolAt(token: Token, at: number): Numeral | undefined {
  const value = SYMBOLS[token.text];
  if (value === undefined) return undefined;
  return { value, halfLastPlace: 0, halfLastDigit: 0, form: "digits", next: at + 1 };
}

function digitsAt(tokens: readonly Token[], at: number): Numeral | undefined {
  const { text, end } = tokens[at]!;
  if (text.includes(":") || text.length > WORD_CHARS_MAX) return undefined;
  const plain = plainDigits(text);
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  const decimals = plain.includes(".") ? plain.length - plain.indexOf(".") - 1 : 0;
  const halfLastPlace = 0.5 * 10 ** -decimals;
  const zeros = decimals === 0 && value !== 0 ? (/(?<!0)0*$/.exec(plain)?.[0].length ?? 0) : 0;
  const halfLastDigit = halfLastPlace * 10 ** zeros;
  const follower = tokens[at + 1];
  if (follower?.start === end && ORDINAL_SUFFIX.test(follower.lower))
    return { value, halfLastPlace, halfLastDigit, form: "ordinal", next: at + 2 };
  if (follower?.text === "/" && /^\d+$/.test(tokens[at + 2]?.text ?? "") && follower.start === end) {
    const below = Number(tokens[at + 2]!.text);
    if (below > value && below <= 16)
      return { value: value / below, halfLastPlace: 0, halfLastDigit: 0, form: "digits", next: at + 3 };
  }
  return { value, halfLastPlace, halfLastDigit, form: "digits", next: at + 1 };
}

const ORDINAL_SUFFIX = /^(?:st|nd|rd|th)$/;

/** Separators of thousands out, a full stop for the decimal mark. `1.600` is read as it is in English. */
function plainDigits(text: string): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return text.replaceAll(",", "");
  if (/^\d{1,3}(?:['’]\d{3})+$/.test(text)) return text.replace(/['’]/g, "");
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(text) || /^\d{1,3}(?:\.\d{3})+,\d+$/.test(text))
    return text.replaceAll(".", "").replace(",", ".");
  return text.replace(",", ".");
}

const SMALL: ReadonlyMap<string, number> = new Map(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
    "seventeen eighteen nineteen"
  )
    .split(" ")
    .map((word, value) => [word, value]),
);
const TENS: ReadonlyMap<string, number> = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, i) => [word, 20 + 10 * i]),
);
const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1_000],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
  ["dozen", 12],
]);
const ORDINALS: ReadonlyMap<string, number> = new Map(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
    .split(" ")
    .map((word, i) => [word, i + 1]),
);

/** Whether a word may be part of a spoken number; most are not, which makes extraction cheap. */
export function isNumberWord(lower: string): boolean {
  return SMALL.has(lower) || TENS.has(lower) || MULTIPLIERS.has(lower) || ORDINALS.has(lower);
}

function wordsAt(tokens: readonly Token[], at: number): Numeral | undefined {
  const first = tokens[at]!.lower;
  const ordinal = ORDINALS.get(first);
  if (ordinal !== undefined) return exactly(ordinal, "ordinal", at + 1);
  if ((first === "a" || first === "an") && MULTIPLIERS.has(tokens[at + 1]?.lower ?? ""))
    return sum(tokens, at + 1, 1);
  if (MULTIPLIERS.has(first)) return sum(tokens, at, 1);
  if (!SMALL.has(first) && !TENS.has(first)) return undefined;
  return spelled(tokens, at) ?? sum(tokens, at, undefined);
}

function exactly(value: number, form: Numeral["form"], next: number): Numeral {
  return { value, halfLastPlace: 0, halfLastDigit: 0, form, next };
}

/** Three digits or more, one by one: a number that is dialled or read out, not counted. */
function spelled(tokens: readonly Token[], at: number): Numeral | undefined {
  let next = at;
  let digits = "";
  for (; next < tokens.length; next++) {
    const { lower } = tokens[next]!;
    const digit = lower === "oh" && digits !== "" ? 0 : SMALL.get(lower);
    if (digit === undefined || digit > 9) break;
    digits += digit;
  }
  return digits.length >= 3 ? exactly(Number(digits), "spelled", next) : undefined;
}

function sum(tokens: readonly Token[], at: number, start: number | undefined): Numeral | undefined {
  let [total, group, next] = [0, start ?? 0, at];
  let seen: "none" | "small" | "tens" | "multiplier" = "none";
  for (; next < tokens.length; next++) {
    const { lower } = tokens[next]!;
    const [small, tens, multiplier] = [SMALL.get(lower), TENS.get(lower), MULTIPLIERS.get(lower)];
    if (small !== undefined && seen !== "small" && (seen !== "tens" || small < 10)) {
      group += small;
      seen = "small";
    } else if (tens !== undefined && seen !== "small" && seen !== "tens") {
      group += tens;
      seen = "tens";
    } else if (tens !== undefined && (group === 19 || group === 20) && total === 0) {
      group = group * 100 + tens;
      seen = "tens";
    } else if (multiplier !== undefined) {
      group = Math.max(group, 1) * multiplier;
      if (multiplier >= 1_000) [total, group] = [total + group, 0];
      seen = "multiplier";
    } else if (!(lower === "and" && seen === "multiplier" && isNumberWord(tokens[next + 1]?.lower ?? "")))
      break;
  }
  const whole = exactly(total + group, "words", next);
  return tokens[next]?.lower === "point" ? withPoint(tokens, whole) : whole;
}

function withPoint(tokens: readonly Token[], whole: Numeral): Numeral {
  let next = whole.next + 1;
  let digits = "";
  for (; next < tokens.length && (SMALL.get(tokens[next]!.lower) ?? 10) < 10; next++)
    digits += SMALL.get(tokens[next]!.lower);
  if (digits === "") return whole;
  const half = 0.5 * 10 ** -digits.length;
  return {
    ...whole,
    value: whole.value + Number(`0.${digits}`),
    halfLastPlace: half,
    halfLastDigit: half,
    next,
  };
}

/** `3.5 million`, `2 dozen`. */
function withMultiplier(tokens: readonly Token[], numeral: Numeral): Numeral {
  const factor = MULTIPLIERS.get(tokens[numeral.next]?.lower ?? "");
  if (factor === undefined || numeral.form !== "digits") return numeral;
  return {
    ...numeral,
    value: numeral.value * factor,
    halfLastPlace: numeral.halfLastPlace * factor,
    halfLastDigit: numeral.halfLastDigit * factor,
    next: numeral.next + 1,
  };
}

/** `two and a half`, `2½`. */
function withHalf(tokens: readonly Token[], numeral: Numeral): Numeral {
  const { next } = numeral;
  const symbol = SYMBOLS[tokens[next]?.text ?? ""];
  if (symbol !== undefined) return { ...numeral, value: numeral.value + symbol, next: next + 1 };
  const words = [0, 1, 2].map((i) => tokens[next + i]?.lower).join(" ");
  if (words === "and a half" && numeral.form !== "ordinal")
    return { ...numeral, value: numeral.value + 0.5, halfLastPlace: 0, halfLastDigit: 0, next: next + 3 };
  if (words === "and a quarter" && numeral.form !== "ordinal")
    return { ...numeral, value: numeral.value + 0.25, halfLastPlace: 0, halfLastDigit: 0, next: next + 3 };
  return numeral;
}
