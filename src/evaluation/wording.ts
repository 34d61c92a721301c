/**
 * Whether an answer holds a wording, however it is spelt: capitals, spacing, punctuation, grouped thousands and numbers
 * in words make no difference ("one hundred twenty-one" is 121).
 */
import { numeralAt } from "../words/quantity/numerals.js";
import { tokenize } from "../words/tokens.js";

/** Where a wording stands in a plain text: UTF-16 offsets. */
export interface WordingPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * `whole`: words and numbers count whole: `5 °C` is in neither `15 °C` nor `1.5 °C` nor `-5 °C`. `begun`, as answer keys
 * are written: the last word may go on in the answer ("clean" in "cleaning"), and a sign is no part of a number.
 */
export type ReadAs = "whole" | "begun";

export function holdsWording(text: string, wording: string): boolean {
  return spansOf(plainText(text), wording, "whole").length > 0;
}

/** Where the plain text holds the wording. */
export function spansOf(plain: string, wording: string, reading: ReadAs): WordingPlace[] {
  const sought = plainText(wording);
  const spans: WordingPlace[] = [];
  if (sought === "") return spans;
  for (let start = plain.indexOf(sought); start >= 0; start = plain.indexOf(sought, start + 1)) {
    const end = start + sought.length;
    const before = plain.slice(Math.max(0, start - NEIGHBOURS), start);
    const after = plain.slice(end, end + NEIGHBOURS);
    if (isJoinedBefore(before, sought, reading)) continue;
    if (!isJoinedAfter(after, sought) || (reading === "begun" && mayGoOn(sought, after)))
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
    .replace(/(?<!\p{L})minus (?=\p{N})/gu, MINUS)
    .replace(/[.,](?!\p{N})|(?<!\p{N})[.,]/gu, " ")
    .replace(/%/g, " percent ")
    .replace(/(?<!\p{L})per cent(?!\p{L})/gu, "percent")
    .replace(/(?<=\p{N})(?=\p{L})/gu, " ")
    .replace(/[^\p{L}\p{M}\p{N}\p{Sc}.,−]+/gu, " ")
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

function isJoinedBefore(before: string, sought: string, reading: ReadAs): boolean {
  if (/^[\p{L}\p{N}]/u.test(sought) && /[\p{L}\p{N}]$/u.test(before)) return true;
  if (!/^\p{N}/u.test(sought)) return false;
  return /\p{N}[.,]$/u.test(before) || (reading === "whole" && before.endsWith(MINUS));
}

function isJoinedAfter(after: string, sought: string): boolean {
  if (/[\p{L}\p{N}]$/u.test(sought) && /^[\p{L}\p{N}]/u.test(after)) return true;
  return /\p{N}$/u.test(sought) && /^[.,]\p{N}/u.test(after);
}

/** Letters of a last word that is no number and may have any ending; a shorter one only that of the plural. */
const STEM_CHARS_MIN = 4;

function mayGoOn(sought: string, after: string): boolean {
  const last = sought.slice(sought.lastIndexOf(" ") + 1);
  if (!/\p{L}$/u.test(last)) return false;
  return last.length >= STEM_CHARS_MIN || /^s(?![\p{L}\p{N}])/u.test(after);
}
