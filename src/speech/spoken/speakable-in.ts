/**
 * Written text to what a voice can say in one language, read from left to right.
 *
 * The rule: digits stay only where a whole number stands alone ("step 3", "4 bolts"). Every voice reads those, and it
 * sees the noun behind them, which decides gender and case in most of the six languages. A number that carries
 * anything else (a separator, a sign, a unit, a currency, letters, a date, a time) is put into words here, because
 * there voices guess. So no value changes, and saying again what was said changes nothing.
 *
 * Words in capitals stay as they are: voices spell what cannot be pronounced and say the rest, and "NOT" is a word.
 * Only in names with digits do letters come apart.
 */
import {
  asciiDigits,
  exponentOf,
  FRACTION_SIGNS,
  SUPERSCRIPTS,
  TIMES_TEN,
} from "../../words/quantity/written-number.js";
import { speakable } from "../speakable.js";
import { abbreviationReader } from "./abbreviations.js";
import { addressReader } from "./addresses.js";
import { codeReader, dialledReader, goodsReader, versionReader } from "./codes.js";
import { ambiguousDateReader, dateReader } from "./dates.js";
import type { SpokenLanguage } from "./language.js";
import { languageFor } from "./languages/table.js";
import { digitByDigit, isPlain, numeralsOf } from "./numerals.js";
import { ordinalReader, romanReader } from "./ordinals.js";
import { quantityReader } from "./quantities.js";
import { isInsideWord, matchAt, type Reader, type SpokenSpan, wordBefore } from "./reader.js";
import { signReader } from "./signs.js";
import { timeReader } from "./times.js";
import { unitsOf } from "./units.js";

/**
 * The words of `text` in the language of this BCP 47 tag, on one line; empty when there is nothing to say. Only the
 * markup goes where the language is none that we speak.
 */
export function speakableIn(text: string, tag: string): string {
  const language = languageFor(tag);
  let words = speakable(text);
  if (language === undefined) return words;
  const readers = readersOf(language);
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const said = tidied(say(normal(words), readers));
    if (said === words) break;
    words = said;
  }
  return words;
}

/** A second pass finds nothing to do, save where a sign that is not said stood inside of something. */
const PASSES_MAX = 4;

interface Readers {
  readonly ofDigits: readonly Reader[];
  readonly ofLetters: readonly Reader[];
  readonly ofSigns: readonly Reader[];
}

const COMPILED = new Map<SpokenLanguage, Readers>();

function readersOf(language: SpokenLanguage): Readers {
  const known = COMPILED.get(language);
  if (known !== undefined) return known;
  const readers = compile(language);
  COMPILED.set(language, readers);
  return readers;
}

/** In order: the first that reads a place has read it. */
function compile(language: SpokenLanguage): Readers {
  const numerals = numeralsOf(language);
  const units = unitsOf(language);
  const quantity = quantityReader({ language, numerals, units });
  const address = addressReader(language);
  const date = dateReader(language);
  const dialled = dialledReader(language, units);
  const code = codeReader(language);
  const version = versionReader(language);
  const sign = signReader(language);
  /** A unit on its own: "in km/h". Words are none. */
  const unitAlone: Reader = (text, at) => {
    const unit = units.at(text, at);
    const isSign = unit !== undefined && /[/²³°Ω]|\p{Ll}\p{Lu}/u.test(unit.symbol) && unit.symbol.length > 1;
    if (!isSign) return undefined;
    const { noun, end } = unit;
    const isIn = language.governed !== undefined && /^[wув]$/u.test(wordBefore(text, at));
    return { words: isIn ? language.governed!(noun, "many", "locative") : noun.many, end };
  };
  /** "cells/mL": a word by a unit. */
  const perUnit: Reader = (text, at) => {
    const unit = /\p{L}\/$/u.test(text.slice(Math.max(0, at - 1), at + 1))
      ? units.at(text, at + 1)
      : undefined;
    if (unit === undefined || !/\p{Ll}\p{Lu}|µ/u.test(unit.symbol)) return undefined;
    return { words: ` ${language.per} ${unit.noun.per}`, end: unit.end };
  };
  const plain: Reader = (text, at) => {
    const numeral = numerals.at(text, at);
    if (numeral === undefined || !isPlain(numeral)) return undefined;
    const { whole, end } = numeral;
    const isAlone =
      ALONE_BEFORE.test(text.slice(Math.max(0, at - 2), at)) && ALONE_BEHIND.test(text.slice(end, end + 2));
    return { words: isAlone ? whole : language.numbers.count(whole), end };
  };
  const digits: Reader = (text, at) => {
    const run = matchAt(/\d+/y, text, at);
    if (run === undefined) return undefined;
    return { words: digitByDigit(run[0], language.numbers), end: at + run[0].length };
  };
  return {
    ofDigits: [
      address,
      date,
      timeReader(language),
      dialled,
      ambiguousDateReader(language),
      version,
      ordinalReader(language),
      quantity,
      code,
      plain,
      digits,
    ],
    ofLetters: [
      address,
      date,
      abbreviationReader(language),
      goodsReader(language),
      version,
      quantity,
      romanReader(language),
      unitAlone,
      code,
    ],
    ofSigns: [dialled, quantity, unitAlone, perUnit, sign],
  };
}

/** One form for what is written in several. */
function normal(text: string): string {
  return asciiDigits(text.normalize("NFC"))
    .replace(/\u03bc/g, "µ")
    .replace(/\u2126/g, "Ω")
    .replace(/[\u2010\u2011]/g, "-")
    .replace(/[₀-₉]/g, (digit) => String(digit.codePointAt(0)! - 0x2080))
    .replace(/(?<=^|[\s(±<>=≥≤~$€£+−-])\.(?=\d)/g, "0.")
    .replace(POWER_OF_TEN, (...match) => {
      const { exponent, raised } = match.at(-1) as Record<string, string | undefined>;
      return ` × 10${superscript(raised ?? exponent ?? "")}`;
    })
    .replace(/(?<=\d)\^[+−-]?\d{1,3}(?![\p{L}\p{N}])/gu, superscript);
}

/** Behind a number that is no part of a name. */
const POWER_OF_TEN = new RegExp(`(?<=(?<![\\p{L}\\p{N}.,:/-])\\d{1,15}(?:[.,]\\d{1,15})?)${TIMES_TEN}`, "gu");

function superscript(raised: string): string {
  return exponentOf(raised).replace(/./g, (digit) => (digit === "-" ? "⁻" : SUPERSCRIPTS[Number(digit)]!));
}

/** What may stand next to a number that stays in digits. */
const ALONE_BEFORE = /^$|\s$|(?:^|\D)["'(“„«‘’#№§°º]$/u;
const ALONE_BEHIND = /^$|^\s|^[.,;:!?)"'”“»’](?!\d)/u;
const WORD = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/uy;
const FRACTION = new RegExp(`[${FRACTION_SIGNS}]`, "u");

function say(text: string, readers: Readers): string {
  const said: string[] = [];
  let at = 0;
  while (at < text.length) {
    const reading = readAt(text, at, readers);
    said.push(reading.words);
    at = reading.end;
  }
  return said.join("");
}

function readAt(text: string, at: number, readers: Readers): SpokenSpan {
  const character = text[at]!;
  if (character === " ") return { words: " ", end: at + 1 };
  const isDigit = /\d/.test(character) || FRACTION.test(character);
  const isLetter = !isDigit && /\p{L}/u.test(character);
  const candidates = isDigit ? readers.ofDigits : isLetter ? readers.ofLetters : readers.ofSigns;
  const isInside = isInsideWord(text, at);
  for (const reader of isInside && !isDigit ? (isLetter ? [] : candidates) : candidates) {
    const reading = reader(text, at);
    if (reading !== undefined)
      return isDigit || isLetter ? spaced(text, at, reading) : apart(text, at, reading);
  }
  const word = matchAt(WORD, text, at)?.[0] ?? String.fromCodePoint(text.codePointAt(at)!);
  return { words: word, end: at + word.length };
}

/** What was read keeps a space from letters and digits around it. */
function spaced(text: string, at: number, { words, end }: SpokenSpan): SpokenSpan {
  const before = isInsideWord(text, at) ? " " : "";
  const after = /[\p{L}\p{N}]/u.test(text[end] ?? "") ? " " : "";
  return { words: before + words + after, end };
}

function apart(text: string, at: number, reading: SpokenSpan): SpokenSpan {
  return /^\s|\s$/.test(reading.words) ? reading : spaced(text, at, reading);
}

/** Single spaces, none before a full stop, and no dash at the beginning. */
function tidied(text: string): string {
  const line = text
    .replace(/\s+/g, " ")
    .replace(/ (?=[.,;:!?](?:\s|$))/g, "")
    // What is cried or asked is so once.
    .replace(/[!?]{2,}/g, (marks) => (marks.includes("?") ? "?" : "!"))
    .replace(/^[\s,;:–—-]+/, "")
    .trim();
  return /[\p{L}\p{N}]/u.test(line) ? line : "";
}
