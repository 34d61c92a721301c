/** German. */

import { toCardinal, toOrdinal } from "n2words/de-DE";
import { pattern } from "../../../lib/pattern.js";
import {
  type CalendarDate,
  type ClockTime,
  type Fraction,
  type Gender,
  type GrammaticalCase,
  mapNoun,
  type Noun,
  noun,
  type SpokenLanguage,
} from "../language.js";
import { spokenWords } from "../words.js";

const count = (digits: string | number): string => toCardinal(String(digits));

/** Before a noun "eins" becomes its article: "ein Meter", "nach einer Stunde". */
function cardinal(digits: string, gender: Gender, inCase: GrammaticalCase = "nominative"): string {
  const words = count(digits);
  if (words !== "eins") return words.replace(/eins$/, "ein");
  if (inCase === "dative") return gender === "f" ? "einer" : "einem";
  return gender === "f" ? "eine" : inCase === "accusative" && gender === "m" ? "einen" : "ein";
}

/** In the dative a plural ends in "n": "nach fünf Tagen". */
function governed(of: Noun, category: Intl.LDMLPluralRule, inCase: GrammaticalCase): string {
  if (category === "one") return of.one;
  return inCase === "dative" ? of.many.replace(/^(\p{L}*(?:Tag|Monat))e$/u, "$1en") : of.many;
}

const WORDS = spokenWords("de", noun);

const PARTS: Readonly<Record<number, string>> = {
  2: "halb",
  3: "drittel",
  4: "viertel",
  5: "fünftel",
  6: "sechstel",
};

function partOf(under: number): string {
  return PARTS[under] ?? `${toOrdinal(under).replace(/te$/, "tel").replace(/ste$/, "stel")}`;
}

function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const overWord = cardinal(String(over), "m");
  if (whole !== undefined) {
    const part = over === 1 && under === 2 ? "einhalb" : `${overWord} ${partOf(under)}`;
    const mixed =
      over === 1 && under === 2
        ? `${cardinal(whole, "m")}${part}`.replace(/^einein/, "einein")
        : `${count(whole)} ${part}`;
    return of === undefined ? mixed : `${mixed} ${of.other}`;
  }
  if (over === 1 && under === 2) {
    if (of === undefined) return "ein halb";
    const half = of.gender === "f" ? "eine halbe" : of.gender === "n" ? "ein halbes" : "ein halber";
    return `${half} ${of.one}`;
  }
  const words = `${overWord} ${partOf(under)}`;
  return of === undefined
    ? words.replace(/ (\p{L})/u, (_, first: string) => ` ${first.toUpperCase()}`)
    : `${words} ${of.one}`;
}

function clock({ hour, minute, second }: ClockTime): string {
  const minutes = minute === 0 ? "" : ` ${count(minute)}`;
  const seconds =
    second === undefined
      ? ""
      : ` und ${cardinal(String(second), "f")} ${second === 1 ? "Sekunde" : "Sekunden"}`;
  return `${cardinal(String(hour), "m")} Uhr${minutes}${seconds}`;
}

const MONTHS = WORDS.months.map((names) => names.split("|")[0]!);

/** Before 2000 the hundreds are counted: "neunzehnhundertneunundneunzig". */
function yearWords(year: string): string {
  const value = Number(year);
  if (value < 1100 || value >= 2000) return count(value);
  const rest = value % 100;
  return `${count(Math.floor(value / 100))}hundert${rest === 0 ? "" : count(rest)}`;
}

const OBLIQUE = pattern()`
  (?:^|\s)(?:am|vom|zum|bis|ab|dem|den|des|seit|beim|im|zwischen|montag|dienstag|mittwoch
  |donnerstag|freitag|samstag|sonntag|jeden|jedem|diesem|diesen|ihrem|ihren)$
`;

function date({ day, month, year }: CalendarDate, before: string): string {
  const ordinal = toOrdinal(day);
  const dayWord = OBLIQUE.test(before)
    ? `${ordinal}n`
    : /(?:^|\s)(?:der|die|das)$/.test(before)
      ? ordinal
      : `${ordinal}r`;
  return `${dayWord} ${MONTHS[month - 1]}${year === undefined ? "" : ` ${yearWords(year)}`}`;
}

/** "am 3. Tag": an article or a preposition tells an ordinal from the end of a sentence. */
function ordinal(digits: string, suffix: string, before: string): string | undefined {
  if (Number(digits) === 0) return undefined;
  const word = toOrdinal(digits);
  if (suffix !== ".") return word + suffix.replace(/^te|^ste/, "");
  if (OBLIQUE.test(before) || /(?:^|\s)(?:einer|einem|einen|zur|nach|jeder)$/.test(before)) return `${word}n`;
  if (/(?:^|\s)(?:der|die|das|jede)$/.test(before)) return word;
  return /(?:^|\s)(?:ein|jeder)$/.test(before) ? `${word}r` : undefined;
}

export const GERMAN: SpokenLanguage = {
  ...WORDS,
  tag: "de",
  numbers: {
    groupMarks: ".'’",
    decimalMark: ",",
    decimalWords: { ",": "Komma", ".": "Punkt" },
    decimals: "digits",
    cardinal,
    count,
    fraction,
  },
  range: { opening: "", between: "bis", inCase: "nominative" },
  cases: [
    [/(?:^|\s)(?:nach|bei|mit|von|aus|seit|ab|zu|vor|innerhalb von|unter|über|in)$/u, "dative"],
    [/(?:^|\s)(?:um|für|ohne|auf|bis|bis zu|gegen|durch)$/u, "accusative"],
  ],
  prefixed: (prefix, name) => prefix + name[0]!.toLowerCase() + name.slice(1),
  squared: (of) => mapNoun(of, (form) => `Quadrat${form[0]!.toLowerCase()}${form.slice(1)}`),
  cubed: (of) => mapNoun(of, (form) => `Kubik${form[0]!.toLowerCase()}${form.slice(1)}`),
  governed,
  clock,
  clockRange: (from, to) => `${clock(from)} bis ${clock(to)}`,
  date,
  ordinal,
};
