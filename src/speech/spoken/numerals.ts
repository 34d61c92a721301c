/** Numbers as a language writes them (1,500 or 1.500 or 1 500; 2.5 or 2,5; 1½), and how they are said. */
import { FRACTION_SIGNS, fractionOf, SUPERSCRIPTS } from "../../words/quantity/written-number.js";
import {
  CARDINAL_DIGITS_MAX,
  type Fraction,
  type Gender,
  type GrammaticalCase,
  type SpokenLanguage,
} from "./language.js";
import { matchAt, wordBefore } from "./reader.js";

export interface WrittenNumeral {
  /** Digits without marks. */
  readonly whole: string;
  /** "" when none are written. */
  readonly decimals: string;
  readonly mark: "." | ",";
  readonly isGrouped: boolean;
  readonly fraction: Fraction | undefined;
  /** Of a power: whether it is times ten ("5 × 10⁸") or its own ("10⁸"), and the exponent. */
  readonly power?: { readonly isOfTen: boolean; readonly exponent: string };
  readonly end: number;
}

export interface Numerals {
  /** The number whose first digit is at `at`. */
  at(text: string, at: number): WrittenNumeral | undefined;
  /** Its words as they stand before a noun of this gender, or with nothing counted. */
  say(numeral: WrittenNumeral, gender: Gender | undefined, inCase: GrammaticalCase): string;
}

export function numeralsOf(language: SpokenLanguage): Numerals {
  const pattern = numberPattern(language, true);
  const unspaced = numberPattern(language, false);
  return {
    at(text, at) {
      const found = fractionAt(text, at, language) ?? raisedAt(text, plainAt(text, at, pattern, language));
      // "Gate 3 200 m ahead": a number that is a name ends at the space.
      if (found === undefined || !text.slice(at, found.end).includes(" ") || !isNamed(text, at, language))
        return found;
      return plainAt(text, at, unspaced, language);
    },
    say: (numeral, gender, inCase) => say(numeral, gender, inCase, language),
  };
}

/** Spaces that never end a line; everybody may write them between groups of three. */
const THIN_SPACES = "\u00a0\u202f\u2009";

/** Whether the word before makes a number a name: "gate 7", "§ 3". */
export function isNamed(text: string, at: number, { named }: SpokenLanguage): boolean {
  if (/[§#№]\s?$/.test(text.slice(Math.max(0, at - 2), at))) return true;
  let pattern = NAMED.get(named);
  if (pattern === undefined) {
    pattern = new RegExp(`^(?:${named})$`, "iu");
    NAMED.set(named, pattern);
  }
  return pattern.test(wordBefore(text, at));
}

const NAMED = new Map<string, RegExp>();

function numberPattern({ numbers }: SpokenLanguage, withSpaces: boolean): RegExp {
  const decimal = `\\${numbers.decimalMark}`;
  const foreign = numbers.decimalMark === "." ? "," : "\\.";
  const groups = [...numbers.groupMarks, ...(withSpaces ? " " : ""), ...THIN_SPACES].map((mark) => {
    const separator = mark === "." ? "\\." : mark;
    return `\\d{1,3}(?:${separator}\\d{3})+(?:${decimal}\\d+)?`;
  });
  const unmistakable = [`\\d{1,3}(?:${foreign}\\d{3})+${decimal}\\d+`, `\\d{1,3}(?:${foreign}\\d{3}){2,}`];
  const theirs = `\\d{1,3}(?:\\${numbers.decimalMark}\\d{3})+${foreign}\\d+`;
  const many = `\\d{1,3}(?:${decimal}\\d{3}){2,}`;
  const either = [...groups, ...unmistakable, theirs, many, "\\d+[.,]\\d+", "\\d+"].map(
    (form) => `${form}(?![.,]?\\d)`,
  );
  return new RegExp(either.join("|"), "y");
}

function plainAt(
  text: string,
  at: number,
  pattern: RegExp,
  { numbers }: SpokenLanguage,
): WrittenNumeral | undefined {
  const written = matchAt(pattern, text, at)?.[0];
  if (written === undefined) return undefined;
  const end = at + written.length;
  const mark = decimalMarkOf(written, numbers.decimalMark, numbers.groupMarks);
  const cut = mark === undefined ? written.length : written.lastIndexOf(mark);
  const whole = written.slice(0, cut);
  return {
    whole: whole.replace(/\D/g, ""),
    decimals: written.slice(cut + 1),
    mark: mark ?? numbers.decimalMark,
    isGrouped: /\D/.test(whole),
    fraction: undefined,
    end,
  };
}

const POWER = new RegExp(`( × 10)?(⁻?[${SUPERSCRIPTS}]{1,6})`, "uy");

/** The number with the power behind it. */
function raisedAt(text: string, numeral: WrittenNumeral | undefined): WrittenNumeral | undefined {
  const power = numeral === undefined ? undefined : matchAt(POWER, text, numeral.end);
  if (numeral === undefined || power === undefined) return numeral;
  const [written, ten, exponent = ""] = power;
  return { ...numeral, power: { isOfTen: ten !== undefined, exponent }, end: numeral.end + written.length };
}

/** The mark before the decimals; none when every mark parts groups of three. */
function decimalMarkOf(written: string, ownMark: "." | ",", groupMarks: string): "." | "," | undefined {
  const marks = written.match(/[.,]/g) ?? [];
  const last = marks.at(-1) as "." | "," | undefined;
  if (last === undefined) return undefined;
  if (marks.length > 1) return marks[0] === last ? undefined : last;
  if (last === ownMark) return last;
  const isGroup = groupMarks.includes(last) && /^\d{1,3}[.,]\d{3}$/.test(written) && !written.startsWith("0");
  return isGroup ? undefined : last;
}

const VULGAR_SIGN = `[${FRACTION_SIGNS}]`;

/** Parts that people name: anything else with a slash may be two numbers. */
const UNDER = "2|3|4|5|6|8|16|32|64";
/** "1/8th": the letters are said with the number. */
const SUFFIX = "(?:(?:rd|nd|th)s?(?![\\p{L}\\p{N}]))?";
const SINGLE = new RegExp(`(${VULGAR_SIGN})|(\\d{1,2})[/⁄](${UNDER})${SUFFIX}(?![\\d/.⁄-])`, "uy");
const MIXED = new RegExp(
  `(\\d{1,6})(?:[ \u00a0-]?(${VULGAR_SIGN})|[ \u00a0-](\\d{1,2})[/⁄](${UNDER})${SUFFIX}(?![\\d/.⁄-]))`,
  "uy",
);

function fractionAt(text: string, at: number, language: SpokenLanguage): WrittenNumeral | undefined {
  const mixed = matchAt(MIXED, text, at);
  const single = mixed === undefined ? matchAt(SINGLE, text, at) : undefined;
  const [written, whole, sign, over, under] =
    mixed ?? (single === undefined ? [] : [single[0], undefined, single[1], single[2], single[3]]);
  if (written === undefined) return undefined;
  const parts = sign === undefined ? ([Number(over), Number(under)] as const) : fractionOf(sign)!;
  if (parts[0] >= parts[1] || parts[0] === 0) return undefined;
  return {
    whole: whole ?? "0",
    decimals: "",
    mark: language.numbers.decimalMark,
    isGrouped: false,
    fraction: { whole, over: parts[0], under: parts[1] },
    end: at + written.length,
  };
}

/** Whether a voice reads it rightly as it stands: digits only, and none of them in vain. */
export function isPlain({ whole, decimals, isGrouped, fraction, power }: WrittenNumeral): boolean {
  return (
    decimals === "" &&
    power === undefined &&
    !isGrouped &&
    fraction === undefined &&
    whole.length <= CARDINAL_DIGITS_MAX &&
    !/^0\d/.test(whole)
  );
}

/** As `select` of `Intl.PluralRules`, which tells 1 from 1.0 by how it was made. */
export function pluralCategories(tag: string): (numeral: WrittenNumeral) => Intl.LDMLPluralRule {
  const whole = new Intl.PluralRules(tag);
  const decimal = new Intl.PluralRules(tag, { minimumFractionDigits: 1 });
  return (numeral) => {
    const { decimals, fraction, power } = numeral;
    if (power !== undefined) return "many";
    if (fraction !== undefined) return fraction.whole === undefined ? "one" : "other";
    // CLDR leaves "1,0" in the singular; whoever says the zero in Spanish says a plural.
    if (decimals !== "" && tag === "es") return "other";
    if (decimals !== "") return decimal.select(Number(`${numeral.whole}.${decimals}`));
    return whole.select(Number(numeral.whole));
  };
}

function say(
  numeral: WrittenNumeral,
  gender: Gender | undefined,
  inCase: GrammaticalCase,
  language: SpokenLanguage,
): string {
  const { numbers, signs } = language;
  const { whole, decimals, mark, fraction, power } = numeral;
  if (power !== undefined) {
    const { power: _, ...base } = numeral;
    const digits = [...power.exponent.replace("⁻", "")].map((digit) => SUPERSCRIPTS.indexOf(digit)).join("");
    return [
      say(base, undefined, "nominative", language),
      ...(power.isOfTen ? [signs.times, numbers.count("10")] : []),
      signs.power,
      ...(power.exponent.startsWith("⁻") ? [signs.minus] : []),
      numbers.count(String(Number(digits))),
    ].join(" ");
  }
  if (fraction !== undefined) return numbers.fraction(fraction, undefined);
  if (decimals === "")
    return isReadOut(whole)
      ? digitByDigit(whole, numbers)
      : gender === undefined && inCase === "nominative"
        ? numbers.count(whole)
        : numbers.cardinal(whole, gender ?? "m", inCase);
  const special = isReadOut(whole) ? undefined : numbers.decimal?.(whole, decimals, inCase);
  if (special !== undefined) return special;
  const before = isReadOut(whole) ? digitByDigit(whole, numbers) : numbers.count(whole);
  // Before a unit it is a decimal, whichever mark was used; elsewhere it may be a section or a version.
  const isPrinted = gender === undefined || decimals.length === 3;
  const point = numbers.decimalWords[isPrinted ? mark : numbers.decimalMark];
  return `${before} ${point} ${decimalsWords(decimals, numbers)}`;
}

/** Decimals that are said as one number, at most. */
const GROUP_DIGITS_MAX = 3;

function decimalsWords(decimals: string, numbers: SpokenLanguage["numbers"]): string {
  if (numbers.decimals === "digits" || decimals.length > GROUP_DIGITS_MAX)
    return digitByDigit(decimals, numbers);
  const zeros = /^0*/.exec(decimals)![0].length;
  const rest = decimals.slice(zeros);
  return [
    ...Array<string>(zeros).fill(numbers.count("0")),
    ...(rest === "" ? [] : [numbers.count(rest)]),
  ].join(" ");
}

function isReadOut(digits: string): boolean {
  return digits.length > CARDINAL_DIGITS_MAX || /^0\d/.test(digits);
}

/** Digits that a listener can hold before a pause. */
const GROUP_MAX = 4;

/** Digits one by one, with a pause after each three where there are many. */
export function digitByDigit(digits: string, numbers: SpokenLanguage["numbers"]): string {
  const words = [...digits].map((digit) => numbers.count(digit));
  if (words.length <= GROUP_MAX) return words.join(" ");
  const groups: string[] = [];
  let at = 0;
  while (words.length - at > GROUP_MAX) {
    groups.push(words.slice(at, at + 3).join(" "));
    at += 3;
  }
  groups.push(words.slice(at).join(" "));
  return groups.join(", ");
}
