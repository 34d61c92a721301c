/** Rows of one kind in a table of a database file: text columns, and columns of whole numbers. */
import type { Database, InValue } from "./database.js";
import type { KeptRow, KeptRows, KeptRowsQuery, RowsBound } from "./kept-rows.js";

export interface RowsTable<Row extends KeptRow> {
  /** Has `number INTEGER PRIMARY KEY AUTOINCREMENT`, a unique `id`, and these columns. */
  readonly name: string;
  readonly columns: { readonly [Field in keyof Row]: string };
}

export class EmbeddedRows<Row extends KeptRow> implements KeptRows<Row> {
  readonly #columns: readonly (readonly [field: keyof Row & string, column: string])[];

  constructor(
    private readonly database: Database,
    private readonly table: RowsTable<Row>,
    private readonly bound: RowsBound<Row>,
  ) {
    this.#columns = Object.entries(table.columns) as [keyof Row & string, string][];
  }

  /** A row that is written again comes last. */
  async save(row: Row): Promise<void> {
    const { name } = this.table;
    const { keptMax, over } = this.bound;
    const columns = this.#columns.map(([, column]) => column).join();
    const saved = `INSERT OR REPLACE INTO ${name} (${columns}) VALUES (${marks(this.#columns)})`;
    const dropped = `
      DELETE FROM ${name} WHERE number IN (
        SELECT number FROM ${name} WHERE status IN (${marks(over)}) ORDER BY number DESC LIMIT -1 OFFSET ?
      )`;
    await this.database.writeAll([
      { sql: saved, args: this.#columns.map(([field]) => stored(row[field])) },
      { sql: dropped, args: [...over, keptMax] },
    ]);
  }

  async byId(network: string, id: string): Promise<Row | undefined> {
    const [row] = await this.#rows("network = ? AND id = ?", [network, id], 1, 0);
    return row;
  }

  async list({ limit, offset = 0, statuses, updatedBeforeMs, ...fields }: KeptRowsQuery<Row>) {
    const args: InValue[] = [];
    let where = "true";
    const narrow = (condition: string, values: readonly InValue[]) => {
      where += ` AND ${condition}`;
      args.push(...values);
    };
    const wanted: Readonly<Record<string, unknown>> = fields;
    for (const [field, column] of this.#columns) {
      const value = wanted[field];
      if (value !== undefined) narrow(`${column} = ?`, [stored(value)]);
    }
    if (statuses !== undefined) narrow(`status IN (${marks(statuses)})`, statuses);
    if (updatedBeforeMs !== undefined)
      narrow(`${this.table.columns.updatedAtMs} < ?`, [stored(updatedBeforeMs)]);
    return this.#rows(where, args, limit, offset);
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  async #rows(
    where: string,
    args: readonly InValue[],
    limit: number,
    offset: number,
  ): Promise<readonly Row[]> {
    const sql = `SELECT * FROM ${this.table.name} WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`;
    const rows = await this.database.rows(sql, [...args, limit, offset]);
    return rows.map((row) => {
      const fields = this.#columns.map(([field, column]) => [field, read(row[column])]);
      return Object.fromEntries(fields) as Row;
    });
  }
}

function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join();
}

function stored(value: unknown): InValue {
  return typeof value === "number" ? Math.trunc(value) : (value as InValue);
}

function read(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
