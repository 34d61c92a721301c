/**
 * Things that a number tells from others of their kind, as they are written, "bay 3", "benches 1 and 2", "pump P2", and
 * as they are said: "bay three", "pump number two". A code is of the kind that stands before it. Pure.
 */
import type { Passage } from "../domain/passage.js";
import { once } from "../lib/once.js";
import { cardinalWords } from "../words/number-words.js";
import { numeralAt } from "../words/quantity/numerals.js";
import { unitAt } from "../words/quantity/unit-at.js";
import { tokenize } from "../words/tokens.js";
import { type PassageUnit, passageUnits } from "./passage-units.js";
import { cellsOf, rowName } from "./table-row.js";
import { termsOf } from "./terms.js";

interface Named {
  /** The term of the word before the number, or the letters of a code; behind them the terms of what that is. */
  readonly kinds: readonly string[];
  readonly number: string;
  /** As it is written; absent where a blank stands before the number. */
  readonly code?: string;
  /** "Take 10 km/h off" names nothing to others. */
  readonly isAmount?: boolean;
}

/** Whether a unit speaks of others of a kind than those that were asked about, by kind, and not of these. */
export function isOfOthers(unit: PassageUnit, asked: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if (asked.size === 0 || (unit.role === "sentence" && OF_ALL.test(unit.text))) return false;
  const own = namedInUnit(unit).filter(({ kinds }) => asked.has(kinds[0]!));
  const right = new Set(
    own.flatMap(({ kinds: [kind = ""], number }) => (asked.get(kind)!.has(number) ? kind : [])),
  );
  return own.some(({ kinds }) => !right.has(kinds[0]!));
}

/** "Only on bay 2" speaks of the others too. */
const OF_ALL = /\b(?:only|except|all|every|each|others?)\b/i;

/** `question` with its numbers in digits, and as the passages write them, at words that have one there. */
export function withNumbers(question: string, passages: readonly Passage[]): string {
  const named = passages.flatMap(namedInPassage).filter(({ isAmount }) => isAmount !== true);
  const namedAs = (word: string, number: string) => {
    const [kind = ""] = termsOf(word);
    const value = `${numeralAt(tokenize(number), 0)!.value}`;
    const ofKind = named.filter(({ kinds }) => kinds.includes(kind));
    const same = ofKind.filter((one) => one.number === value);
    const [written = value, ...others] = new Set(same.map(({ code = value }) => code));
    const isWhole = written !== value && same[0]?.kinds[0] === kind;
    return { isKnown: ofKind.length > 0, isWhole, value, written: others.length > 0 ? value : written };
  };
  const text = question.replace(SAID, (said: string, word: string, number: string, at: number) => {
    const { isKnown, isWhole, value, written } = namedAs(word, number);
    const isWritten = passages.some((one) => one.text.toLowerCase().includes(said.toLowerCase()));
    if (!isKnown || isWritten || makesAmount(question.slice(at + said.length))) return said;
    return isWhole && written !== value ? written : `${word} ${written}`;
  });
  return text.replace(SAID_BEFORE, (said: string, number: string, word: string) => {
    const { value, written } = namedAs(word, number);
    return written.startsWith(value) && written !== value ? `${written} ${word}` : said;
  });
}

const namedInPassage = once((passage: Passage): readonly Named[] => {
  const { headings, text, title } = passage;
  const heading = headings.at(-1) ?? "";
  const kinds = /\band\b(?!.* (?:by|per|of|for) )|,/i.test(heading) ? [] : termsOf(heading).slice(-1);
  const rows = new Map(passageUnits(passage).map((unit) => [rowName(unit.text) ?? "", unit]));
  const named = namedIn([title, ...headings, text].join(" . "));
  const ofRows = [...rows].flatMap(([name, unit]): Named[] => {
    // "Rail: 54E1"
    const [code, number] = NUMBER_FIRST.exec(name) ?? [];
    return code === undefined ? [] : [{ kinds: termsOf(cellsOf(unit.text)[0]!.name), number: number!, code }];
  });
  const inText = named.map((one) =>
    rows.has(one.code ?? " ") ? { ...one, kinds: [...one.kinds, ...kinds] } : one,
  );
  return [...inText, ...ofRows];
});

const NUMBER_FIRST = /^(\d{1,3})\p{Lu}\w{0,4}/u;

/** What is named in a passage, as "bay 3". */
export const numbersInPassage = once(
  (passage: Passage) => new Set(namedInPassage(passage).map(({ kinds, number }) => `${kinds[0]} ${number}`)),
);

const namedInUnit = once(({ text }: PassageUnit) => namedIn(text));

export function namedIn(text: string): readonly Named[] {
  return [...text.matchAll(NAMED)].flatMap((match): Named[] => {
    const [said, before = "", word = "", joint, digits = ""] = match;
    const number = `${Number(digits)}`;
    const isCapitals = /^\p{Lu}{1,4}$/u.test(word);
    const code = `${word}${joint}${digits}`;
    if (joint !== " ")
      return isCapitals ? [{ kinds: [word.toLowerCase(), ...termsOf(before).slice(-1)], number, code }] : [];
    const kinds = termsOf(word).slice(0, 1);
    const behind = text.slice(match.index + said.length);
    const more = (MORE.exec(behind)?.[0].match(/\d+/g) ?? []).map((one) => `${Number(one)}`);
    const isAmount = !isCapitals && makesAmount(behind);
    return kinds.length === 0 ? [] : [number, ...more].map((one) => ({ kinds, number: one, isAmount }));
  });
}

/** Whether what stands behind a number is a unit. */
function makesAmount(behind: string): boolean {
  return unitAt(tokenize(behind, 0, Math.min(behind.length, UNIT_CHARS_MAX)), 0) !== undefined;
}

const UNIT_CHARS_MAX = 40;
const NUMBER = `(?:${cardinalWords("en").join("|")})`;
const END = "(?![\\p{L}\\p{N}]|[.,:]\\d| ?[%°]| ?[–-] ?\\d)";
const WORD = "(?!(?:minus|plus)\\b)(\\p{L}+)(?:,? (?:number|no\\.?|nr\\.?))?";
const NAMED = new RegExp(`(?<![\\p{L}\\p{N}])(?:(\\p{L}+):? )?${WORD}( |-|)(\\d{1,3})${END}`, "gu");
const SAID_BEFORE = new RegExp(
  `(?<![\\p{L}\\d.,])(\\d{1,3}|${NUMBER}(?:[ -]${NUMBER}){0,3}) (\\p{L}+)`,
  "giu",
);
const MORE = new RegExp(`^(?:, \\d{1,3})*,? (?:and|or) \\d{1,3}${END}`, "u");
const SAID = new RegExp(`(?<!\\p{L})${WORD} (\\d{1,3}|${NUMBER}(?:[ -]${NUMBER}){0,3})${END}`, "giu");
