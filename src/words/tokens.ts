/** Text to tokens with their places: words, numbers, codes such as `P-101`, symbols, and what separates clauses. */
import { pattern } from "../lib/pattern.js";
import { isNumbered } from "./labels.js";
import { unitNamed } from "./quantity/units.js";
import { numberWithPower } from "./quantity/written-number.js";

/** UTF-16 units of a word that is looked up, of a number that is read and of a code.; longer ones are not read. */
export const WORD_CHARS_MAX = 64;

export type TokenKind = "word" | "number" | "code" | "symbol" | "stop";

export interface Token {
  readonly kind: TokenKind;
  /** As written; of a number in ASCII digits, a power of ten as `5e8`; `±` for every sign of a tolerance. */
  readonly text: string;
  readonly lower: string;
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** The tokens of `whole` from `from` to `to`, in order. Hyphens, quotation marks and brackets are left out. */
export function tokenize(whole: string, from = 0, to = whole.length): Token[] {
  const tokens: Token[] = [];
  // Nothing looks further than the sentence reaches.
  const text = whole.slice(0, to);
  ATOM.lastIndex = from;
  for (let match = ATOM.exec(text); match !== null; match = ATOM.exec(text)) {
    const { index: start } = match;
    const code = codeAt(text, start, tokens.at(-1));
    const end = code ?? start + match[0].length;
    const isInch = /^["″]/.test(match[0]) && !isQuoted(text.slice(from, start));
    const token = isInch
      ? { kind: "symbol" as const, text: "in", lower: "in", start, end }
      : tokenOf(text, start, end, code !== undefined);
    if (token !== undefined) tokens.push(token);
    ATOM.lastIndex = token?.end ?? end;
  }
  return tokens;
}

/** Whether a quotation is open behind `text`: a mark right behind a digit opens none. */
function isQuoted(text: string): boolean {
  return (text.match(/(?<![\p{Nd}¼-¾⅐-⅞])"/gu)?.length ?? 0) % 2 === 1;
}

const ATOM = pattern("gu")`
  [°º]|\p{L}[\p{L}\p{M}\p{N}]*(?:['’](?!s(?![\p{L}]))\p{L}+)*|\p{Nd}+(?:[.,:'’]\p{Nd}+)*|
  (?<=[\p{Nd}¼-¾⅐-⅞])["″]|\+\/[-−–]|[℃℉%‰€$£¥±×¼-¾⅐-⅞≤≥<>=–—+−-]|[.,;:!?()…\/]
`;

/** Letters with digits, joined by hyphens, dots or slashes; at least one letter is a capital: `P-101`, `E42`, `M8x30`. */
const CODE = new RegExp(
  `(?=[\\p{L}\\d/.-]{0,${WORD_CHARS_MAX}}\\p{Lu})(?=[\\p{L}\\d/.-]{0,${WORD_CHARS_MAX}}\\d)` +
    `[\\p{L}\\d]{1,${WORD_CHARS_MAX}}(?:[-‑/.][\\p{L}\\d]{1,${WORD_CHARS_MAX}}){0,${WORD_CHARS_MAX}}`,
  "uy",
);
const CODE_PARTS =
  /^(?:\p{Lu}{1,6}\p{Ll}?[-‑/.]?\d|\d+\p{Lu}|\p{Lu}+[-‑/]|[^-‑/]*[-‑/].*\p{Lu}\d|\d+[-‑/]\p{Lu})/u;

function codeAt(text: string, start: number, before: Token | undefined): number | undefined {
  const first = text.charCodeAt(start);
  // Only capitals and digits can start a code; this saves the expression for most words.
  if (!((first >= 0x41 && first <= 0x5a) || (first >= 0x30 && first <= 0x39) || first > 0x7f))
    return undefined;
  if (start > 0 && /[\p{L}\p{Nd}°]/u.test(text[start - 1]!)) return undefined;
  CODE.lastIndex = start;
  const match = CODE.exec(text);
  if (match === null || match[0].length > WORD_CHARS_MAX) return undefined;
  const [found] = match;
  if (!isNumbered(before?.lower) && found.split("/").every(isAmount)) return undefined;
  return CODE_PARTS.test(found) ? start + found.length : undefined;
}

/** `230V` and `4C` are amounts; `3D`, `12B` and `4K` are names, and so is the last of "gate 4C". */
function isAmount(written: string): boolean {
  const [, letters = "B"] = /^\d+(?:[.,]\d+)?(\p{L}+\d?)$/u.exec(written) ?? [];
  return /^[CF]$/.test(letters) || (!/^[BDKX]$/i.test(letters) && unitNamed(letters) !== undefined);
}

function tokenOf(text: string, start: number, end: number, isCode: boolean): Token | undefined {
  const word = text.slice(start, end);
  const lower = word.toLowerCase().replaceAll("’", "'");
  if (isCode) return { kind: "code", text: word, lower, start, end };
  if (/^\p{Nd}/u.test(word)) {
    const number = numberWithPower(text, start, end);
    return { kind: "number", text: number.plain, lower: number.plain, start, end: number.end };
  }
  if (word === '"') return undefined;
  if (word.startsWith("+/")) return { kind: "symbol", text: "±", lower: "±", start, end };
  if (/^\p{L}/u.test(word)) return { kind: "word", text: word, lower, start, end };
  if (STOPS.has(word)) {
    // A hyphen without spaces joins words; with spaces it separates clauses as a dash does.
    if (HYPHENS.has(word) && !isSpaced(text, start, end)) return joiner(text, word, lower, start, end);
    return { kind: "stop", text: word, lower, start, end };
  }
  return { kind: "symbol", text: word, lower, start, end };
}

const STOPS: ReadonlySet<string> = new Set([..."-–—.,;:!?()…"]);
const HYPHENS: ReadonlySet<string> = new Set([..."-–—−"]);

function isSpaced(text: string, start: number, end: number): boolean {
  return /\s/.test(text[start - 1] ?? " ") && /\s/.test(text[end] ?? " ");
}

/** Between or before digits a dash says something: a range or a sign. */
function joiner(text: string, word: string, lower: string, start: number, end: number): Token | undefined {
  const before = text[start - 1] ?? " ";
  if (/\p{Nd}/u.test(text[end] ?? "") && /[\p{L}\p{Nd}\s(°%]/u.test(before))
    return { kind: "symbol", text: word, lower, start, end };
  return word === "—" || (word === "–" && /\s/.test(before))
    ? { kind: "stop", text: word, lower, start, end }
    : undefined;
}
