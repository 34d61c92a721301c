/** A table's cells to rows that can stand alone: each cell named by its column, merged cells said in each row. */
import type { Outline } from "./outline.js";

export interface CellSpan {
  readonly columns: number;
  readonly rows: number;
}

/** Columns at the most; what is further to the right has no name and is not repeated. */
const COLUMNS_MAX = 1_000;
/** A cell over several rows is repeated when it is a label, not when it is a text. */
const REPEATED_CHARS_MAX = 200;

interface Cell {
  readonly text: string;
  readonly mayName: boolean;
  readonly isHeader: boolean;
}

export class HtmlTable {
  /** It only arranges the page: its cells are paragraphs. */
  isLayout = false;
  #cells: Cell[] = [];
  #header: readonly string[] | undefined;
  #headerSaid = true;
  #rowCount = 0;
  /** By column, what reaches down from rows above. */
  readonly #below = new Map<number, { readonly cell: Cell; rowsLeft: number }>();

  constructor(private readonly outline: Outline) {}

  /** `mayName`: the cell looks as if it named its column; `isHeader`: it says that it names something. */
  cell(text: string, mayName: boolean, isHeader: boolean, span: CellSpan): void {
    this.#fillFromAbove();
    const cell = { text, mayName, isHeader };
    const column = this.#cells.length;
    this.#cells.push(cell);
    for (let next = 1; next < span.columns && this.#cells.length < COLUMNS_MAX; next += 1)
      this.#cells.push({ ...cell, text: "" });
    if (span.rows > 1 && column < COLUMNS_MAX && text.length <= REPEATED_CHARS_MAX)
      this.#below.set(column, { cell, rowsLeft: span.rows - 1 });
  }

  endRow(isInHead: boolean): void {
    if (this.isLayout) return;
    if (this.#cells.length > 0) this.#fillFromAbove();
    const cells = this.#cells;
    this.#cells = [];
    if (cells.every(({ text }) => text === "")) return;
    this.#rowCount += 1;
    if (isInHead || this.#namesColumns(cells)) this.#nameColumns(cells);
    else this.#say(cells);
  }

  #namesColumns(cells: readonly Cell[]): boolean {
    if (cells.length < 2) return false;
    if (cells.every(({ isHeader }) => isHeader)) return true;
    return this.#rowCount === 1 && cells.every(({ mayName, text }) => mayName || text === "");
  }

  end(): void {
    if (this.#cells.length > 0) this.endRow(false);
    if (!this.#headerSaid) this.outline.row(this.#header!, []);
  }

  /** A second row of names goes below the first. */
  #nameColumns(cells: readonly Cell[]): void {
    const above = this.#headerSaid ? undefined : this.#header;
    this.#header = cells.map(({ text }, column) => {
      const name = above?.[column] ?? "";
      return name === "" || name === text ? text : `${name} ${text}`.trim();
    });
    this.#headerSaid = false;
  }

  #say(cells: readonly Cell[]): void {
    this.#headerSaid = true;
    const [first, ...others] = cells.map(({ text }) => text);
    const values = others.filter((text) => text !== "");
    if (this.#header === undefined && cells[0]!.isHeader && values.length > 0)
      this.outline.row([values.join("; ")], [first!]);
    else this.outline.row([first!, ...others], this.#header ?? []);
  }

  #fillFromAbove(): void {
    for (;;) {
      const column = this.#cells.length;
      const above = this.#below.get(column);
      if (above === undefined) return;
      this.#cells.push(above.cell);
      above.rowsLeft -= 1;
      if (above.rowsLeft === 0) this.#below.delete(column);
    }
  }
}
