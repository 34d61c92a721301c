/**
 * What a line says in the form of a key and a value: `key: value`, `key = value`, two cells of a table, attributes of an
 * element. Pure, and of bounded time: a line is looked at up to `LINE_CHARS_MAX`.
 */
import { wordSet } from "../../lib/word-set.js";
import { isRestrictive, KEY_CHARS_MAX, keyLevel, valueWords } from "./words.js";

export interface AccessClaim {
  readonly key: string;
  readonly value: string;
}

/** Characters of one line that are looked at. */
export const LINE_CHARS_MAX = 500;
/** Keys in one line. */
const KEYS_MAX = 24;

/** What parts cells, attributes and members. A comma does only before a quotation mark, unless it parts cells. */
const CELL_ENDS = /[|;{}<>()[\]\t]|,(?=\s*["'“‘])/;
const CELL_ENDS_OF_COMMAS = /[|;{}<>()[\]\t,]/;
const SEPARATOR = /[:=]|\s[-–—](?=\s)/g;
/** Marks of headings, lists, comments and quotations around what is written. */
const DECORATION = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;

/**
 * `next` is the following line, for a key whose value stands there. `isStructured`: every key counts, not only the one
 * that the line or the cell begins with. `commasPart`: the line is a record whose cells commas part.
 */
export function claimsIn(
  line: string,
  next: string,
  { isStructured, commasPart = false }: { readonly isStructured: boolean; readonly commasPart?: boolean },
): readonly AccessClaim[] {
  const plain = line
    .slice(0, LINE_CHARS_MAX)
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "");
  const cells = plain
    .split(commasPart ? CELL_ENDS_OF_COMMAS : CELL_ENDS)
    .filter((cell) => /[\p{L}\p{N}]/u.test(cell));
  const found: AccessClaim[] = [];
  const values: string[] = [];
  cells.forEach((cell, index) => {
    const claims = claimsOfCell(cell, cells.slice(index + 1).join(" ") || next, isStructured);
    found.push(...claims);
    values.push(claims.length === 1 ? claims[0]!.value : cell);
  });
  return [...found, ...neighbours(values, next), ...sayings(cells)].slice(0, KEYS_MAX);
}

function claimsOfCell(cell: string, behind: string, isStructured: boolean): readonly AccessClaim[] {
  const found: AccessClaim[] = [];
  let from = 0;
  for (const { index, 0: separator } of cell.matchAll(SEPARATOR)) {
    if (found.length >= KEYS_MAX || (!isStructured && from > 0)) break;
    const key = bare(cell.slice(from, index)).slice(-KEY_CHARS_MAX);
    from = index + separator.length;
    if (key === "") continue;
    const value = bare(cell.slice(from));
    found.push({ key, value: value === "" ? bare(behind.slice(0, LINE_CHARS_MAX)) : value });
  }
  return found;
}

/** A cell that is nothing but a key, and the one behind it; or a line, and the next one. */
function neighbours(cells: readonly string[], next: string): readonly AccessClaim[] {
  return cells.flatMap((cell, index) => {
    const key = bare(cell);
    if (keyLevel(key, false) !== "certain") return [];
    const value = bare(cells[index + 1] ?? next.slice(0, LINE_CHARS_MAX));
    const isPair = cells.length === 2 && index === 0;
    return isPair || isRestrictive(value) ? [{ key, value }] : [];
  });
}

/** `@visibility restricted`. */
function sayings(cells: readonly string[]): readonly AccessClaim[] {
  const [only, second] = cells;
  if (only === undefined || second !== undefined) return [];
  const words = bare(only).split(/\s+/);
  const value = words.at(-1)!;
  const isShort = words.length === 2 || words.length === 3;
  return isShort && isRestrictive(value) ? [{ key: words.slice(0, -1).join(" "), value }] : [];
}

function bare(text: string): string {
  return text.replace(DECORATION, "");
}

/** Values of a visibility that one sees through: `200 m`, `poor`. */
export function isAboutSight(value: string): boolean {
  const words = valueWords(value);
  return /^[\d.,]+$|^\d/.test(words[0] ?? "") || SIGHT.has(words[0] ?? "");
}

const SIGHT = wordSet(
  "poor good moderate fair excellent reduced low high clear distance gut schlecht buena mala bonne mauvaise dobra",
);
