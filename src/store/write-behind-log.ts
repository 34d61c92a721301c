/** What turns leave behind, in a database file of the data folder: written behind them, bounded, and by network. */
import { join } from "node:path";
import type { Clock } from "../lib/clock.js";
import type { Layouts } from "../lib/layouts.js";
import type { Telemetry } from "../telemetry/events.js";
import { Database, type InStatement } from "./database.js";

/** Entries that are kept; beyond that the oldest go. */
export const LOGGED_MAX = 100_000;

/** Entries that wait to be written; beyond that the newest are lost, and counted. */
const PENDING_MAX = 1_000;

/** Entries in one transaction. */
const BATCH = 200;

/** How entries lie in the one table of their file, which has the columns `id`, `network` and `at` besides. */
export interface LogTable<Entry> {
  /** Names the file and the table. */
  readonly name: string;
  readonly layouts: Layouts;
  /** The other columns. */
  readonly columns: readonly string[];
  /** Values of these columns, in order. */
  values(entry: Entry): readonly (string | number)[];
  entry(row: Readonly<Record<string, unknown>>): Entry;
  /** Told of entries that could not be kept. */
  lost(count: number, error: string): void;
}

export interface LogDeps {
  readonly clock: Pick<Clock, "now">;
  readonly telemetry: Telemetry;
}

export interface LogEntry {
  readonly network: string;
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number;
}

export class WriteBehindLog<Entry extends LogEntry> {
  readonly #path: string;
  readonly #pending: Entry[] = [];
  #database: Promise<Database> | undefined;
  #writing: Promise<void> | undefined;

  /** Opens nothing yet: the first write or read does. */
  constructor(
    dataDirectory: string,
    private readonly table: LogTable<Entry>,
    private readonly entriesMax: number = LOGGED_MAX,
  ) {
    this.#path = join(dataDirectory, `${table.name}.db`);
  }

  /** Takes no time and does not throw: it is written later, and what could not be written is told. */
  put(entry: Entry): void {
    if (this.#pending.length >= PENDING_MAX) {
      this.table.lost(1, `${this.table.name} come faster than they can be written`);
      return;
    }
    this.#pending.push(entry);
    this.#writing ??= this.#writePending();
  }

  /** Oldest first; of all networks unless one is named. Rejects with `StoreUnusable`. */
  async list(network?: string): Promise<readonly Entry[]> {
    await this.#writing;
    const where = network === undefined ? "" : "WHERE network = ?";
    const database = await this.#open();
    const rows = await database.rows(
      `SELECT * FROM ${this.table.name} ${where} ORDER BY id`,
      network === undefined ? [] : [network],
    );
    return rows.map((row) => this.table.entry(row));
  }

  /** Removes everything of a network, or all. Rejects with `StoreUnusable`. */
  async clear(network?: string): Promise<void> {
    await this.#writing;
    const everything = `DELETE FROM ${this.table.name}`;
    const statement: InStatement =
      network === undefined ? everything : { sql: `${everything} WHERE network = ?`, args: [network] };
    await (await this.#open()).writeAll([statement]);
  }

  /** After what is waiting was written. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#shut();
  }

  /** Never rejects. */
  async #writePending(): Promise<void> {
    // The turn that brought the first of them goes first.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, BATCH);
      try {
        const database = await this.#open();
        await database.writeAll([...batch.map((entry) => this.#insert(entry)), this.#dropOldest()]);
      } catch (error) {
        this.table.lost(batch.length, String(error));
        await this.#shut();
      }
    }
    this.#writing = undefined;
  }

  #insert(entry: Entry): InStatement {
    const columns = ["network", ...this.table.columns, "at"];
    const sql = `INSERT INTO ${this.table.name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    return { sql, args: [entry.network, ...this.table.values(entry), entry.atMs] };
  }

  #dropOldest(): InStatement {
    const { name } = this.table;
    return {
      sql: `DELETE FROM ${name} WHERE id <= (SELECT max(id) FROM ${name}) - ?`,
      args: [this.entriesMax],
    };
  }

  #open(): Promise<Database> {
    this.#database ??= Database.open(this.#path, this.table.layouts);
    return this.#database;
  }

  async #shut(): Promise<void> {
    const opening = this.#database;
    this.#database = undefined;
    const [opened] = await Promise.allSettled([opening]);
    if (opened.status === "fulfilled") await opened.value?.close();
  }
}
