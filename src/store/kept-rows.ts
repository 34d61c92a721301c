/** Rows of one kind, each with an id of its own, found by their fields: what all stores of them can do, and one in memory. */

export interface KeptRow {
  readonly id: string;
  readonly network: string;
  readonly status: string;
  /** Milliseconds since the Unix epoch. */
  readonly updatedAtMs: number;
}

/** Fields that a row has to have; what is undefined is not looked at. */
export type KeptRowsQuery<Row extends KeptRow> = {
  readonly [Field in keyof Row]?: Row[Field] | undefined;
} & {
  readonly statuses?: readonly Row["status"][] | undefined;
  /** Changed before that, in Unix milliseconds. */
  readonly updatedBeforeMs?: number | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
};

/** Every method rejects with `StoreUnusable`. */
export interface KeptRows<Row extends KeptRow> {
  /** Writes a row, in the place of what was kept under its id. Resolves when it is kept. */
  save(row: Row): Promise<void>;
  byId(network: string, id: string): Promise<Row | undefined>;
  /** What was written last comes first. */
  list(query: KeptRowsQuery<Row>): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Of the rows in these states, only so many are kept; beyond that the oldest go. */
export interface RowsBound<Row extends KeptRow> {
  readonly over: readonly Row["status"][];
  readonly keptMax: number;
}

/** Keeps them as long as the process lives. */
export class MemoryRows<Row extends KeptRow> implements KeptRows<Row> {
  /** What was written last comes last. */
  readonly #byId = new Map<string, Row>();

  constructor(private readonly bound: RowsBound<Row>) {}

  async save(row: Row): Promise<void> {
    this.#byId.delete(row.id);
    this.#byId.set(row.id, { ...row });
    const over = [...this.#byId.values()].filter(({ status }) => this.bound.over.includes(status));
    for (const { id } of over.slice(0, -this.bound.keptMax)) this.#byId.delete(id);
  }

  async byId(network: string, id: string): Promise<Row | undefined> {
    const row = this.#byId.get(id);
    return row?.network === network ? row : undefined;
  }

  async list({ limit, offset = 0, statuses, updatedBeforeMs = Infinity, ...fields }: KeptRowsQuery<Row>) {
    const wanted = Object.entries(fields).filter(([, value]) => value !== undefined);
    return [...this.#byId.values()]
      .filter(
        (row) =>
          wanted.every(([field, value]) => row[field as keyof Row] === value) &&
          (statuses === undefined || statuses.includes(row.status)) &&
          row.updatedAtMs < updatedBeforeMs,
      )
      .toReversed()
      .slice(offset, offset + limit);
  }

  async close(): Promise<void> {}
}
