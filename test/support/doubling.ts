/**
 * Holds functions of text to linear time: texts of forty pathological families, and a test that twice the text takes
 * at most two and a half times as long. It compares processor times of one process with each other, shortest against shortest,
 * and tries again before it complains, so a busy machine does not fail it; an absolute time is never asserted.
 */
import { describe, expect, it } from "vitest";

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

/** How much longer twice the text may take. */
const RATIO_MAX = 2.5;
/** Below this a time says more of the machine than of the function, in milliseconds. */
const MEASURABLE_MS = 5;
const CHARS_MIN = 1_000;
/** A function that is quick even with this much text is quick enough. */
const CHARS_MAX = 64_000;
/** A function that is slower than this with the shortest text is not linear, or might as well not be. */
const HOPELESS_MS = 2_000;
const ATTEMPTS_MAX = 8;
const RUNS_PER_ATTEMPT = 3;

export interface DoublingOptions {
  /** The longest text that the function is meant for, where that is shorter: its callers cut or refuse the rest. */
  readonly charsMax?: number;
  readonly families?: readonly Family[];
}

/** One test a family: `work` takes at most two and a half times as long for twice the text. */
export function holdsDoubling(
  name: string,
  work: (text: string) => unknown,
  { charsMax = CHARS_MAX, families = FAMILIES }: DoublingOptions = {},
): void {
  describe(`${name}: time by length of text`, () => {
    it.each(families)("$name", async (family) => {
      const { ratio, chars, ms } = await doublingRatio(work, family, charsMax);
      const told = `${chars} characters: ${ms[0].toFixed(1)} ms, twice that: ${ms[1].toFixed(1)} ms`;
      expect(ratio, told).toBeLessThanOrEqual(RATIO_MAX);
    });
  });
}

interface Doubling {
  readonly ratio: number;
  readonly chars: number;
  readonly ms: readonly [number, number];
}

/** The time for twice the text over the time for the text, at the first length that can be measured. */
export async function doublingRatio(
  work: (text: string) => unknown,
  family: Family,
  charsMax: number,
): Promise<Doubling> {
  await timed(work, family.text(Math.min(CHARS_MIN, charsMax)));
  let chars = Math.min(CHARS_MIN, charsMax / 2);
  let once = await timed(work, family.text(chars));
  if (once > HOPELESS_MS) return { ratio: Number.POSITIVE_INFINITY, chars, ms: [once, once] };
  while (once < MEASURABLE_MS && chars * 4 <= charsMax) {
    chars *= 2;
    once = await timed(work, family.text(chars));
  }
  let best: Doubling = { ratio: Number.POSITIVE_INFINITY, chars, ms: [once, once] };
  for (let attempt = 0; attempt < ATTEMPTS_MAX && best.ratio > RATIO_MAX; attempt++) {
    const ms: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let run = 0; run < RUNS_PER_ATTEMPT; run++) {
      ms[0] = Math.min(ms[0], await timed(work, family.text(chars)));
      ms[1] = Math.min(ms[1], await timed(work, family.text(chars * 2)));
    }
    const ratio = ms[1] < MEASURABLE_MS ? 1 : ms[1] / Math.max(ms[0], MEASURABLE_MS / 4);
    if (ratio < best.ratio) best = { ratio, chars, ms };
  }
  return best;
}

/** Milliseconds of processor time: what other processes do on a busy machine does not count. */
async function timed(work: (text: string) => unknown, text: string): Promise<number> {
  const start = process.cpuUsage();
  await work(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
