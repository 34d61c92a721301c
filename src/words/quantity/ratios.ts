/** One part to how many: `1:10`, `4:1`, "mixed 1 to 9". */
import { shippedRows } from "../../lib/shipped-files.js";
import type { Token } from "../tokens.js";
import { numeralAt } from "./numerals.js";
import { type Quantity, quantityOf } from "./quantity.js";
import { unitAt } from "./unit-at.js";
import { NO_UNIT } from "./units.js";

const NAMED = new RegExp(
  `(?<![\\p{L}])(?:${shippedRows("locales/words/ratios.txt").join(" ").replaceAll(" ", "|")})(?![\\p{L}])`,
  "iu",
);

/** Whether the words before and behind make a ratio of what could be a time of day: "a 1:50 dilution". */
export function saysRatio(before: string, behind: string): boolean {
  return NAMED.test(before) || NAMED.test(behind);
}

const RATIO = /^(\d{1,9}(?:,\d{3})*(?:\.\d{1,9})?):(\d{1,9}(?:,\d{3})*(?:\.\d{1,9})?)$/;
/** Hours, and minutes in two digits; behind the number of a standard four digits are a year: "EN 388:2016". */
const MAY_BE_CLOCK = /^(?:[01]?\d|2[0-4]):[0-5]\d$/;
const MAY_BE_STANDARD = /^\d{3,}:(?:19|20)\d\d$/;
/** Words that are looked at on each side. */
const WORDS_BEFORE = 5;
const WORDS_BEHIND = 2;
const TO = /^(?:to|zu|pour|a|do|до)$/;

/** The ratio that begins at token `at`; the first number by the second is its amount. */
export function ratioAt(text: string, tokens: readonly Token[], at: number): Quantity | undefined {
  const parts = writtenAt(tokens, at) ?? spokenAt(tokens, at);
  if (parts === undefined) return undefined;
  const [above, below, next] = parts;
  const low = above / below;
  if (!Number.isFinite(low)) return undefined;
  const amount = { dimension: "proportion", low, high: low, printed: low, unit: NO_UNIT } as const;
  return quantityOf(text, tokens, at, next, amount);
}

type Parts = readonly [above: number, below: number, next: number];

function writtenAt(tokens: readonly Token[], at: number): Parts | undefined {
  const { text } = tokens[at]!;
  const parts = RATIO.exec(text);
  if (parts === null || MAY_BE_STANDARD.test(text)) return undefined;
  if (MAY_BE_CLOCK.test(text) && !isNamed(tokens, at, at + 1)) return undefined;
  const [above, below] = [parts[1]!, parts[2]!].map((part) => Number(part.replaceAll(",", "")));
  return [above!, below!, at + 1];
}

function spokenAt(tokens: readonly Token[], at: number): Parts | undefined {
  const above = numeralAt(tokens, at);
  if (above === undefined || above.form === "ordinal" || !TO.test(tokens[above.next]?.lower ?? ""))
    return undefined;
  const below = numeralAt(tokens, above.next + 1);
  if (below === undefined || below.form === "ordinal" || !isRatio(above.value, below.value)) return undefined;
  if (unitAt(tokens, below.next) !== undefined || !isNamed(tokens, at, below.next)) return undefined;
  return [above.value, below.value, below.next];
}

/** Of two figures that a word may join: "1 to 9" and "75 to 25", but not "5 to 10". */
function isRatio(above: number, below: number): boolean {
  return above === 1 || below === 1 || above + below === 100;
}

function isNamed(tokens: readonly Token[], at: number, next: number): boolean {
  const words = (from: number, to: number) =>
    tokens
      .slice(Math.max(0, from), to)
      .map(({ lower }) => lower)
      .join(" ");
  return saysRatio(words(at - WORDS_BEFORE, at), words(next, next + WORDS_BEHIND));
}
