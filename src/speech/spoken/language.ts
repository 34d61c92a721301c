/** What a language brings to be spoken: its words, and the few rules that are its own. */

export type Gender = "m" | "f" | "n";

/** The case that the words around ask for. Languages without cases ignore it. */
export type GrammaticalCase = "nominative" | "genitive" | "dative" | "accusative" | "locative";

/** A thing that is counted: its forms by the categories of `Intl.PluralRules`, and what comes after "per". */
export interface Noun {
  readonly one: string;
  readonly few: string;
  readonly many: string;
  /** In English any number but one; in Polish and Ukrainian what follows a decimal. */
  readonly other: string;
  readonly per: string;
  readonly gender: Gender;
}

/** Currencies: the whole and its hundredth. */
export interface Currency {
  readonly major: Noun;
  readonly minor: Noun | undefined;
}

export interface Fraction {
  /** Absent in a fraction below one. */
  readonly whole: string | undefined;
  readonly over: number;
  readonly under: number;
}

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number | undefined;
  readonly half: "am" | "pm" | undefined;
}

export interface CalendarDate {
  readonly day: number;
  readonly month: number;
  /** As written: four digits or two. */
  readonly year: string | undefined;
  /** The order of day and month as they were written. */
  readonly order: "day first" | "month first" | "year first";
}

export interface NumberGrammar {
  /** What may stand between groups of three digits, besides a space, which may everywhere. */
  readonly groupMarks: string;
  readonly decimalMark: "." | ",";
  /** What is said for each mark before decimals. */
  readonly decimalWords: Readonly<Record<"." | ",", string>>;
  /** How decimals are said: one by one, or as a number after their zeros. */
  readonly decimals: "digits" | "group";
  /** A number of at most `CARDINAL_DIGITS_MAX` digits; gender as a noun behind it asks for. */
  cardinal(digits: string, gender: Gender, inCase: GrammaticalCase): string;
  /** As said when nothing is counted: "eins", "uno". */
  count(digits: string): string;
  /** Where decimals are not said as a word and digits: the whole and its decimals. */
  decimal?(whole: string, decimals: string, inCase: GrammaticalCase): string | undefined;
  /** A fraction, of a unit if one follows. */
  fraction(fraction: Fraction, unit: Noun | undefined): string;
}

export interface Range {
  /** Before the first: "od". Left out where the text says it. */
  readonly opening: string;
  readonly between: string;
  readonly inCase: GrammaticalCase;
}

/** The words of a language: `locales/spoken/<tag>.json`. */
export interface SpokenWords {
  /** Words between two numbers that share a unit: "5 to 10 mm". */
  readonly linkWords: string;
  /** Units by their international symbol, before prefixes. */
  readonly units: Readonly<Record<string, Noun>>;
  /** A symbol of the language for an international one, such as "Std" for "h". */
  readonly unitAliases: Readonly<Record<string, string>>;
  /** Prefixes by their international symbol. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Symbols of prefixes and units in the language's own script. */
  readonly localSymbols?: {
    readonly prefixes: Readonly<Record<string, string>>;
    readonly units: Readonly<Record<string, string>>;
  };
  /** "per", "pro", "na". */
  readonly per: string;
  /** Thousands and more in words or short: "Mio.", "млн". */
  readonly scales: Readonly<Record<string, Noun>>;
  /** Currencies by sign or code. */
  readonly currencies: Readonly<Record<string, Currency>>;
  /** Between whole and hundredths: "and". */
  readonly moneyAnd: string;
  /** What may follow a time and belongs to it: "Uhr", "hrs". */
  readonly clockSuffix: string;
  /** Full and short names of the months, January first, as a pattern for each. */
  readonly months: readonly string[];
  /** Which of two numbers before a year is the day, where slashes part them. */
  readonly slashDates: "day first" | "ambiguous";
  /** The letters or signs that make an ordinal, as a pattern behind the digits. */
  readonly ordinalSuffix: string;
  /**
   * Abbreviations with their full stops, and what is said. Behind one that ends in a space there must be a number,
   * behind "^" a name. Those of `sentenceEnders` may end a sentence.
   */
  readonly abbreviations: Readonly<Record<string, string>>;
  readonly sentenceEnders: readonly string[];
  /** Signs, and what is said for each. */
  readonly signs: Readonly<Record<Sign, string>>;
  /** Words before a number that is dialled or read out digit by digit. */
  readonly dialled: string;
  /** Words before a number that is a name: "gate 7 A" is no current. */
  readonly named: string;
  /** Whether a unit before what it describes is in the singular: "a 5-mm hose". */
  readonly isSingularBeforeNoun: boolean;
  /** Words before a Roman numeral. */
  readonly chapters: string;
  /** Words before a version or a section's number. */
  readonly versions: string;
  /** Round the clock: 24/7. */
  readonly allDay: string;
  /** Letters that are vowels. */
  readonly vowels: string;
}

/** A language: its words, and what it does with them. */
export interface SpokenLanguage extends SpokenWords {
  /** BCP 47. */
  readonly tag: string;
  readonly numbers: NumberGrammar;
  readonly range: Range;
  /** Words after which a number stands in a case. */
  readonly cases: readonly (readonly [RegExp, GrammaticalCase])[];
  /** A unit with its prefix, where that is more than writing one before the other. */
  prefixed(prefix: string, unit: string): string;
  squared(unit: Noun): Noun;
  cubed(unit: Noun): Noun;
  /** The noun in a case other than the nominative, for a number of this plural category. */
  governed?(noun: Noun, category: Intl.LDMLPluralRule, inCase: GrammaticalCase): string;
  /** What comes between a million and what it counts: "de ". */
  readonly ofMillions?: (noun: string) => string;
  /** `before` here and below: up to three words in front, in lower case. */
  clock(time: ClockTime, before: string): string;
  clockRange(from: ClockTime, to: ClockTime, before: string): string;
  date(date: CalendarDate, before: string): string;
  /** What stands behind a year and makes it one, as a pattern, and the year said with it: "2026 r.". */
  readonly yearWord?: { readonly written: string; say(year: string): string };
  /** An ordinal by the letters behind its digits; `undefined` when these are none. */
  ordinal(digits: string, suffix: string, before: string): string | undefined;
}

/** Signs that are said. */
export const SIGNS = [
  "minus",
  "plus",
  "plusOrMinus",
  "times",
  "by",
  "dividedBy",
  "equals",
  "notEqual",
  "about",
  "atLeast",
  "atMost",
  "lessThan",
  "moreThan",
  "power",
  "squareRoot",
  "infinity",
  "and",
  "or",
  "at",
  "dot",
  "point",
  "dash",
  "slash",
  "ratio",
  "number",
  "section",
  "version",
  "leadsTo",
  "back",
  "percent",
  "degrees",
] as const;

export type Sign = (typeof SIGNS)[number];

/** Longer numbers are read digit by digit: nobody can follow their names. */
export const CARDINAL_DIGITS_MAX = 15;

/** A noun from its forms, "one|few|many|other" or fewer where the language has fewer. */
export function noun(forms: string, gender: Gender = "m", per?: string): Noun {
  const [one = "", second = one, third = second, fourth = third] = forms.split("|");
  return { one, few: second, many: third, other: fourth, per: per ?? one, gender };
}

/** A noun whose plural is that of all numbers but one, and has an "s" where it is not written. */
export function nounInS(forms: string, gender: Gender): Noun {
  return noun(forms.includes("|") ? forms : `${forms}|${forms}s`, gender);
}

/** Every form of a noun changed. */
export function mapNoun(from: Noun, change: (form: string, which: keyof Noun) => string): Noun {
  const { gender } = from;
  const { one, few, many, other, per } = from;
  return {
    one: change(one, "one"),
    few: change(few, "few"),
    many: change(many, "many"),
    other: change(other, "other"),
    per: change(per, "per"),
    gender,
  };
}
