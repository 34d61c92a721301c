/** Numbers as they are written and spoken: `1,600.5`, `½`, "twenty-five", "two point five", "one one two", "3rd". */
import { isNumbered } from "../labels.js";
import { germanCompound, NUMBER_WORDS, type NumberWords } from "../number-words.js";
import type { Language } from "../polarity.js";
import { type Token, WORD_CHARS_MAX } from "../tokens.js";
import { unitAt } from "./unit-at.js";
import { fractionOf } from "./written-number.js";

/** Words, or groups of digits, of one number. */
const PARTS_MAX = 24;

export interface Numeral {
  readonly value: number;
  /** Half a unit of the last place as written: a rounded value stands for what lies within. 0 where it is exact. */
  readonly place: number;
  readonly form: "digits" | "words" | "ordinal" | "spelled";
  /** Index of the first token behind it. */
  readonly next: number;
}

/** The number that begins at token `at`. "a" and "an" are numbers only before a multiplier, such as "a hundred". */
export function numeralAt(
  tokens: readonly Token[],
  at: number,
  language: Language = "en",
): Numeral | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const words = NUMBER_WORDS[language];
  const base = token.kind === "number" ? digitsAt(tokens, at, language) : wordsAt(tokens, at, words);
  return base === undefined
    ? symbolAt(token, at)
    : withHalf(tokens, withMultiplier(tokens, base, words), words);
}

function symbolAt(token: Token, at: number): Numeral | undefined {
  const value = signValue(token);
  return value === undefined ? undefined : exactly(value, "digits", at + 1);
}

function signValue(token: Token | undefined): number | undefined {
  const fraction = fractionOf(token?.text ?? "");
  return fraction === undefined ? undefined : fraction[0] / fraction[1];
}

function digitsAt(tokens: readonly Token[], at: number, language: Language): Numeral | undefined {
  const { text, end } = tokens[at]!;
  const spaced = spacedAt(tokens, at);
  if (spaced !== undefined) return spaced;
  if (text.includes(":") || text.length > WORD_CHARS_MAX) return undefined;
  const plain = plainDigits(text, language);
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  const [mantissa = "", exponent = "0"] = plain.split("e");
  const decimals = mantissa.split(".")[1]?.length ?? 0;
  const place = 0.5 * 10 ** (Number(exponent) - decimals);
  const follower = tokens[at + 1];
  if (follower?.start === end && ORDINAL_SUFFIX.test(follower.lower))
    return { value, place, form: "ordinal", next: at + 2 };
  return strokeAt(tokens, at) ?? { value, place, form: "digits", next: at + 1 };
}

/** Parts that people name; below another number a stroke may part anything. */
const PARTS_OF_WHOLE: ReadonlySet<number> = new Set([
  2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64,
]);

/** `3/8`, `1/8th`. */
function strokeAt(tokens: readonly Token[], at: number): Numeral | undefined {
  const [over, stroke, under, suffix] = [0, 1, 2, 3].map((i) => tokens[at + i]);
  if (stroke?.text !== "/" || over?.end !== stroke.start) return undefined;
  if (!/^\d+$/.test(over.text) || !/^\d+$/.test(under?.text ?? "")) return undefined;
  const [above, below] = [Number(over.text), Number(under!.text)];
  if (below <= above || !PARTS_OF_WHOLE.has(below)) return undefined;
  const isSaid = suffix?.start === under!.end && /^(?:rd|nd|th)s?$/.test(suffix.lower);
  return exactly(above / below, "digits", at + (isSaid ? 4 : 3));
}

/** `12 500 kg`: a blank groups thousands where a unit stands behind, and no name is numbered ("gate 3 200 m ahead"). */
function spacedAt(tokens: readonly Token[], at: number): Numeral | undefined {
  if (!/^[1-9]\d{0,2}$/.test(tokens[at]!.text) || isNumbered(tokens[at - 1]?.lower)) return undefined;
  let [digits, next] = [tokens[at]!.text, at + 1];
  for (; next - at < PARTS_MAX && tokens[next]?.start === tokens[next - 1]!.end + 1; next++) {
    const [group, decimals] = tokens[next]!.text.split(/[.,]/);
    if (!/^\d{3}$/.test(group!)) break;
    digits += tokens[next]!.text.replace(",", ".");
    if (decimals !== undefined) {
      next += 1;
      break;
    }
  }
  if (next === at + 1 || unitAt(tokens, next) === undefined) return undefined;
  const decimals = digits.split(".")[1]?.length ?? 0;
  return { value: Number(digits), place: 0.5 * 10 ** -decimals, form: "digits", next };
}

const ORDINAL_SUFFIX = /^(?:st|nd|rd|th)$/;

const GROUPS_BY_POINT: ReadonlySet<Language> = new Set<Language>(["de", "es", "fr"]);

/** Separators of thousands out, a full stop for the decimal mark: `1.600` is 1600 in German, `1,600` in English. */
function plainDigits(text: string, language: Language): string {
  const isGroupedByPoint = GROUPS_BY_POINT.has(language) && /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(text);
  if (isGroupedByPoint) return text.replaceAll(".", "");
  const isGroupedByComma = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  if (isGroupedByComma && (language === "en" || !/^\d+,\d+$/.test(text))) return text.replaceAll(",", "");
  if (/^\d{1,3}(?:['’]\d{3})+$/.test(text)) return text.replace(/['’]/g, "");
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(text) || /^\d{1,3}(?:\.\d{3})+,\d+$/.test(text))
    return text.replaceAll(".", "").replace(",", ".");
  return text.replace(",", ".");
}

/** Whether a word may be part of a spoken number; most are not, which makes extraction cheap. */
export function isNumberWord(lower: string, language: Language = "en"): boolean {
  return isPart(lower, NUMBER_WORDS[language]);
}

function isPart(lower: string, { small, tens, hundreds, multipliers, ordinals }: NumberWords): boolean {
  return [small, tens, hundreds, multipliers, ordinals].some((words) => words.has(lower));
}

function wordsAt(tokens: readonly Token[], at: number, words: NumberWords): Numeral | undefined {
  const first = tokens[at]!.lower;
  const compound = words === NUMBER_WORDS.de ? germanCompound(first) : undefined;
  if (compound !== undefined) return exactly(compound, "words", at + 1);
  const { articles, hundreds, multipliers, ordinals, small, tens } = words;
  const ordinal = ordinals.get(first);
  const fraction = words.fractions.get(first);
  if (fraction !== undefined) return exactly(fraction, "words", at + 1);
  if (ordinal !== undefined) return exactly(ordinal, "ordinal", at + 1);
  if ((first === "a" || first === "an") && multipliers.has(tokens[at + 1]?.lower ?? ""))
    return sum(tokens, at + 1, 1, words);
  if (multipliers.has(first)) return sum(tokens, at, 1, words);
  if (articles.has(first) || !(small.has(first) || tens.has(first) || hundreds.has(first))) return undefined;
  return spelled(tokens, at, words) ?? sum(tokens, at, 0, words);
}

function exactly(value: number, form: Numeral["form"], next: number): Numeral {
  return { value, place: 0, form, next };
}

/** Three digits or more, one by one: a number that is dialled or read out, not counted. */
function spelled(tokens: readonly Token[], at: number, { small }: NumberWords): Numeral | undefined {
  let next = at;
  let digits = "";
  for (; next < Math.min(tokens.length, at + PARTS_MAX); next++) {
    const { lower } = tokens[next]!;
    const digit = lower === "oh" && digits !== "" ? 0 : small.get(lower);
    if (digit === undefined || digit > 9) break;
    digits += digit;
  }
  return digits.length >= 3 ? exactly(Number(digits), "spelled", next) : undefined;
}

function sum(tokens: readonly Token[], at: number, start: number, words: NumberWords): Numeral | undefined {
  let [total, group, next] = [0, start, at];
  let seen: NumeralPart = "none";
  for (; next < Math.min(tokens.length, at + PARTS_MAX); next++) {
    const { lower } = tokens[next]!;
    const multiplier = words.multipliers.get(lower);
    const part = partAt(lower, group, seen, words);
    if (part !== undefined) [group, seen] = part;
    else if (words.tens.get(lower) !== undefined && (group === 19 || group === 20) && total === 0)
      [group, seen] = [group * 100 + words.tens.get(lower)!, "tens"];
    else if (multiplier !== undefined) {
      group = Math.max(group, 1) * multiplier;
      if (multiplier >= 1_000) [total, group] = [total + group, 0];
      seen = "multiplier";
    } else {
      const [joiner, behind] = words.joiner;
      if (lower !== joiner || seen !== behind || !isPart(tokens[next + 1]?.lower ?? "", words)) break;
    }
  }
  const whole: Numeral = { value: total + group, place: 0.5, form: "words", next };
  return tokens[next]?.lower === words.point ? withPoint(tokens, whole, words) : whole;
}

type NumeralPart = "none" | "small" | "tens" | "multiplier";

/** The group with one more word, and what that was; undefined where the word does not go on with it. */
function partAt(
  lower: string,
  group: number,
  seen: NumeralPart,
  { byTwenties, hundreds, small, tens }: NumberWords,
): [group: number, seen: NumeralPart] | undefined {
  const [one, ten, hundred] = [small.get(lower), tens.get(lower), hundreds.get(lower)];
  const isAdded = seen !== "small" && seen !== "tens";
  if (one !== undefined && (isAdded || (seen === "tens" && (one < 10 || byTwenties))))
    return [group + one, "small"];
  if (hundred !== undefined && isAdded && group === 0) return [group + hundred, "multiplier"];
  if (ten === undefined) return undefined;
  if (byTwenties && ten === 20 && group % 100 === 4 && seen === "small") return [group + 76, "tens"];
  return isAdded || (byTwenties && ten === 10 && seen === "tens") ? [group + ten, "tens"] : undefined;
}

function withPoint(tokens: readonly Token[], whole: Numeral, { small }: NumberWords): Numeral {
  let next = whole.next + 1;
  let digits = "";
  for (; next < tokens.length && (small.get(tokens[next]!.lower) ?? 10) < 10; next++)
    digits += small.get(tokens[next]!.lower);
  if (digits === "") return whole;
  return { ...whole, value: whole.value + Number(`0.${digits}`), place: 0.5 * 10 ** -digits.length, next };
}

/** `3.5 million`, `2 dozen`. */
function withMultiplier(tokens: readonly Token[], numeral: Numeral, words: NumberWords): Numeral {
  const factor = words.multipliers.get(tokens[numeral.next]?.lower ?? "");
  if (factor === undefined || numeral.form !== "digits") return numeral;
  const { next, place, value } = numeral;
  return { ...numeral, value: value * factor, place: place * factor, next: next + 1 };
}

/** `two and a half`, `2½`, `2 1/2`. */
function withHalf(tokens: readonly Token[], numeral: Numeral, { andParts }: NumberWords): Numeral {
  const { form, next, value } = numeral;
  const symbol = signValue(tokens[next]);
  if (symbol !== undefined) return { ...numeral, value: value + symbol, next: next + 1 };
  const isMixed =
    form === "digits" && Number.isInteger(value) && tokens[next]?.start === tokens[next - 1]!.end + 1;
  const stroke = isMixed ? strokeAt(tokens, next) : undefined;
  if (stroke !== undefined) return { ...stroke, value: value + stroke.value };
  const said = [0, 1, 2].map((i) => tokens[next + i]?.lower).join(" ");
  const part =
    form === "ordinal" ? undefined : andParts.find(([words]) => `${said} `.startsWith(`${words} `));
  if (part === undefined) return numeral;
  return { ...numeral, value: value + part[1], place: 0, next: next + part[0].split(" ").length };
}
