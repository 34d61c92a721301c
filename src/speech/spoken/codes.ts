/**
 * Names made of letters and digits (E-47, AB-1234, IP67, M8x1.25, UN 1203), numbers that are dialled or read out, and
 * versions. Letters come apart; up to two digits are a number, more are read one by one.
 */
import { pattern } from "../../lib/pattern.js";
import type { SpokenLanguage } from "./language.js";
import { digitByDigit } from "./numerals.js";
import { matchAt, type Reader, wordsBefore } from "./reader.js";
import type { UnitLexicon } from "./units.js";

/** Letters and digits in one run, with the marks that stand inside of names. */
const NAME = /[\p{L}\p{Nd}\p{M}]{1,256}(?:(?:[-–/_+#]|[.×:,](?=\d))[\p{L}\p{Nd}]{1,256}){0,15}/uy;
/** A number before a word of the language, "3-phase", which every voice can read. */
const WORDY = /^\d+-\p{Ll}{2,}(?:-\p{Ll}+)*$|^\d{1,3}0s$/u;
const PART = /\d+|[\p{L}\p{M}]+|[^\p{L}\p{M}\d]+/gu;

export function codeReader(language: SpokenLanguage): Reader {
  return (text, at) => {
    const written = matchAt(NAME, text, at)?.[0];
    if (written === undefined || !/\d/.test(written)) return undefined;
    if (WORDY.test(written)) return { words: written, end: at + written.length };
    if (/^\d+$/.test(written)) return undefined;
    return { words: sayCode(written, language), end: at + written.length };
  };
}

function sayCode(written: string, language: SpokenLanguage): string {
  const { numbers, signs } = language;
  if (/^\d+(?:,\d+)+$/.test(written))
    return written
      .split(",")
      .map((part) => sayDigits(part, numbers))
      .join(", ");
  const parts = written.match(PART)!;
  const words = parts.map((part, index) => {
    const [last, next] = [parts[index - 1] ?? "", parts[index + 1] ?? ""];
    const isBetweenDigits = /\d$/.test(last) && /^\d/.test(next);
    if (/^\d/.test(part))
      return /^[.,]$/.test(last) && numbers.decimals === "digits"
        ? digitByDigit(part, numbers)
        : sayDigits(part, numbers);
    if (isBetweenDigits && /^[xх×]$/u.test(part)) return signs.by;
    if (isBetweenDigits && /^[.,]$/.test(part)) return part === "." ? signs.point : numbers.decimalWords[","];
    if (part === "/") return signs.slash;
    if (part === "+") return signs.plus;
    if (isBetweenDigits && !/\p{L}/u.test(part)) return ",";
    return /^\p{L}/u.test(part) ? lettersApart(part, language) : "";
  });
  return words
    .filter((word) => word !== "")
    .join(" ")
    .replaceAll(" ,", ",");
}

/** Words are read as such from this many letters on. */
const WORD_LETTERS_MIN = 4;

/** "AB" as "A B"; what can be pronounced stays a word. */
export function lettersApart(letters: string, { vowels }: SpokenLanguage): string {
  const isShort = letters.length < WORD_LETTERS_MIN;
  if (!/^\p{Lu}+$/u.test(letters)) return letters;
  const isWord =
    new RegExp(`[${vowels}]`, "iu").test(letters) && !new RegExp(`[^${vowels}]{4}`, "iu").test(letters);
  return isShort || !isWord ? [...letters].join(" ") : letters;
}

/** Digits of a name that are said as one number. */
const NAME_NUMBER_DIGITS_MAX = 2;

function sayDigits(digits: string, numbers: SpokenLanguage["numbers"]): string {
  return digits.length <= NAME_NUMBER_DIGITS_MAX && !/^0\d/.test(digits)
    ? numbers.count(digits)
    : digitByDigit(digits, numbers);
}

/** Fewest digits behind a word such as "call" that are dialled: "call 2 colleagues" counts. */
const DIALLED_DIGITS_MIN = 3;
const DIALLED = /\+?\(?\d{1,32}(?:\)?(?: ?[-–/] ?|[ \u00a0.])?\(?\d{1,32}){0,11}/uy;
/** Numbers that are telephone numbers wherever they stand. */
const TELEPHONE = pattern("uy")`
  \+\d{1,3}(?:[ \u00a0]?(?:\(\d{1,5}\)|[-./]?\d{1,15})){1,8}|\(\d{2,5}\) ?\d{2,}
  (?:[- .]\d{2,}){0,4}|\d{3}([-.])\d{3}\1\d{4}|1-\d{3}-\d{3}-\d{4}
  |0\d{1,4}(?:([ .-])\d{2,4})(?:\2\d{2,4}){2,4}
`;

/** Numbers that are dialled or read out: telephones, emergency numbers, serial numbers, goods by their UN number. */
export function dialledReader(language: SpokenLanguage, units: UnitLexicon): Reader {
  const context = new RegExp(
    `(?<![\\p{L}])(?:${language.dialled})(?:[ :]+(?:[\\p{L}'’]+[ :]*)?)?[(]?$`,
    "iu",
  );
  return (text, at) => {
    const telephone = matchAt(TELEPHONE, text, at)?.[0];
    if (
      telephone !== undefined &&
      !/[\p{L}\p{N}]/u.test(text[at + telephone.length] ?? "") &&
      countDigits(telephone) >= 7
    )
      return { words: sayGroups(telephone, language), end: at + telephone.length };
    const number = matchAt(DIALLED, text, at)?.[0];
    if (number === undefined || countDigits(number) < DIALLED_DIGITS_MIN) return undefined;
    const end = at + number.length;
    if (/[\p{L}_]/u.test(text[end] ?? "") || units.at(text, text[end] === " " ? end + 1 : end) !== undefined)
      return undefined;
    if (!context.test(`${wordsBefore(text, at)} `)) return undefined;
    return { words: sayGroups(number, language), end };
  };
}

function countDigits(text: string): number {
  return text.replace(/\D/g, "").length;
}

function sayGroups(number: string, { numbers, signs }: SpokenLanguage): string {
  const groups = number.match(/\d+/g)!.map((group) => digitByDigit(group, numbers));
  return (number.startsWith("+") ? `${signs.plus} ` : "") + groups.join(", ");
}

const GOODS = /(UN|NA|ID) ?(\d{4})(?![\p{L}\p{N}]|[.,]\d)/uy;

/** Dangerous goods by number: "UN 1203". */
export function goodsReader(language: SpokenLanguage): Reader {
  return (text, at) => {
    const match = matchAt(GOODS, text, at);
    if (match === undefined) return undefined;
    const words = `${[...match[1]!].join(" ")} ${digitByDigit(match[2]!, language.numbers)}`;
    return { words, end: at + match[0].length };
  };
}

const DOTTED = /\d+(?:\.\d+)+(?![\p{L}\p{N}])/uy;

/** Versions and numbers of sections: parts with a point between them, none of which is a decimal. */
export function versionReader(language: SpokenLanguage): Reader {
  const context = new RegExp(`(?<![\\p{L}])(?:${language.versions})[. ]*$`, "iu");
  const sign = /v\.? ?(?=\d+\.\d)/iuy;
  return (text, at) => {
    const letter = matchAt(sign, text, at)?.[0];
    const start = at + (letter?.length ?? 0);
    const written = matchAt(DOTTED, text, start)?.[0];
    if (written === undefined) return undefined;
    const parts = written.split(".");
    if (isThousands(parts)) return undefined;
    if (parts.length === 2 && letter === undefined && !context.test(text.slice(Math.max(0, at - 24), at)))
      return undefined;
    const said = parts.map((part) => sayDigits(part, language.numbers)).join(` ${language.signs.point} `);
    const words = letter === undefined ? said : `${language.signs.version} ${said}`;
    return { words, end: start + written.length };
  };
}

/** "1.000.000" is a million, but "192.168.100.200" an address. */
function isThousands(parts: readonly string[]): boolean {
  const isAddress = parts.length === 4 && parts.every((part) => Number(part) < 256);
  return (
    parts.length > 2 &&
    !isAddress &&
    /^\d{1,3}$/.test(parts[0]!) &&
    parts.slice(1).every((part) => part.length === 3)
  );
}
