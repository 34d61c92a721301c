/** How Polish inflects: numerals and nouns by case, hours and dates as ordinals. */
import { toCardinal, toOrdinal } from "n2words/pl-PL";
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

export const count = (digits: string | number): string => toCardinal(String(digits));

/** The forms of numerals that stand for all oblique cases but of "one" and of the nouns among them. */
const OBLIQUE = shippedEntries("locales/words/pl-numerals.txt");

const ONE: Readonly<Record<GrammaticalCase, Readonly<Record<Gender, string>>>> = {
  nominative: { m: "jeden", f: "jedna", n: "jedno" },
  accusative: { m: "jeden", f: "jedną", n: "jedno" },
  genitive: { m: "jednego", f: "jednej", n: "jednego" },
  locative: { m: "jednym", f: "jednej", n: "jednym" },
  dative: { m: "jednemu", f: "jednej", n: "jednemu" },
};

/** In compounds "jeden" never changes; "dwa" does. */
export function cardinal(digits: string, gender: Gender, inCase: GrammaticalCase): string {
  const plain = count(digits);
  if (plain === "jeden") return ONE[inCase][gender];
  const words = gender === "f" ? plain.replace(/(?<!\S)dwa$/, "dwie") : plain;
  if (inCase === "nominative" || inCase === "accusative") return words;
  return words
    .split(" ")
    .map((word) => OBLIQUE[word] ?? word)
    .join(" ");
}

/** Forms for 1, 2–4, 5 and more, and for decimals (the genitive singular). */
export function unit(forms: string, gender: Gender = "m", per = forms.split("|")[0]!): Noun {
  return noun(forms, gender, gender === "f" ? accusative(per) : per);
}

function accusative(form: string): string {
  return form.replace(/^(\p{L}+)a(?= |$)/u, "$1ę");
}

/** A noun behind a number in an oblique case. */
export function governed(of: Noun, category: Intl.LDMLPluralRule, inCase: GrammaticalCase): string {
  if (category === "other") return of.other;
  if (inCase === "accusative") return category === "one" ? of.per : category === "few" ? of.few : of.many;
  if (category === "one") return inCase === "genitive" ? of.other : of.one;
  if (inCase !== "locative") return of.many;
  const [first = "", ...rest] = of.few.split(" ");
  const stem = first.replace(/[ye]$/, "");
  return [`${stem}ach`, ...rest.map((word) => word.replace(/(?<=[nw])e$/, "ych"))].join(" ");
}

/** "druga", "trzecia", "czternasta": an ordinal as it stands with a feminine noun. */
function feminine(ordinal: string): string {
  return ordinal.replace(/(?:y|(?<=g)i)(?= |$)/g, "a").replace(/i(?= |$)/g, "ia");
}

export function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const nth = toOrdinal(under);
  const isFew = over > 1 && over < 5;
  const isHalf = over === 1 && under === 2;
  if (whole === "1" && isHalf)
    return of === undefined ? "półtora" : `${of.gender === "f" ? "półtorej" : "półtora"} ${of.other}`;
  const part = isHalf
    ? "pół"
    : `${cardinal(String(over), "f", "nominative")} ${over === 1 ? feminine(nth) : isFew ? feminineFew(nth) : feminineMany(nth)}`;
  const words = whole === undefined ? part : `${cardinal(whole, of?.gender ?? "m", "nominative")} i ${part}`;
  return of === undefined ? words : `${words} ${of.other}`;
}

function feminineFew(ordinal: string): string {
  return ordinal.replace(/y(?= |$)/g, "e").replace(/i(?= |$)/g, "ie");
}

function feminineMany(ordinal: string): string {
  return ordinal.replace(/[yi](?= |$)/g, "$&ch");
}

function feminineGenitive(ordinal: string): string {
  return ordinal.replace(/y(?= |$)/g, "ej").replace(/i(?= |$)/g, "iej");
}

/** "czternasta", "czternastej": hours are ordinals. */
function hourWords(hour: number, inCase: "nominative" | "oblique"): string {
  if (hour === 0) return "zero";
  const nth = toOrdinal(hour);
  return inCase === "nominative" ? feminine(nth) : feminineGenitive(nth);
}

const HOUR_OBLIQUE = /(?:^|\s)(?:o|od|do|po|około|ok\.|przed|z)(?: godz\.?| godzin\p{L}+)?$/u;

export function clock({ hour, minute, second }: ClockTime, before: string): string {
  return `${hourWords(hour, HOUR_OBLIQUE.test(before) ? "oblique" : "nominative")}${minutesWords(minute, second, hour)}`;
}

function minutesWords(minute: number, second: number | undefined, hour: number): string {
  const seconds = second === undefined ? "" : ` i ${counted(second, unit("sekunda|sekundy|sekund", "f"))}`;
  if (minute === 0) return (hour === 0 ? " zero zero" : "") + seconds;
  return ` ${minute < 10 ? "zero " : ""}${count(minute)}${seconds}`;
}

const RULES = new Intl.PluralRules("pl");

function counted(value: number, of: Noun): string {
  const which = RULES.select(value);
  return `${cardinal(String(value), of.gender, "nominative")} ${which === "one" ? of.one : which === "few" ? of.few : of.many}`;
}

const MONTHS =
  "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia".split(
    " ",
  );

function genitiveOrdinal(value: number): string {
  return toOrdinal(value)
    .replace(/y(?= |$)/g, "ego")
    .replace(/i(?= |$)/g, "iego");
}

/** Of a year only tens and ones are ordinals. */
export function yearWords(year: string): string {
  const value = Number(year);
  const rest = value % 100;
  if (value === 2000) return "dwutysięcznego";
  if (rest === 0) return `${count(value)}`;
  const before = value - rest;
  return `${before === 0 ? "" : `${count(before)} `}${genitiveOrdinal(rest)}`;
}

export function date({ day, month, year }: CalendarDate): string {
  return `${genitiveOrdinal(day)} ${MONTHS[month - 1]}${year === undefined ? "" : ` ${yearWords(year)} roku`}`;
}

/** "1-szy", "5-go": the ending tells gender and case. */
export function ordinal(digits: string, suffix: string): string | undefined {
  if (Number(digits) === 0) return undefined;
  const word = toOrdinal(digits);
  const ending = suffix.replace(/^-/, "");
  if (/^(?:sza|ga|cia|ta|ma|a)$/.test(ending)) return feminine(word);
  if (/^(?:ego|go)$/.test(ending)) return genitiveOrdinal(Number(digits));
  if (/^(?:ej)$/.test(ending)) return feminineGenitive(word);
  return word;
}

export function clockRange(from: ClockTime, to: ClockTime): string {
  const words = ({ hour, minute, second }: ClockTime) =>
    `${hourWords(hour, "oblique")}${minutesWords(minute, second, hour)}`;
  return `od ${words(from)} do ${words(to)}`;
}
