/**
 * Whether an answer holds a wording, however it is spelt: capitals, spacing, punctuation, grouped thousands and numbers
 * in words make no difference ("one hundred twenty-one" is 121). Words and numbers count whole: `5 °C` is in neither
 * `15 °C` nor `1.5 °C` nor `-5 °C`.
 */
import { numeralAt } from "../words/quantity/numerals.js";
import { tokenize } from "../words/tokens.js";

/** Where a wording stands in a plain text: UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function holdsWording(text: string, wording: string): boolean {
  return spansOf(plainText(text), wording).length > 0;
}

/** Where the plain text holds the wording as whole words. */
export function spansOf(plain: string, wording: string): Span[] {
  const sought = plainText(wording);
  const spans: Span[] = [];
  if (sought === "") return spans;
  for (let start = plain.indexOf(sought); start >= 0; start = plain.indexOf(sought, start + 1)) {
    const end = start + sought.length;
    const before = plain.slice(Math.max(0, start - NEIGHBOURS), start);
    if (!isJoinedBefore(before, sought) && !isJoinedAfter(plain.slice(end, end + NEIGHBOURS), sought))
      spans.push({ start, end });
  }
  return spans;
}

/** UTF-16 units beside a wording that tell whether a word or a number goes on there. */
const NEIGHBOURS = 8;

/** The text as wordings are compared in it: small letters, digits, and the marks that make another number of one. */
export function plainText(text: string): string {
  const lower = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[−‐‑–]/g, "-");
  return withDigits(lower)
    .replace(/['’‘]/g, "")
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replace(/(?<!\p{L}|\p{N}|\p{N} )-(?=\p{N})/gu, MINUS)
    .replace(/[.,:/](?!\p{N})|(?<!\p{N})[.,:/]/gu, " ")
    .replace(/per ?cent(?!\p{L})/gu, "%")
    .replace(/%/g, " % ")
    .replace(/(?<=\p{N})(?=\p{L})/gu, " ")
    .replace(/[^\p{L}\p{M}\p{N}\p{Sc}%.,:/−]+/gu, " ")
    .trim();
}

/** A sign, as against a hyphen. */
const MINUS = "−";

/** Numbers in words become digits. Ordinals stay as they are. */
function withDigits(text: string): string {
  const tokens = tokenize(text);
  let [plain, from] = ["", 0];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!;
    const numeral = token.kind === "word" ? numeralAt(tokens, at) : undefined;
    if (numeral === undefined || numeral.form === "ordinal") {
      at += 1;
      continue;
    }
    plain += text.slice(from, token.start) + String(numeral.value);
    from = tokens[numeral.next - 1]!.end;
    at = numeral.next;
  }
  return plain + text.slice(from);
}

function isJoinedBefore(before: string, sought: string): boolean {
  if (/^[\p{L}\p{N}]/u.test(sought) && /[\p{L}\p{N}]$/u.test(before)) return true;
  return /^\p{N}/u.test(sought) && /(?:\p{N}[.,:/]|−)$/u.test(before);
}

function isJoinedAfter(after: string, sought: string): boolean {
  if (/[\p{L}\p{N}]$/u.test(sought) && /^[\p{L}\p{N}]/u.test(after)) return true;
  return /\p{N}$/u.test(sought) && /^[.,:/]\p{N}/u.test(after);
}
