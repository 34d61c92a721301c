/** French. */
import { toCardinal, toOrdinal } from "n2words/fr-FR";
import {
  type CalendarDate,
  type ClockTime,
  type Fraction,
  type Gender,
  mapNoun,
  type Noun,
  nounInS,
  type SpokenLanguage,
} from "../language.js";
import { spokenWords } from "../words.js";

const count = (digits: string | number): string => toCardinal(String(digits));

/** Before a feminine noun "un" becomes "une". */
function cardinal(digits: string, gender: Gender): string {
  return gender === "f" ? count(digits).replace(/un$/, "une") : count(digits);
}

const WORDS = spokenWords("fr", nounInS);

function de(name: string): string {
  return /^[aeiouhéœ]/i.test(name) ? `d'${name}` : `de ${name}`;
}

const PARTS: Readonly<Record<number, string>> = { 2: "demi", 3: "tiers", 4: "quart" };

function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const part = PARTS[under] ?? toOrdinal(under);
  const words = `${count(over)} ${part}${over > 1 && !part.endsWith("s") ? "s" : ""}`;
  if (whole === undefined) {
    if (of === undefined) return words;
    if (under !== 2) return `${words} ${de(of.one)}`;
    return of.gender === "f" ? `une demi-${of.one}` : `un demi-${of.one}`;
  }
  const counted =
    of === undefined ? count(whole) : `${cardinal(whole, of.gender)} ${Number(whole) < 2 ? of.one : of.many}`;
  return over === 1 && under === 2
    ? `${counted} et ${of?.gender === "f" ? "demie" : "demi"}`
    : `${counted} et ${words}`;
}

function clock({ hour, minute, second }: ClockTime): string {
  const minutes = minute === 0 ? "" : ` ${cardinal(String(minute), "f")}`;
  const seconds =
    second === undefined ? "" : ` et ${cardinal(String(second), "f")} ${second < 2 ? "seconde" : "secondes"}`;
  return `${cardinal(String(hour), "f")} ${hour < 2 ? "heure" : "heures"}${minutes}${seconds}`;
}

const MONTHS = WORDS.months.map((names) => names.split("|")[0]!);

function date({ day, month, year }: CalendarDate): string {
  return `${day === 1 ? "premier" : count(day)} ${MONTHS[month - 1]}${year === undefined ? "" : ` ${count(String(Number(year)))}`}`;
}

function ordinal(digits: string, suffix: string): string | undefined {
  const value = Number(digits);
  if (value === 0) return undefined;
  const plural = suffix.endsWith("s") ? "s" : "";
  if (value === 1) return (/^(?:re|ère)/.test(suffix) ? "première" : "premier") + plural;
  if (value === 2 && /^n?de?s?$/.test(suffix)) return (suffix.includes("de") ? "seconde" : "second") + plural;
  return toOrdinal(value) + plural;
}

export const FRENCH: SpokenLanguage = {
  ...WORDS,
  tag: "fr",
  numbers: {
    groupMarks: ".'’",
    decimalMark: ",",
    decimalWords: { ",": "virgule", ".": "point" },
    decimals: "group",
    cardinal,
    count,
    fraction,
  },
  range: { opening: "", between: "à", inCase: "nominative" },
  cases: [],
  prefixed: (prefix, name) => prefix + name,
  squared: (of) =>
    mapNoun(
      of,
      (form, which) => `${form} ${of.gender === "f" ? "carrée" : "carré"}${isPlural(which) ? "s" : ""}`,
    ),
  cubed: (of) => mapNoun(of, (form, which) => `${form} cube${isPlural(which) ? "s" : ""}`),
  ofMillions: de,
  clock,
  clockRange: (from, to) => `${clock(from)} à ${clock(to)}`,
  date,
  ordinal,
};

function isPlural(which: keyof Noun): boolean {
  return which === "few" || which === "many" || which === "other";
}
