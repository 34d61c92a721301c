/** Texts of forty pathological families, of any length: what has met something quadratic, or well might. */

export interface Family {
  readonly name: string;
  /** A text of this family with `chars` UTF-16 units. */
  text(chars: number): string;
}

/** What is repeated, and what stands before and after it. */
const PATTERNS: Readonly<
  Record<string, string | readonly [before: string, repeated: string, after: string]>
> = {
  "digits and blanks": "1 ",
  digits: "7",
  "numbers with commas": "1,",
  "numbers with points": "3.",
  "units after numbers": "5 mg ",
  "units without numbers": "kg/m² ",
  temperatures: "-40°C to ",
  ranges: "1-2-",
  times: "12:30 ",
  dates: "2026-11-22 ",
  codes: "AB-12/",
  versions: "1.2.3.",
  fractions: "1/2 ½ ",
  percentages: "5% ",
  prices: "€1.000,00 ",
  hyphens: "-",
  dashes: "– — ",
  "double quotes": '"',
  "curly quotes": "“a” ",
  apostrophes: "it's 'a ",
  CJK: "漢",
  "CJK sentences": "消火器の使い方。",
  "combining marks": ["e", "\u0301", ""],
  emoji: "👩🏽‍🚒",
  "lone surrogates": "\ud83d",
  "opening brackets": "(",
  "nested brackets": "([{",
  "bracket pairs": "(a) [b] ",
  commas: ",",
  "words and commas": "a, ",
  "one long word": "a",
  "alternating long word": ["", "ab", "!"],
  "one-letter words": "a ",
  "full stops": ".",
  "short sentences": "Stop it. ",
  "question marks": "What? ",
  blanks: ["x", " ", "x"],
  "line feeds": ["x", "\n", "x"],
  "table rows": "| 12 V | 3 A | never open |\n",
  "clauses with not": "do not open the valve unless it is closed and ",
};

export const FAMILIES: readonly Family[] = Object.entries(PATTERNS).map(([name, pattern]) => {
  const [before, repeated, after] = typeof pattern === "string" ? ["", pattern, ""] : pattern;
  const text = (chars: number) => {
    const room = chars - before.length - after.length;
    return before + repeated.repeat(Math.ceil(room / repeated.length)).slice(0, room) + after;
  };
  return { name, text };
});

/** One unit as often as it fits, for a function of which the forty families would say no more. */
export function repeating(unit: string): Family {
  return { name: JSON.stringify(unit), text: (chars) => unit.repeat(chars / unit.length) };
}
