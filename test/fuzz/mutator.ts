/** New inputs from old ones: pieces changed, moved, repeated and mixed, with what tends to break readers of text. */
import type { Random } from "../../src/lib/random.js";

const MUTATIONS_MAX = 5;
const PIECE_CHARS_MAX = 24;
const REPEATS_MAX = 40;

/** Of every language and of none. */
const TROUBLE: readonly string[] = [
  " ",
  "\n",
  "\n\n",
  "\t",
  "\r\n",
  "\0",
  "\u00a0",
  "\u200b",
  "\u202e",
  "\ufeff",
  "\ud83d",
  "\udc00",
  "\u0301",
  ".",
  ",",
  ";",
  ":",
  "…",
  "?",
  "!",
  "-",
  "–",
  "(",
  ")",
  "[",
  "{",
  '"',
  "'",
  "“",
  "”",
  "«",
  "`",
  "*",
  "_",
  "#",
  "|",
  "\\",
  "/",
  "%",
  "°",
  "½",
  "²",
  "€",
  "&amp;",
  "<b>",
  "0",
  "1",
  "-1",
  "9007199254740993",
  "1e999",
  "1.000,5",
  "1,5",
  "½",
  "٣",
  "Ⅳ",
  "漢字。",
  "żółć",
  "İ",
  "ß",
  "ﬁ",
  "👩🏽‍🚒",
  "__proto__",
  "constructor",
  "undefined",
  "null",
  "NaN",
]; // prettier-ignore

export interface Source {
  readonly random: Random;
  /** Inputs to mix with. */
  readonly corpus: readonly string[];
  readonly words: readonly string[];
  readonly charsMax: number;
}

export function mutate(input: string, source: Source): string {
  let text = input;
  for (let left = 1 + below(MUTATIONS_MAX, source.random); left > 0; left--) text = once(text, source);
  return text.slice(0, source.charsMax);
}

/** An integer from 0, less than `bound`. */
export function below(bound: number, { fraction }: Random): number {
  return Math.floor(fraction() * bound);
}

export function pick<T>(from: readonly T[], random: Random): T {
  return from[below(from.length, random)]!;
}

function once(text: string, { random, corpus, words }: Source): string {
  const at = below(text.length + 1, random);
  const to = Math.min(text.length, at + 1 + below(PIECE_CHARS_MAX, random));
  const [before, piece, after] = [text.slice(0, at), text.slice(at, to), text.slice(to)];
  switch (below(10, random)) {
    case 0:
      return before + after;
    case 1:
      return before + piece.repeat(2 + below(below(4, random) === 0 ? REPEATS_MAX : 2, random)) + after;
    case 2:
      return before + pick(TROUBLE, random) + piece + after;
    case 3:
    case 4:
      return before + (words.length > 0 ? pick(words, random) : "") + piece + after;
    case 5:
      return (
        before +
        String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << below(8, random))) +
        text.slice(at + 1)
      );
    case 6:
      return text.replace(/\d+/, () => String(below(below(2, random) === 0 ? 10 : 100_000, random)));
    case 7: {
      const other = pick(corpus, random);
      const from = below(other.length + 1, random);
      return before + other.slice(from, from + 1 + below(PIECE_CHARS_MAX * 4, random)) + after;
    }
    case 8:
      return before + pick(corpus, random).slice(below(text.length + 1, random));
    default: {
      const place = below(before.length + 1, random);
      return before.slice(0, place) + piece + before.slice(place) + after;
    }
  }
}
