/**
 * Rows of tables as the readers of documents write them: "Room: Freezer; Set point: -20 °C", and where the things stand
 * in the columns, "Set point; Freezer: -20 °C; Chiller: 4 °C".
 */

export interface Cell {
  /** Empty for the first cell of a row whose first column has no name. */
  readonly name: string;
  readonly value: string;
}

/** The cells of a row; one where the text is a key with its value; empty for what is neither. */
export function cellsOf(text: string): readonly Cell[] {
  const [first = "", ...others] = text.split("; ");
  const [, name = "", value = first] = CELL.exec(first) ?? [];
  const cells = [{ name, value }];
  if (name === "" && (!NAMELESS.test(first) || !CELL.test(others[0] ?? ""))) return [];
  for (const part of others) {
    const [, header, content] = CELL.exec(part) ?? [];
    if (header !== undefined && content !== undefined) cells.push({ name: header, value: content });
    else cells.at(-1)!.value += `; ${part}`;
  }
  return cells;
}

const CELL = /^([^:;]{1,60}): (\S.{0,400})$/su;
const NAMELESS = /^[^:;.!?]{1,80}$/;

/** The first cell of a row, by which it is named aloud; undefined for what is no row. */
export function rowName(text: string): string | undefined {
  const [first, second] = cellsOf(text);
  return second === undefined ? undefined : first!.value;
}

/**
 * A row in words: its name and the cells that are asked for, or all of it where none is. `askedIn`: what of the question
 * a cell's name has; "line 2" is asked for, where it is, and not "line 1".
 */
export function rowAloud(text: string, askedIn: (name: string) => ReadonlySet<string>): string {
  const [first, ...others] = cellsOf(text);
  const held = others.map(({ name }) => askedIn(name));
  const isLess = (one: ReadonlySet<string>) =>
    held.some((other) => other.size > one.size && [...one].every((term) => other.has(term)));
  const asked = others.filter((_, i) => held[i]!.size > 0 && !isLess(held[i]!));
  return first === undefined || asked.length === 0 ? text : [first, ...asked].map(cellText).join("; ");
}

/** As it is written. */
export function cellText({ name, value }: Cell): string {
  return name === "" ? value : `${name}: ${value}`;
}

/** What a row shows, its bare numbers with the words of their names as units: "24 hours" of "Blade life, hours; Saw: 24". */
export function shownInRow(text: string): string {
  const [first, ...others] = cellsOf(text);
  const ofRow = others.length === 0 ? "" : first!.value;
  const counts = others.flatMap(({ name, value }) =>
    BARE.test(value) ? (`${ofRow} ${name}`.match(UNIT_WORD) ?? []).map((unit) => `${value} ${unit}`) : [],
  );
  return [text, ...counts].join("; ");
}

const BARE = /^[\d.,–-]+$/;
/** Not the weeks of "first 2 weeks"; a minute of "per minute" with that. */
const UNIT_WORD = /(?<![\p{L}\p{N}/]|\p{N} |\bper )(?:per )?\p{L}+(?:\/\p{L}+)?/gu;
