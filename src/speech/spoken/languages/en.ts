/** English. */
import { toCardinal, toOrdinal } from "n2words/en-US";
import {
  type CalendarDate,
  type ClockTime,
  type Fraction,
  mapNoun,
  type Noun,
  nounInS,
  type SpokenLanguage,
} from "../language.js";
import { spokenWords } from "../words.js";

const cardinal = (digits: string | number) => toCardinal(String(digits));
const ordinalOf = (digits: string | number) => toOrdinal(String(digits));

const WORDS = spokenWords("en", nounInS);

const PARTS: Readonly<Record<number, readonly [string, string]>> = {
  2: ["half", "halves"],
  4: ["quarter", "quarters"],
};

function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const [one, many] = PARTS[under] ?? [ordinalOf(under), `${ordinalOf(under)}s`];
  const part = `${cardinal(over)} ${over === 1 ? one : many}`;
  if (whole !== undefined) {
    const mixed = `${cardinal(whole)} and ${over === 1 && under in PARTS ? `a ${one}` : part}`;
    return of === undefined ? mixed : `${mixed} ${of.other}`;
  }
  if (of === undefined) return part;
  const article = /^[aeio]|^hour/i.test(of.one) ? "an" : "a";
  return over === 1 && under === 2 ? `half ${article} ${of.one}` : `${part} of ${article} ${of.one}`;
}

/** The hour as it is said on a radio: "fourteen thirty", "nine oh five", "fourteen hundred". */
function clock({ hour, minute, second, half }: ClockTime): string {
  const halfWords = half === undefined ? "" : half === "am" ? " A M" : " P M";
  const onTheHour = half !== undefined ? "" : hour > 12 || hour === 0 ? " hundred" : " o'clock";
  const minutes = minute === 0 ? onTheHour : minute < 10 ? ` oh ${cardinal(minute)}` : ` ${cardinal(minute)}`;
  const seconds =
    second === undefined ? "" : ` and ${cardinal(second)} ${second === 1 ? "second" : "seconds"}`;
  return `${cardinal(hour)}${minutes}${seconds}${halfWords}`;
}

const MONTHS = WORDS.months.map((names) => names.split("|")[0]!);

function yearWords(year: string): string {
  const value = Number(year);
  const [century, rest] = [Math.floor(value / 100), value % 100];
  if (year.length < 4 || value % 1000 < 10) return cardinal(value);
  const behind = rest === 0 ? "hundred" : rest < 10 ? `oh ${cardinal(rest)}` : cardinal(rest);
  return `${cardinal(century)} ${behind}`;
}

function date({ day, month, year, order }: CalendarDate, before: string): string {
  const name = MONTHS[month - 1]!;
  const behind = year === undefined ? "" : ` ${yearWords(year)}`;
  if (order === "month first") return `${name} ${ordinalOf(day)}${behind.replace(" ", ", ")}`;
  return `${/(?:^|\s)the$/.test(before) ? "" : "the "}${ordinalOf(day)} of ${name}${behind}`;
}

export const ENGLISH: SpokenLanguage = {
  ...WORDS,
  tag: "en",
  numbers: {
    groupMarks: ",",
    decimalMark: ".",
    decimalWords: { ".": "point", ",": "comma" },
    decimals: "digits",
    cardinal,
    count: cardinal,
    fraction,
  },
  range: { opening: "", between: "to", inCase: "nominative" },
  cases: [],
  prefixed: (prefix, name) =>
    name.startsWith("ohm") ? `${prefix.replace(/[oa]$/, "")}${name}` : prefix + name,
  squared: (of) => mapNoun(of, (form) => `square ${form}`),
  cubed: (of) => mapNoun(of, (form) => `cubic ${form}`),
  clock,
  clockRange: (from, to) => `${clock(from)} to ${clock(to)}`,
  date,
  ordinal: (digits) => (Number(digits) > 0 ? ordinalOf(digits) : undefined),
};
