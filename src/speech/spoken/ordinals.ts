/** Ordinals (1st, 3º, 2e, "am 3. Tag", 5-й) and Roman numerals behind a word that is counted so ("Annex IV"). */
import type { SpokenLanguage } from "./language.js";
import { matchAt, type Reader, wordsBefore } from "./reader.js";

export function ordinalReader(language: SpokenLanguage): Reader {
  const pattern = new RegExp(`(\\d{1,6})(${language.ordinalSuffix})`, "iuy");
  return (text, at) => {
    const match = matchAt(pattern, text, at);
    if (match === undefined) return undefined;
    const words = language.ordinal(match[1]!, match[2]!, wordsBefore(text, at));
    return words === undefined ? undefined : { words, end: at + match[0].length };
  };
}

const ROMAN = /(?=[IVX])(X{0,3})(IX|IV|V?I{0,3})(?![\p{L}\p{N}]|-\p{L})/uy;
const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };

export function romanReader(language: SpokenLanguage): Reader {
  const context = new RegExp(`(?:^|[^\\p{L}])(?:${language.chapters})$`, "iu");
  return (text, at) => {
    const match = matchAt(ROMAN, text, at)?.[0];
    if (match === undefined || match === "" || !context.test(wordsBefore(text, at))) return undefined;
    return { words: language.numbers.count(String(romanValue(match))), end: at + match.length };
  };
}

/** A letter before a greater one is taken away. */
function romanValue(roman: string): number {
  const values = [...roman].map((letter) => VALUES[letter]!);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
