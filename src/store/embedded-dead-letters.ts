/** Dead letters in a database file of the data folder. */
import { join } from "node:path";
import type { Clock } from "../lib/clock.js";
import { Database } from "./database.js";
import type { DeadLetter, NewDeadLetter } from "./dead-letters.js";

/** Letters that one network keeps; beyond that the oldest go, and are counted. */
export const DEAD_LETTERS_MAX = 10_000;

/** Characters of a message that are kept. */
export const MESSAGE_CHARS_MAX = 1_000;

const FIRST_LAYOUT = `
  CREATE TABLE letters (
    network TEXT NOT NULL,
    path TEXT NOT NULL,
    source TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (network, path)
  ) STRICT;
  CREATE TABLE dropped (
    network TEXT PRIMARY KEY,
    letters INTEGER NOT NULL
  ) STRICT
`;

export const LAYOUTS = { first: 1, steps: [FIRST_LAYOUT] };

const RECORD = `
  INSERT INTO letters (network, path, source, reason, message, first_at, last_at, attempts)
  VALUES (?, ?, ?, ?, ?, ?, ?, 1)
  ON CONFLICT (network, path) DO UPDATE SET
    source = excluded.source, reason = excluded.reason, message = excluded.message,
    last_at = excluded.last_at, attempts = attempts + 1`;

const DROP_OLDEST = `
  DELETE FROM letters WHERE rowid IN (
    SELECT rowid FROM letters WHERE network = ? ORDER BY last_at DESC, first_at DESC, path LIMIT -1 OFFSET ?
  )`;

/** Runs before the letters go. */
const COUNT_DROPPED = `
  INSERT INTO dropped (network, letters)
  SELECT ?, max(0, count(*) - ?) FROM letters WHERE network = ?
  ON CONFLICT (network) DO UPDATE SET letters = letters + excluded.letters`;

/** Opens the dead letters of a data folder, making their file when it is missing. Rejects with `StoreUnusable`. */
export async function openDeadLetters(
  dataDirectory: string,
  clock: Pick<Clock, "now">,
  lettersMax = DEAD_LETTERS_MAX,
): Promise<DeadLetters> {
  const database = await Database.open(join(dataDirectory, "dead-letters.db"), LAYOUTS);
  return new DeadLetters(database, clock, lettersMax);
}

/** Every method rejects with `StoreUnusable`. */
export class DeadLetters {
  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, "now">,
    private readonly lettersMax: number,
  ) {}

  /** Every letter of the network, or of all networks, by network and path. */
  async list(network?: string): Promise<readonly DeadLetter[]> {
    const where = network === undefined ? "" : "WHERE network = ?";
    const args = network === undefined ? [] : [network];
    const rows = await this.database.rows(`SELECT * FROM letters ${where} ORDER BY network, path`, args);
    return rows.map((row) => ({
      network: row.network as string,
      path: row.path as string,
      source: row.source as string,
      reason: row.reason as string,
      message: row.message as string,
      firstAtMs: Number(row.first_at),
      lastAtMs: Number(row.last_at),
      attempts: Number(row.attempts),
    }));
  }

  /** Adds letters, or another attempt to those of the same path, all at once. The oldest go when there are too many. */
  async record(network: string, letters: readonly NewDeadLetter[]): Promise<void> {
    if (letters.length === 0) return;
    const nowMs = Math.trunc(this.clock.now());
    const added = letters.map(({ path, source, reason, message }) => ({
      sql: RECORD,
      args: [network, path, source, reason, message.slice(0, MESSAGE_CHARS_MAX), nowMs, nowMs],
    }));
    await this.database.writeAll([
      ...added,
      { sql: COUNT_DROPPED, args: [network, this.lettersMax, network] },
      { sql: DROP_OLDEST, args: [network, this.lettersMax] },
    ]);
  }

  /** Removes the letters of these paths; those that are not there are no error. */
  async clear(network: string, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const sql = "DELETE FROM letters WHERE network = ? AND path = ?";
    await this.database.writeAll(paths.map((path) => ({ sql, args: [network, path] })));
  }

  /** Letters that had to go because there were too many, since the store was made; of all networks unless one is named. */
  async dropped(network?: string): Promise<number> {
    const where = network === undefined ? "" : "WHERE network = ?";
    const args = network === undefined ? [] : [network];
    const rows = await this.database.rows(`SELECT sum(letters) AS letters FROM dropped ${where}`, args);
    return Number(rows[0]?.letters ?? 0);
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}
