/** How Ukrainian inflects: numerals and nouns by case, hours and dates as ordinals. */
import { toCardinal, toOrdinal } from "n2words/uk-UA";
import { shippedEntries } from "../../../lib/shipped-files.js";
import {
  type CalendarDate,
  type ClockTime,
  type Fraction,
  type Gender,
  type GrammaticalCase,
  type Noun,
  noun,
} from "../language.js";

/** The library writes a Latin "i" for the Cyrillic one, which voices trip over. */
const cyrillic = (words: string) => words.replaceAll("i", "і");
export const count = (digits: string | number): string =>
  cyrillic(toCardinal(String(digits))).replace(/^одна (?=тисяча)/, "");
const ordinalOf = (digits: string | number): string => cyrillic(toOrdinal(String(digits)));

/** The genitive of numerals, which serves for the locative too. */
const GENITIVE = shippedEntries("locales/words/uk-numerals.txt");

function inGenitive(words: string): string {
  return words
    .split(" ")
    .map((word) => GENITIVE[word] ?? word.replace(/(?<=ят|цят)ь$|(?<=десят)$/u, "и"))
    .join(" ");
}

/** "одна тонна", "дві тонни", "двадцять одне євро". */
export function cardinal(digits: string, gender: Gender, inCase: GrammaticalCase): string {
  const plain = count(digits);
  const gendered =
    gender === "f"
      ? plain.replace(/один$/, "одна").replace(/два$/, "дві")
      : gender === "n"
        ? plain.replace(/один$/, "одне")
        : plain;
  if (inCase === "accusative") return gendered.replace(/одна$/, "одну");
  return inCase === "nominative" ? gendered : inGenitive(gendered);
}

const PLACES: Readonly<Record<number, readonly [string, string]>> = {
  1: ["десята", "десятих"],
  2: ["сота", "сотих"],
  3: ["тисячна", "тисячних"],
};

/** "дві цілих п'ять десятих". */
export function decimal(whole: string, decimals: string, inCase: GrammaticalCase): string | undefined {
  const place = PLACES[decimals.length];
  if (place === undefined) return undefined;
  const part = String(Number(decimals));
  const words =
    `${cardinal(whole, "f", "nominative")} ${endsInOne(whole) ? "ціла" : "цілих"} ` +
    `${cardinal(part, "f", "nominative")} ${endsInOne(part) ? place[0] : place[1]}`;
  return inCase === "genitive" || inCase === "locative" ? inGenitive(words) : words;
}

function endsInOne(digits: string): boolean {
  return /1$/.test(digits) && !/11$/.test(digits);
}

/** Forms for 1, 2–4, 5 and more, and for decimals (the genitive singular). */
export function unit(forms: string, gender: Gender = "m", per = forms.split("|")[0]!): Noun {
  return noun(forms, gender, gender === "f" ? accusative(per) : per);
}

function accusative(form: string): string {
  return form.replace(/^(\p{L}+)а(?= |$)/u, "$1у").replace(/^(\p{L}+)я(?= |$)/u, "$1ю");
}

/** A noun behind a number in an oblique case. */
export function governed(of: Noun, category: Intl.LDMLPluralRule, inCase: GrammaticalCase): string {
  if (category === "other") return of.other;
  if (inCase === "accusative") return category === "one" ? of.per : category === "few" ? of.few : of.many;
  if (category === "one") return inCase === "genitive" ? of.other : of.one;
  if (inCase !== "locative") return of.many;
  let isNounSeen = false;
  return of.few
    .split(" ")
    .map((word) => {
      if (isNounSeen) return word;
      if (/(?:ні|ві|ські)$/.test(word) && of.few.includes(" ")) return `${word.slice(0, -1)}их`;
      isNounSeen = true;
      return /ні$/.test(word) ? word.replace(/і$/, "ях") : word.replace(/[иі]$/, "ах");
    })
    .join(" ");
}

export function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const isHalf = over === 1 && under === 2;
  const quarters = under === 4 ? (over === 1 ? "чверть" : `${count(over)} чверті`) : undefined;
  const nth = over === 1 ? feminine(under, "nominative") : ordinalOf(under).replace(/й$/, "х");
  const part = quarters ?? `${cardinal(String(over), "f", "nominative")} ${nth}`;
  if (whole === undefined) {
    if (of === undefined) return isHalf ? "половина" : part;
    return `${isHalf ? "пів" : part} ${of.other}`;
  }
  if (whole === "1" && isHalf)
    return of === undefined ? "півтора" : `${of.gender === "f" ? "півтори" : "півтора"} ${of.other}`;
  const wholeWords = cardinal(whole, of?.gender ?? "m", "nominative");
  const words = isHalf ? `${wholeWords} з половиною` : `${wholeWords} і ${part}`;
  if (of === undefined) return words;
  return `${words} ${isHalf ? form(Number(whole), of) : of.other}`;
}

const RULES = new Intl.PluralRules("uk");

function form(value: number, of: Noun): string {
  const which = RULES.select(value);
  return which === "one" ? of.one : which === "few" ? of.few : of.many;
}

type HourCase = "nominative" | "genitive" | "locative";
const FEMININE_ENDINGS: Readonly<Record<HourCase, readonly [hard: string, soft: string]>> = {
  nominative: ["а", "я"],
  genitive: ["ої", "ьої"],
  locative: ["ій", "ій"],
};

/** "чотирнадцята", "о чотирнадцятій", "до чотирнадцятої": hours are ordinals. */
function hourWords(hour: number, inCase: HourCase): string {
  if (hour === 0) return "нуль";
  return feminine(hour, inCase);
}

/** An ordinal as it stands with a feminine noun. */
function feminine(digits: number, inCase: HourCase): string {
  const [hard, soft] = FEMININE_ENDINGS[inCase];
  return ordinalOf(digits).replace(/ий$/, hard).replace(/ій$/, soft);
}

export function clock(time: ClockTime, before: string): string {
  const inCase = /(?:^|\s)(?:о|об)$/.test(before)
    ? "locative"
    : /(?:^|\s)(?:з|із|зі|від|до|після|біля|близько)$/.test(before)
      ? "genitive"
      : "nominative";
  return timeWords(time, inCase);
}

function timeWords({ hour, minute, second }: ClockTime, inCase: HourCase): string {
  const minutes =
    minute === 0 ? (hour === 0 ? " нуль нуль" : "") : ` ${minute < 10 ? "нуль " : ""}${count(minute)}`;
  const seconds =
    second === undefined
      ? ""
      : ` і ${cardinal(String(second), "f", "nominative")} ${form(second, unit("секунда|секунди|секунд", "f"))}`;
  return `${hourWords(hour, inCase)}${minutes}${seconds}`;
}

const MONTHS = "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня".split(
  " ",
);

function genitiveOrdinal(value: number): string {
  return ordinalOf(value).replace(/ий$/, "ого").replace(/ій$/, "ього");
}

/** Of a year only the last word is an ordinal. */
export function yearWords(year: string): string {
  const value = Number(year);
  const rest = value % 100;
  if (value === 2000) return "двотисячного";
  if (rest === 0) return count(value);
  const before = value - rest;
  return `${before === 0 ? "" : `${count(before)} `}${genitiveOrdinal(rest)}`;
}

export function date({ day, month, year }: CalendarDate): string {
  return `${genitiveOrdinal(day)} ${MONTHS[month - 1]}${year === undefined ? "" : ` ${yearWords(year)} року`}`;
}

/** "1-й", "2-га", "5-го": the letters behind tell gender and case. */
export function ordinal(digits: string, suffix: string): string | undefined {
  if (Number(digits) === 0) return undefined;
  const word = ordinalOf(digits);
  const isSoft = word.endsWith("ій");
  const stem = word.slice(0, -2);
  const ending = suffix.replace(/^[-–]/, "");
  if (/(?:а|я)$/.test(ending)) return stem + (isSoft ? "я" : "а");
  if (/(?:е|є)$/.test(ending)) return stem + (isSoft ? "є" : "е");
  if (ending.endsWith("го")) return stem + (isSoft ? "ього" : "ого");
  if (ending.endsWith("му")) return stem + (isSoft ? "ьому" : "ому");
  if (/(?:ої|ї)$/.test(ending)) return stem + (isSoft ? "ьої" : "ої");
  if (ending.endsWith("у") || ending.endsWith("ю")) return stem + (isSoft ? "ю" : "у");
  if (ending.endsWith("х")) return stem + (isSoft ? "іх" : "их");
  if (ending === "ій") return `${stem}ій`;
  if (ending === "і") return `${stem}і`;
  return word;
}

export function clockRange(from: ClockTime, to: ClockTime, before: string): string {
  return `${/(?:^|\s)(?:з|із|зі|від)$/.test(before) ? "" : "з "}${timeWords(from, "genitive")} до ${timeWords(to, "genitive")}`;
}
