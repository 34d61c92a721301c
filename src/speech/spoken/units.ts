/**
 * Units of measurement as they are written ("kWh", "m³/h", "N·m", "N/mm²") to what a language calls them. Symbols and
 * prefixes follow the BIPM's "The International System of Units", 9th edition.
 */
import { shippedEntries } from "../../lib/shipped-files.js";
import { mapNoun, type Noun, type SpokenLanguage } from "./language.js";
import { matchAt } from "./reader.js";

export interface WrittenUnit {
  readonly noun: Noun;
  /** As it stands in the text. */
  readonly symbol: string;
  readonly end: number;
}

/** Reads the unit that begins at a place of a text. */
export interface UnitLexicon {
  /** A symbol. */
  at(text: string, at: number): WrittenUnit | undefined;
  /** A name, in any of its forms: "litres". */
  named(text: string, at: number): WrittenUnit | undefined;
}

export function unitsOf(language: SpokenLanguage): UnitLexicon {
  const nouns = symbols(language);
  const byName = new Map(
    [...nouns.values()].flatMap((noun) => formsOf(noun).map((form) => [form, noun] as const)),
  );
  const per = new RegExp(`[ -](?:${language.per}) `, "uy");
  return {
    at(text, at) {
      const found = expressionAt(text, at, nouns, language, 0);
      return found === undefined ? undefined : { ...found, symbol: text.slice(at, found.end) };
    },
    named(text, at) {
      const words = matchAt(NAME, text, at)?.[0].split(" ") ?? [];
      for (; words.length > 0; words.pop()) {
        const symbol = words.join(" ");
        const noun = byName.get(symbol);
        const end = at + symbol.length;
        if (noun !== undefined)
          return matchAt(per, text, end) === undefined ? { noun, symbol, end } : undefined;
      }
      return undefined;
    },
  };
}

/** No name of a unit has more words: "funta na cal kwadratowy". */
const NAME = /[\p{L}'’-]{1,40}(?: [\p{L}'’-]{1,40}){0,5}/uy;
const SYMBOL_CHARS_MAX = 10;
const FACTORS_MAX = 3;
const POWER_SIGN = /[²³]|\^?[23](?!\p{N})/uy;

/** A symbol with its power and what it is multiplied with or divided by; of several that fit the longest. */
function expressionAt(
  text: string,
  at: number,
  nouns: ReadonlyMap<string, Noun>,
  language: SpokenLanguage,
  factors: number,
): { readonly noun: Noun; readonly end: number } | undefined {
  for (let length = Math.min(SYMBOL_CHARS_MAX, text.length - at); length > 0; length--) {
    const base = nouns.get(text.slice(at, at + length));
    if (base === undefined) continue;
    const power = matchAt(POWER_SIGN, text, at + length)?.[0];
    const noun = powered(base, power, language);
    const end = at + length + (power?.length ?? 0);
    const sign = text[end] ?? "";
    const next =
      factors < FACTORS_MAX && /[·⋅*/]/.test(sign)
        ? expressionAt(text, end + 1, nouns, language, factors + 1)
        : undefined;
    if (next !== undefined) return { noun: joined(noun, sign, next.noun, language), end: next.end };
    if (!/[\p{L}\p{N}_²³]/u.test(sign)) return { noun, end };
  }
  return undefined;
}

function formsOf({ one, few, many, other }: Noun): readonly string[] {
  return [one, few, many, other];
}

function joined(first: Noun, sign: string, second: Noun, { per }: SpokenLanguage): Noun {
  return sign === "/"
    ? mapNoun(first, (form) => `${form} ${per} ${second.per}`)
    : mapNoun(first, (form) => `${form} ${second.one}`);
}

function powered(noun: Noun, power: string | undefined, language: SpokenLanguage): Noun {
  if (power === undefined) return noun;
  return /[²2]/.test(power) ? language.squared(noun) : language.cubed(noun);
}

/** Which units take which prefixes: those that are in use, so that no word is mistaken for a unit. */
const PREFIXED = shippedEntries("locales/words/unit-prefixes.txt");

/** Other ways to write a symbol, in every language. */
const ALIASES = shippedEntries("locales/words/unit-aliases.txt");

/** Never read alone: "B" and "F" are letters of names; only with a prefix are they bytes and farads. */
const ONLY_PREFIXED = new Set(["B", "F", "H"]);

function symbols(language: SpokenLanguage): Map<string, Noun> {
  const nouns = new Map<string, Noun>();
  for (const [symbol, noun] of Object.entries(language.units)) {
    if (!ONLY_PREFIXED.has(symbol)) nouns.set(symbol, noun);
    for (const prefix of PREFIXED[symbol]?.split(" ") ?? [])
      if (!(`${prefix}${symbol}` in language.units))
        nouns.set(
          `${prefix}${symbol}`,
          mapNoun(noun, (form) => language.prefixed(language.prefixes[prefix]!, form)),
        );
  }
  addLocal(nouns, language);
  for (const [alias, symbol] of Object.entries({ ...ALIASES, ...language.unitAliases })) {
    const target = nouns.get(symbol) ?? composed(symbol, nouns, language);
    if (target !== undefined && !nouns.has(alias)) nouns.set(alias, target);
  }
  for (const prefix of PREFIXED.l!.split(" ")) {
    const small = nouns.get(`${prefix}l`);
    if (small !== undefined) nouns.set(`${prefix}L`, small);
  }
  return nouns;
}

function composed(
  symbol: string,
  nouns: ReadonlyMap<string, Noun>,
  language: SpokenLanguage,
): Noun | undefined {
  const [, base = "", power, below] = /^([^²³/]+)([²³])?(?:\/(.+))?$/u.exec(symbol) ?? [];
  const noun = nouns.get(base);
  if (noun === undefined) return undefined;
  const first = powered(noun, power, language);
  if (below === undefined) return first;
  const second = nouns.get(below);
  return second === undefined ? undefined : joined(first, "/", second, language);
}

/** "кВт" for "kW" and all its kin. */
function addLocal(nouns: Map<string, Noun>, { localSymbols }: SpokenLanguage): void {
  if (localSymbols === undefined) return;
  for (const [local, symbol] of Object.entries(localSymbols.units)) {
    const noun = nouns.get(symbol);
    if (noun !== undefined) nouns.set(local, noun);
    for (const [localPrefix, prefix] of Object.entries(localSymbols.prefixes)) {
      const prefixed = nouns.get(`${prefix}${symbol}`);
      if (prefixed !== undefined && PREFIXED[symbol]?.split(" ").includes(prefix))
        nouns.set(`${localPrefix}${local}`, prefixed);
    }
  }
}
