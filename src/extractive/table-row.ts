/** Rows of tables as the readers of documents write them: "Room: Freezer; Set point: -20 °C". */

export interface Cell {
  readonly name: string;
  readonly value: string;
}

/** The cells of a row; one where the text is a key with its value; empty for what is neither. */
export function cellsOf(text: string): readonly Cell[] {
  const cells: { name: string; value: string }[] = [];
  for (const part of text.split("; ")) {
    const [, name, value] = CELL.exec(part) ?? [];
    if (name !== undefined && value !== undefined) cells.push({ name, value });
    else if (cells.length === 0) return [];
    else cells.at(-1)!.value += `; ${part}`;
  }
  return cells;
}

const CELL = /^([^:;]{1,60}): (\S.{0,400})$/su;

/** The first cell of a row, by which it is named aloud; undefined for what is no row. */
export function rowName(text: string): string | undefined {
  const [first, second] = cellsOf(text);
  return second === undefined ? undefined : first!.value;
}

/** A row in words: its name and the cells that are asked for, or all of it where none is. */
export function rowAloud(text: string, isAsked: (cell: Cell) => boolean): string {
  const [first, ...others] = cellsOf(text);
  const asked = others.filter(isAsked);
  if (first === undefined || asked.length === 0) return text;
  return `${first.name}: ${first.value}; ${asked.map(({ name, value }) => `${name}: ${value}`).join("; ")}`;
}
