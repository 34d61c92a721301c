/**
 * Scanners that need no server and no time: for text that people do not see, words put together from letters of several
 * alphabets, and texts too long to be looked at. What real writing needs is no attack: joiners, right-to-left marks, soft
 * hyphens, flags, spaces of no width between words, Greek letters of units, endings behind foreign names. Pure.
 */
import { LOOKALIKES } from "../grounding/injection.js";

export const SCANNED_CHARS_MAX = 65_536;

/** Which scanner refuses the text, if one does. */
export function localRefusal(text: string): "Size" | "InvisibleText" | "Homoglyphs" | undefined {
  if (text.length > SCANNED_CHARS_MAX) return "Size";
  const visible = text.replace(FLAG, "");
  if (INVISIBLE.some((invisible) => invisible.test(visible))) return "InvisibleText";
  return (text.match(WORD) ?? []).some(isDisguised) ? "Homoglyphs" : undefined;
}

/** The flags of England, Scotland and Wales are spelled in characters of the tag block: "gbeng", "gbsct", "gbwls". */
const FLAG =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu;

/** A letter or a digit beside which a space of no width separates nothing: not so in Thai, Khmer or Chinese. */
const BESIDE = "[\\p{sc=Latin}\\p{sc=Cyrillic}\\p{sc=Greek}\\p{sc=Arabic}\\p{sc=Hebrew}\\p{N}]";

const INVISIBLE: readonly RegExp[] = [
  // Characters of the tag block spell ASCII that no font shows.
  /[\u{E0000}-\u{E007F}]/u,
  // So do variants of characters, where they stand behind none that has variants, or several together.
  /(?<!\p{sc=Han})[\u{E0100}-\u{E01EF}]|[\u{E0100}-\u{E01EF}]{2}|[\uFE00-\uFE0F]{2}/u,
  new RegExp(`(?<=${BESIDE})[\\u200B\\u2060\\uFEFF\\u180E\\u115F\\u1160\\u3164\\uFFA0]+(?=${BESIDE})`, "u"),
  // They turn the order of what is shown around; operators of formulas; marks of annotations.
  /[\u202D\u202E\u2061-\u2065\u206A-\u206F\uFFF9-\uFFFB]/u,
  // Joiners and non-joiners as the bits of letters.
  /[\u200B-\u200D\u2060\uFEFF]{8}/u,
];

const WORD = /[\p{L}\p{M}]{4,}/gu;
const LATIN = /\p{sc=Latin}/u;
const ALIEN = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}]/u;
const GREEK = /\p{sc=Greek}/u;
const NEUTRAL = /[^\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}]|[μωΩΔδλπσΣΦφθ]/gu;
const RUNS = /\p{sc=Latin}+|\P{sc=Latin}+/gu;

/** Letters that look like one of another alphabet. */
const SEEMING = new Set(Object.entries(LOOKALIKES).flat());

/** The name of a product with the ending of another language: "Excelю", "PDFом". */
const NAME_WITH_ENDING = /^(?=\p{Lu})\p{sc=Latin}+\p{sc=Cyrillic}{1,3}$/u;

/** Whether letters of other alphabets stand among those of a word so that it looks like another one. */
function isDisguised(word: string): boolean {
  if (!LATIN.test(word) || !ALIEN.test(word) || NAME_WITH_ENDING.test(word)) return false;
  // Marks, and Greek letters that look like no other: those are units.
  const runs = word.replace(NEUTRAL, "").match(RUNS) ?? [];
  if (runs.length !== 2) return runs.length > 2;
  const [first, last] = runs as [string, string];
  // A symbol of a formula.
  if (first.length === 1 && GREEK.test(first)) return false;
  return Array.from(first.length <= last.length ? first : last).every((letter) => SEEMING.has(letter));
}
