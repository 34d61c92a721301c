/** Text to what an English synthesizer for ASCII can pronounce: signs become words, accents go, words stay short. */

/** flite's time grows with the square of a word's length; longer "words" are cut into pieces of this many letters. */
export const WORD_CHARS_MAX = 40;
const LONG_WORD = new RegExp(`\\S{${WORD_CHARS_MAX}}(?=\\S)`, "g");

/** The text to speak; `undefined` when most of it is in a script that the voice does not know. */
export function plainEnglish(text: string): string | undefined {
  let plain = text.normalize("NFC");
  for (const [sign, words] of SIGNS) plain = plain.replace(sign, words);
  const letters = count(plain, /\p{L}/gu);
  plain = plain
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(LONG_WORD, "$& ")
    .replace(/\s+/g, " ")
    .trim();
  return count(plain, /[a-z]/gi) * 2 < letters ? undefined : plain;
}

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d)\s*°\s*C\b/g, " degrees Celsius"],
  [/(?<=\d)\s*°\s*F\b/g, " degrees Fahrenheit"],
  [/°/g, " degrees "],
  [/[µμ](?=m\b)/g, "micro"],
  [/±/g, " plus or minus "],
  [/≥/g, " at least "],
  [/≤/g, " at most "],
  [/×/g, " times "],
  [/½/g, " and a half"],
  [/€\s*(\d+(?:[.,]\d+)?)/g, "$1 euros"],
  [/£\s*(\d+(?:[.,]\d+)?)/g, "$1 pounds"],
  [/(?<=\d)\s*[–—]\s*(?=\d)/g, " to "],
  [/(?:(?<!\s)\s+)?[–—]\s*/g, ", "],
  [/…/g, "."],
  [/[‘’‚‛]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/ß/g, "ss"],
  [/[øØ]/g, "o"],
  [/[æÆ]/g, "ae"],
  [/[łŁ]/g, "l"],
];

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
