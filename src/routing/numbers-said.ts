/** Numbers in an utterance, in digits and in the words that the voice itself would say for them. */
import { wordsOf } from "../locale/commands/words.js";
import type { Gender, SpokenLanguage } from "../speech/spoken/language.js";
import { ENGLISH } from "../speech/spoken/languages/en.js";
import { languageFor } from "../speech/spoken/languages/table.js";

export interface NumberSaid {
  readonly value: number;
  /** Index of the first word behind it. */
  readonly end: number;
}

/** Whole numbers up to this are understood in words. */
const SPOKEN_MAX = 999;
const GENDERS: readonly Gender[] = ["m", "f", "n"];
const DIGITS = /^\d{1,12}(?:\.\d{1,6})?$/;

/** The number that begins at word `at`, as long as it can be. */
export function numberSaidAt(words: readonly string[], at: number, language: string): NumberSaid | undefined {
  const spoken = spokenIn(language);
  const isBelowZero = spoken.below.has(words[at] ?? "");
  const whole = wholeAt(words, isBelowZero ? at + 1 : at, spoken);
  if (whole === undefined) return undefined;
  const { value, end } = withDecimals(words, whole, spoken);
  return { value: isBelowZero ? -value : value, end };
}

interface Spoken {
  readonly wholes: ReadonlyMap<string, number>;
  /** Words of the longest of them. */
  readonly wordsMax: number;
  readonly points: ReadonlySet<string>;
  readonly below: ReadonlySet<string>;
}

function wholeAt(words: readonly string[], at: number, { wholes, wordsMax }: Spoken): NumberSaid | undefined {
  const [first = ""] = words.slice(at, at + 1);
  if (DIGITS.test(first)) return { value: Number(first), end: at + 1 };
  for (let end = Math.min(words.length, at + wordsMax); end > at; end--) {
    const value = wholes.get(words.slice(at, end).join(" "));
    if (value !== undefined) return { value, end };
  }
  return undefined;
}

/** "four point two", "vier Komma zwei fünf". */
function withDecimals(words: readonly string[], whole: NumberSaid, spoken: Spoken): NumberSaid {
  if (!spoken.points.has(words[whole.end] ?? "")) return whole;
  let digits = "";
  let end = whole.end + 1;
  for (let next = wholeAt(words, end, spoken); next !== undefined && digits.length < DECIMALS_MAX; ) {
    digits += String(next.value);
    end = next.end;
    next = wholeAt(words, end, spoken);
  }
  return digits === "" ? whole : { value: Number(`${whole.value}.${digits}`), end };
}

const DECIMALS_MAX = 6;

const known = new Map<string, Spoken>();

function spokenIn(language: string): Spoken {
  const before = known.get(language);
  if (before !== undefined) return before;
  const spoken = inverted(languageFor(language) ?? ENGLISH);
  known.set(language, spoken);
  return spoken;
}

/** What the voice would say for each number, the other way round. */
function inverted(language: SpokenLanguage): Spoken {
  const { numbers, moneyAnd, signs } = language;
  const wholes = new Map<string, number>();
  let wordsMax = 1;
  const add = (text: string, value: number) => {
    const words = plain(text);
    wordsMax = Math.max(wordsMax, words.length);
    if (!wholes.has(words.join(" "))) wholes.set(words.join(" "), value);
  };
  const one = numbers.cardinal("1", "m", "nominative");
  for (let value = 0; value <= SPOKEN_MAX; value++) {
    const said = numbers.count(String(value));
    add(said, value);
    const rest = value % 100;
    if (value > 100 && rest > 0)
      add(`${numbers.count(String(value - rest))} ${moneyAnd} ${numbers.count(String(rest))}`, value);
    if (value >= 100 && value < 200 && said.startsWith(one)) add(said.slice(one.length), value);
    if (value > 100) continue;
    for (const gender of GENDERS)
      for (const inCase of ["nominative", "accusative"] as const)
        add(numbers.cardinal(String(value), gender, inCase), value);
  }
  const points = Object.values(numbers.decimalWords).flatMap(plain);
  return { wholes, wordsMax, points: new Set(points), below: new Set(plain(`minus ${signs.minus}`)) };
}

function plain(text: string): readonly string[] {
  return wordsOf(text).map(({ text: word }) => word);
}
