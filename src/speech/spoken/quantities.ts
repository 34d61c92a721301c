/**
 * Numbers with what belongs to them: signs, ranges, tolerances, sizes, units, scales and currencies.
 * "10–15 °C" is ten to fifteen degrees Celsius, "600 × 400 mm" six hundred by four hundred millimetres.
 */
import type { Currency, GrammaticalCase, Noun, SpokenLanguage } from "./language.js";
import { isNamed, isPlain, type Numerals, pluralCategories, type WrittenNumeral } from "./numerals.js";
import { anyOf, dotted, matchAt, type Reader, wordsBefore } from "./reader.js";
import type { UnitLexicon, WrittenUnit } from "./units.js";

/** Everything the parts of this file share, made once for a language. */
export interface QuantityDeps {
  readonly language: SpokenLanguage;
  readonly numerals: Numerals;
  readonly units: UnitLexicon;
}

type Sign = "" | "minus" | "plus";
type Link = "range" | "by" | "plusOrMinus" | "ratio" | "slash" | "word";

interface WrittenQuantity {
  readonly sign: Sign;
  readonly numeral: WrittenNumeral;
  readonly scale: Noun | undefined;
  readonly unit: WrittenUnit | undefined;
  /** The unit describes a noun: "5-mm hose". */
  readonly isBeforeNoun: boolean;
  readonly money: Currency | undefined;
  readonly end: number;
}

/** A chain of quantities and what links them; the links are one fewer. */
interface Chain {
  readonly quantities: readonly WrittenQuantity[];
  readonly links: readonly LinkedQuantity[];
  readonly end: number;
}

/** Reads a quantity or several; passes where a plain number stands alone. */
export function quantityReader(deps: QuantityDeps): Reader {
  const parser = parserOf(deps);
  const sayer = sayerOf(deps);
  return (text, at) => {
    const chain = parser(text, at);
    if (chain === undefined || isBare(chain)) return undefined;
    const words = sayer(text, at, chain);
    // "3 l/day": what comes behind is a word.
    const isPer =
      chain.quantities.at(-1)!.unit !== undefined && matchAt(PER_WORD, text, chain.end) !== undefined;
    return isPer ? { words: `${words} ${deps.language.per}`, end: chain.end + 1 } : { words, end: chain.end };
  };
}

function isBare({ quantities }: Chain): boolean {
  const [only] = quantities;
  return (
    quantities.length === 1 &&
    only!.sign === "" &&
    only!.unit === undefined &&
    only!.scale === undefined &&
    only!.money === undefined &&
    isPlain(only!.numeral)
  );
}

const PER_WORD = /\/(?=\p{Ll}{2,})/uy;
const SPACE = "[ \u00a0\u202f\u2009]";
/** A unit may follow at once, after a space, or after a hyphen: "5-mm". */
const BEFORE_UNIT = new RegExp(`${SPACE}|-`, "uy");
const LINKS: readonly (readonly [RegExp, Link])[] = [
  [new RegExp(`${SPACE}?±${SPACE}?|${SPACE}?\\+/[-−–]${SPACE}?`, "uy"), "plusOrMinus"],
  [
    new RegExp(
      `${SPACE}?[×✕](?!${SPACE}?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])${SPACE}?|${SPACE}[xх]${SPACE}|[xх](?=\\d)|(?<=\\d)${SPACE}?\\*${SPACE}?`,
      "uy",
    ),
    "by",
  ],
  [new RegExp(`${SPACE}?(?:[–—÷]|…|\\.{3})${SPACE}?|${SPACE}?-${SPACE}?`, "uy"), "range"],
  [/:(?=\d)| : (?=\d)/uy, "ratio"],
  [/\//uy, "slash"],
];
/** As many parts as a chain has at most: length, width and height, and one to spare. */
const CHAIN_MAX = 4;

function parserOf(deps: QuantityDeps): (text: string, at: number) => Chain | undefined {
  const quantityAt = quantityParser(deps);
  const linkWord = new RegExp(` (?:${deps.language.linkWords}) `, "uy");
  const linkPatterns: readonly (readonly [RegExp, Link])[] = [...LINKS, [linkWord, "word"]];
  return (text, at) => {
    const first = quantityAt(text, at);
    if (first === undefined) return undefined;
    const quantities = [first];
    const links: LinkedQuantity[] = [];
    while (quantities.length < CHAIN_MAX) {
      const last = quantities.at(-1)!;
      const next = linkedAt(text, last.end, quantityAt, linkPatterns);
      if (next === undefined || !isChain(text, at, quantities, next)) break;
      quantities.push(next.quantity);
      links.push(next);
    }
    const { end } = quantities.at(-1)!;
    return { quantities, links, end };
  };
}

interface LinkedQuantity {
  readonly link: Link;
  readonly written: string;
  readonly quantity: WrittenQuantity;
}

function linkedAt(
  text: string,
  at: number,
  quantityAt: (text: string, at: number) => WrittenQuantity | undefined,
  patterns: readonly (readonly [RegExp, Link])[],
): LinkedQuantity | undefined {
  for (const [pattern, link] of patterns) {
    const written = matchAt(pattern, text, at)?.[0];
    if (written === undefined) continue;
    const quantity = quantityAt(text, at + written.length);
    if (quantity !== undefined) return { link, written: written.trim(), quantity };
  }
  return undefined;
}

/** A hyphen between numbers is a range only where it cannot be part of a name; a slash only before a unit. */
function isChain(
  text: string,
  at: number,
  before: readonly WrittenQuantity[],
  { link, written, quantity }: LinkedQuantity,
): boolean {
  const last = before.at(-1)!;
  const hasUnit = isMeasured(quantity);
  if (link === "word") return hasUnit && !isMeasured(last) && last.numeral.fraction === undefined;
  if (link === "slash") return hasUnit && isPlain(last.numeral) && isPlain(quantity.numeral);
  if (link === "ratio") return last.unit === undefined && isRatio(last.numeral, quantity.numeral);
  if (link !== "range") return true;
  if (before.length > 1 && last.unit === undefined) return false;
  const follows = /[-–—]\p{N}/uy;
  follows.lastIndex = quantity.end;
  if (follows.test(text)) return false;
  if (written !== "-" || hasUnit) return true;
  const [low, high] = [last.numeral, quantity.numeral];
  const isRising = Number(`${low.whole}.${low.decimals}`) < Number(`${high.whole}.${high.decimals}`);
  const isName = /^0\d/.test(low.whole) || high.whole.length > 4 || high.whole.length - low.whole.length > 1;
  return isRising && !isName && !/[\p{L}\p{N}]-?$/u.test(text.slice(Math.max(0, at - 2), at));
}

/** "1:1000", "3:2"; but "388:2016" is a standard with its year. */
function isRatio(first: WrittenNumeral, second: WrittenNumeral): boolean {
  if ([first, second].some(({ decimals, fraction }) => decimals !== "" || fraction !== undefined))
    return false;
  return (
    [first, second].some(({ whole }) => whole === "1") ||
    Math.max(first.whole.length, second.whole.length) <= 3
  );
}

function isMeasured({ unit, scale, money }: WrittenQuantity): boolean {
  return unit !== undefined || scale !== undefined || money !== undefined;
}

function quantityParser({ language, numerals, units }: QuantityDeps) {
  const money = moneyParser(language);
  const scales = new RegExp(`${SPACE}?(${anyOf(Object.keys(language.scales))})(?![\\p{L}\\p{N}])`, "uy");
  return (text: string, at: number): WrittenQuantity | undefined => {
    const sign = signAt(text, at);
    const leading = money.before(text, at + (sign === "" ? 0 : 1));
    const start = leading?.end ?? at + (sign === "" ? 0 : 1);
    const late = sign === "" && leading !== undefined ? signAt(text, start, true) : "";
    const numeral = numerals.at(text, start + (late === "" ? 0 : 1));
    if (numeral === undefined) return undefined;
    const scaled = matchAt(scales, text, numeral.end);
    const scale = scaled === undefined ? undefined : language.scales[scaled[1]!];
    const end = dotted(text, numeral.end + (scaled?.[0].length ?? 0), scaled?.[1]);
    const of = scale === undefined ? "" : (matchAt(/ de | d['’]/y, text, end)?.[0] ?? "");
    const trailing = leading === undefined ? money.behind(text, end + of.trimEnd().length) : undefined;
    const written = { sign: sign === "" ? late : sign, numeral, scale };
    const { money: paid } = leading ?? trailing ?? {};
    if (paid !== undefined)
      return { ...written, unit: undefined, isBeforeNoun: false, money: paid, end: trailing?.end ?? end };
    const unit = unitAt(text, start, end, units, language) ?? namedUnitAt(text, numeral, scale, units);
    const unitEnd = unit === undefined ? end : dotted(text, unit.end, unit.symbol);
    const isHyphened = unit !== undefined && text[unit.end - unit.symbol.length - 1] === "-";
    const isInches =
      /^(?:"|in)$/.test(unit?.symbol ?? "") && /^ \p{Ll}/u.test(text.slice(unitEnd, unitEnd + 2));
    const isBeforeNoun = language.isSingularBeforeNoun && (isHyphened || isInches);
    return { ...written, unit, isBeforeNoun, money: undefined, end: unitEnd };
  };
}

/** A minus is one at the start of a word only; elsewhere it is a hyphen. */
function signAt(text: string, at: number, isInside = false): Sign {
  const sign = text[at];
  if (sign !== "-" && sign !== "−" && sign !== "–" && sign !== "+") return "";
  if (!/[\d$€£₴½]/u.test(text[at + 1] ?? "")) return "";
  if (!isInside && at > 0 && !/[\s(["'“„«:;,=<>≤≥~≈±]|[×/–…÷]/u.test(text[at - 1]!)) return "";
  return sign === "+" ? "plus" : "minus";
}

/** Never units straight behind the number: "4K", "1990s". */
const NUMBER_AS_A_NAME = /^(?:\d+K|\d{4}s)$/;

function unitAt(
  text: string,
  start: number,
  end: number,
  units: UnitLexicon,
  language: SpokenLanguage,
): WrittenUnit | undefined {
  const gap = matchAt(BEFORE_UNIT, text, end)?.[0] ?? "";
  const unit = units.at(text, end + gap.length) ?? scaleAt(text, end + gap.length, units);
  if (unit === undefined) return undefined;
  const behind = text[unit.end] ?? "";
  if (gap === "" && NUMBER_AS_A_NAME.test(text.slice(start, unit.end))) return undefined;
  if (unit.symbol === "x" && gap !== "") return undefined;
  if (unit.symbol === '"' && (gap !== "" || opensQuote(text, start))) return undefined;
  if (/^\p{Lu}$/u.test(unit.symbol)) {
    if (behind === "-" && /[\p{L}\d]/u.test(text[unit.end + 1] ?? "") && gap === "") return undefined;
    if (isNamed(text, start, language)) return undefined;
  }
  return NEEDS_DOT.has(unit.symbol) && dotted(text, unit.end, unit.symbol) === unit.end ? undefined : unit;
}

/** "4C", "350 F": a scale of temperature without its sign. */
function scaleAt(text: string, at: number, units: UnitLexicon): WrittenUnit | undefined {
  const symbol = matchAt(/[CF](?![\p{L}\p{N}])/uy, text, at)?.[0];
  const unit = symbol === undefined ? undefined : units.at(`°${symbol}`, 0);
  return unit === undefined ? undefined : { noun: unit.noun, symbol: symbol!, end: at + 1 };
}

/** A unit in full behind a number that is put into words: "½ litre" is half a litre. */
function namedUnitAt(
  text: string,
  numeral: WrittenNumeral,
  scale: Noun | undefined,
  units: UnitLexicon,
): WrittenUnit | undefined {
  if (isPlain(numeral) || scale !== undefined || text[numeral.end] !== " ") return undefined;
  return units.named(text, numeral.end + 1);
}

/** Words that are units only when abbreviated: "12 in. pipe", but "3 in the morning". */
const NEEDS_DOT = new Set(["in"]);

/** Whether a quotation is open before `at`, so that a mark behind the number closes it. */
function opensQuote(text: string, at: number): boolean {
  return (text.slice(Math.max(0, at - 80), at).match(/["“„”]/g)?.length ?? 0) % 2 === 1;
}

function moneyParser({ currencies }: SpokenLanguage) {
  const names = anyOf(Object.keys(currencies));
  const signs = anyOf(Object.keys(currencies).filter((key) => /^\P{L}|^(?:US|A|C)\$|^[A-Z]{3}$/u.test(key)));
  const beforeNumber = new RegExp(`(?<![\\p{L}\\p{N}])(${signs})${SPACE}?(?=[-−–]?\\d)`, "uy");
  const behindNumber = new RegExp(`${SPACE}?(${names})(?![\\p{L}\\p{N}])`, "uy");
  const at = (pattern: RegExp) => (text: string, from: number) => {
    const match = matchAt(pattern, text, from);
    if (match === undefined) return undefined;
    return { money: currencies[match[1]!]!, end: dotted(text, from + match[0].length, match[1]) };
  };
  return { before: at(beforeNumber), behind: at(behindNumber) };
}

type Sayer = (text: string, at: number, chain: Chain) => string;

function sayerOf({ language, numerals }: QuantityDeps): Sayer {
  const category = pluralCategories(language.tag);
  const counted = (numeral: WrittenNumeral, noun: Noun, inCase: GrammaticalCase): string => {
    const which = category(numeral);
    if (inCase !== "nominative" && language.governed !== undefined)
      return language.governed(noun, which, inCase);
    const form = noun[which === "one" || which === "few" || which === "many" ? which : "other"];
    return which === "many" && language.ofMillions !== undefined ? language.ofMillions(noun.other) : form;
  };
  const amount = (numeral: WrittenNumeral, gender: Noun["gender"] | undefined, inCase: GrammaticalCase) =>
    numerals.say(numeral, gender, inCase);
  const quantity = (
    { sign, numeral, scale, unit, isBeforeNoun, money }: WrittenQuantity,
    shared: Noun | undefined,
    inCase: GrammaticalCase,
  ) => {
    const signWord = sign === "" ? "" : `${language.signs[sign]} `;
    const noun = money?.major ?? unit?.noun;
    if (scale !== undefined) {
      const many = `${amount(numeral, scale.gender, inCase)} ${counted(numeral, scale, inCase)}`;
      if (noun === undefined) return signWord + many;
      return `${signWord}${many} ${language.ofMillions?.(noun.other) ?? noun.many}`;
    }
    if (money !== undefined) return signWord + sum(numeral, money, inCase);
    if (numeral.fraction !== undefined && noun !== undefined && !isBeforeNoun)
      return signWord + language.numbers.fraction(numeral.fraction, noun);
    const words = amount(numeral, (noun ?? shared)?.gender, inCase);
    if (isBeforeNoun && noun !== undefined) return `${signWord}${words} ${noun.one}`;
    return noun === undefined ? signWord + words : `${signWord}${words} ${counted(numeral, noun, inCase)}`;
  };
  const sum = (numeral: WrittenNumeral, { major, minor }: Currency, inCase: GrammaticalCase): string => {
    const whole: WrittenNumeral = { ...numeral, decimals: "" };
    const cents = { ...whole, whole: String(Number(numeral.decimals)), isGrouped: false };
    if (numeral.fraction !== undefined) return language.numbers.fraction(numeral.fraction, major);
    if (minor === undefined || numeral.decimals.length !== 2) {
      return `${amount(numeral, major.gender, inCase)} ${counted(numeral, major, inCase)}`;
    }
    const parts: string[] = [];
    if (Number(whole.whole) > 0 || cents.whole === "0")
      parts.push(`${amount(whole, major.gender, inCase)} ${counted(whole, major, inCase)}`);
    if (cents.whole !== "0")
      parts.push(`${amount(cents, minor.gender, inCase)} ${counted(cents, minor, inCase)}`);
    return parts.join(` ${language.moneyAnd} `);
  };
  return (text, at, chain) => sayChain(text, at, chain, language, quantity);
}

function sayChain(
  text: string,
  at: number,
  chain: Chain,
  language: SpokenLanguage,
  quantity: (quantity: WrittenQuantity, shared: Noun | undefined, inCase: GrammaticalCase) => string,
): string {
  const { quantities, links } = chain;
  const before = wordsBefore(text, at);
  const asked = language.cases.find(([words]) => words.test(before))?.[1] ?? "nominative";
  const lastUnit = quantities.at(-1)!.unit?.noun ?? quantities.at(-1)!.money?.major;
  const isRange = links.some(({ link }) => link === "range");
  const inCase = isRange && asked === "nominative" ? language.range.inCase : asked;
  let words = "";
  quantities.forEach((each, index) => {
    const { link, written = "" } = links[index - 1] ?? {};
    if (link === "word") words += ` ${written} `;
    else if (link === "range") words += ` ${language.range.between} `;
    else if (link !== undefined) words += `${link === "plusOrMinus" ? "," : ""} ${language.signs[link]} `;
    const eachCase = link === "ratio" ? language.range.inCase : inCase;
    words += quantity(withMoneyOfFirst(each, chain), lastUnit, eachCase);
  });
  const opening = isRange && asked === "nominative" ? language.range.opening : "";
  return opening === "" ? words : `${opening} ${words}`;
}

/** "$5–10": the sign before the first is meant for both. */
function withMoneyOfFirst(each: WrittenQuantity, { quantities, links }: Chain): WrittenQuantity {
  const { money } = quantities[0]!;
  const isMeant = money !== undefined && links.every(({ link }) => link === "range") && !isMeasured(each);
  return isMeant ? { ...each, money } : each;
}
