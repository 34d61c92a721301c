/** Abbreviations in full: "e.g.", "z. B.", "p. ej.", "m.in."; a full stop that ends the sentence stays. */
import type { SpokenLanguage } from "./language.js";
import { anyOf, matchAt, type Reader } from "./reader.js";

export function abbreviationReader({ abbreviations, sentenceEnders }: SpokenLanguage): Reader {
  const keys = Object.keys(abbreviations);
  const pattern = new RegExp(keys.map(patternOf).sort(byLength).join("|"), "uy");
  const words = new Map(
    keys.map((key) => [normal(key) + (key.endsWith("^") ? "^" : ""), abbreviations[key]!.trim()]),
  );
  const enders = new Set(sentenceEnders.map(normal));
  return (text, at) => {
    // Parts of paths and addresses are none.
    if (at > 0 && /[/\\@_.-]/.test(text[at - 1]!)) return undefined;
    const match = readAt(pattern, text, at);
    if (match === undefined) return undefined;
    const end = at + match.length;
    const key = normal(match);
    const said =
      (isBeforeName(text, at, end) ? words.get(`${key}^`) : undefined) ??
      words.get(key) ??
      words.get(key[0]!.toLowerCase() + key.slice(1));
    if (said === undefined) return undefined;
    const capital = words.has(key) || words.has(`${key}^`) ? said : said[0]!.toUpperCase() + said.slice(1);
    return { words: capital + (isEnd(text, end, match, enders.has(key)) ? "." : ""), end };
  };
}

/** A key without its mark and spaces, which may be left out or be narrow. */
function normal(key: string): string {
  return key.replace(/[ \u00a0\u202f^]/g, "");
}

function byLength(a: string, b: string): number {
  return b.length - a.length;
}

/** Letters go no further behind an abbreviation; some need a number or a name. */
function patternOf(key: string): string {
  const spaced = anyOf([key.replace(/[ ^]$/, "")]).replaceAll(" ", "[ \u00a0\u202f]?");
  if (key.endsWith(" ")) return `${spaced}(?=[ \u00a0\u202f]?(?:\\d|[IVX]+(?!\\p{L})))`;
  if (key.endsWith("^")) return `${spaced}(?= \\p{Lu}\\p{Ll})`;
  return key.endsWith("/") ? `${spaced}(?=\\s|\\p{L}{3})` : `${spaced}(?![\\p{L}\\p{N}])`;
}

/** As written in the table, or with a capital at the beginning of a sentence. */
function readAt(pattern: RegExp, text: string, at: number): string | undefined {
  const exact = matchAt(pattern, text, at)?.[0];
  if (exact !== undefined) return exact;
  const first = text[at]!;
  if (first === first.toLowerCase() || /\p{Lu}/u.test(text[at + 1] ?? "")) return undefined;
  const start = text.slice(at, at + 24);
  const lower = matchAt(pattern, first.toLowerCase() + start.slice(1), 0)?.[0];
  return lower === undefined ? undefined : first + lower.slice(1);
}

/** Behind some a capital begins the next sentence; behind the others it is a name or, in German, any noun. */
function isEnd(text: string, end: number, written: string, mayEnd: boolean): boolean {
  if (!written.endsWith(".")) return false;
  const rest = text.slice(end, end + 8);
  if (/^["'”’»)\]]*\s*$/u.test(rest) && end + 8 >= text.length) return true;
  return mayEnd && /^["'”’»)\]]*\s+["'“„«(]*[\p{Lu}№#§¿¡]/u.test(rest);
}

/** "St. John", but not "Main St. John said". */
function isBeforeName(text: string, at: number, end: number): boolean {
  const isBehindName = /\p{Lu}[^\P{L}\p{Lu}]*\s$/u.test(text.slice(Math.max(0, at - 24), at));
  return !isBehindName && /^ \p{Lu}\p{Ll}/u.test(text.slice(end, end + 3));
}
