/** Dates: 2026-03-01, 1 March 2026, March 1, 2026, 01.03.2026, and 03/01/2026 where it can mean but one day. */
import type { CalendarDate, SpokenLanguage } from "./language.js";
import { dotted, matchAt, type Reader, type SpokenSpan, wordsBefore } from "./reader.js";

const ISO = /(\d{4})-(\d{2})-(\d{2})(?![\d-]|[.,/]\d)(?:T(?=\d\d:))?/y;
const DOTTED = /(\d{1,2})\.(\d{1,2})\.(\d{4}|(?<=\d\d\.\d\d\.)\d{2})(?![\d/-]|[.,]\d)/y;
const SLASHED = /(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?![\d/-]|[.,]\d)/y;
/** Day and month alone, as in "am 1.3.". */
const YEAR = "(?:(?:,| de| del)? (\\d{4})(?![\\d:]|[.,]\\d))?";

/** Reads a date; passes where the numbers name no day. */
export function dateReader(language: SpokenLanguage): Reader {
  const named = namedMonths(language);
  const { yearWord } = language;
  const word =
    yearWord === undefined ? undefined : new RegExp(`[ \u00a0]?(?:${yearWord.written})(?!\\p{L})`, "uy");
  const yearSuffix = (text: string, at: number): number | undefined => {
    const match = word === undefined ? undefined : matchAt(word, text, at)?.[0];
    return match === undefined ? undefined : dotted(text, at + match.length, match);
  };
  const yearAlone: Reader = (text, at) => {
    const year = matchAt(/[12]\d{3}(?!\d)/y, text, at)?.[0];
    const end = year === undefined ? undefined : yearSuffix(text, at + 4);
    return end === undefined ? undefined : { words: yearWord!.say(year!), end };
  };
  return (text, at) => {
    const found = numeric(text, at, language) ?? named(text, at);
    if (found === undefined) return yearAlone(text, at);
    const suffix = found.date.year === undefined ? undefined : yearSuffix(text, found.end);
    return { words: language.date(found.date, wordsBefore(text, at)), end: suffix ?? found.end };
  };
}

interface DateMatch {
  readonly date: CalendarDate;
  readonly end: number;
}

function numeric(text: string, at: number, language: SpokenLanguage): DateMatch | undefined {
  const iso = matchAt(ISO, text, at);
  if (iso !== undefined) return checked(iso[3], iso[2], iso[1], "year first", at + iso[0].length);
  const dotted = matchAt(DOTTED, text, at);
  if (dotted !== undefined)
    return checked(dotted[1], dotted[2], dotted[3], "day first", at + dotted[0].length);
  const slashed = matchAt(SLASHED, text, at);
  if (slashed === undefined) return undefined;
  const [written, first, , second, year] = slashed;
  const end = at + written.length;
  const [a, b] = [Number(first), Number(second)];
  if (a > 12) return checked(first, second, year, "day first", end);
  if (b > 12) return checked(second, first, year, "month first", end);
  if (a === b || language.slashDates === "day first") return checked(first, second, year, "day first", end);
  return undefined;
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function checked(
  day: string | undefined,
  month: string | undefined,
  year: string | undefined,
  order: CalendarDate["order"],
  end: number,
): DateMatch | undefined {
  const date = { day: Number(day), month: Number(month), year, order };
  return date.day >= 1 && date.day <= (DAYS[date.month - 1] ?? 0) ? { date, end } : undefined;
}

function namedMonths({ months }: SpokenLanguage): (text: string, at: number) => DateMatch | undefined {
  const names = months.map((pattern) => `(?:${pattern})`).join("|");
  const each = months.map((pattern) => new RegExp(`^(?:${pattern})$`, "iu"));
  const monthOf = (name: string) => each.findIndex((pattern) => pattern.test(name)) + 1;
  const dayFirst = new RegExp(
    `(\\d{1,2})(?:\\.|st|nd|rd|th|er|[.]?º)?(?: of)?[ \u00a0](?:de )?(${names})(?![\\p{L}\\p{N}])${YEAR}`,
    "iuy",
  );
  const monthFirst = new RegExp(
    `(${names}) (\\d{1,2})(?:st|nd|rd|th)?(?![\\p{L}\\p{N}:]|[.,/–-]\\d)${YEAR}`,
    "iuy",
  );
  return (text, at) => {
    const day = matchAt(dayFirst, text, at);
    if (day !== undefined)
      return checked(day[1], String(monthOf(day[2]!)), day[3], "day first", at + day[0].length);
    const month = matchAt(monthFirst, text, at);
    if (month === undefined) return undefined;
    return checked(month[2], String(monthOf(month[1]!)), month[3], "month first", at + month[0].length);
  };
}

/** A date that two countries read differently is said as it is printed. */
export function ambiguousDateReader(language: SpokenLanguage): Reader {
  return (text, at): SpokenSpan | undefined => {
    const slashed = matchAt(SLASHED, text, at);
    if (slashed === undefined) return undefined;
    const [written, first, , second, year] = slashed;
    const words = [first, second, year].map((part) => language.numbers.count(String(Number(part))));
    return { words: words.join(` ${language.signs.slash} `), end: at + written.length };
  };
}
