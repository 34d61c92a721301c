/** Runs of guides in a database file of the data folder. */
import { join } from "node:path";
import { Database, type InValue } from "./database.js";
import type { DatabaseRow } from "./database-file.js";
import {
  GUIDE_RUNS_KEPT_MAX,
  type GuideRunStatus,
  type GuideRuns,
  type GuideRunsQuery,
  type StoredGuideRun,
} from "./guide-runs.js";

const FIRST_LAYOUT = `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    network TEXT NOT NULL,
    user TEXT NOT NULL,
    guide TEXT NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    run TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_user ON runs (network, user, status)
`;

export const LAYOUTS = { first: 1, steps: [FIRST_LAYOUT] };

/** A row that is written again comes last. */
const SAVE = `
  INSERT OR REPLACE INTO runs (id, network, user, guide, version, status, started_at, updated_at, run, text)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const DROP_OLDEST = `
  DELETE FROM runs WHERE number IN (
    SELECT number FROM runs WHERE status IN ('done', 'quit') ORDER BY number DESC LIMIT -1 OFFSET ?
  )`;

/** Opens the runs of a data folder; the first write makes their file. Rejects with `StoreUnusable`. */
export async function openGuideRuns(
  dataDirectory: string,
  keptMax = GUIDE_RUNS_KEPT_MAX,
): Promise<GuideRuns> {
  return new EmbeddedGuideRuns(await Database.open(join(dataDirectory, "guide-runs.db"), LAYOUTS), keptMax);
}

class EmbeddedGuideRuns implements GuideRuns {
  constructor(
    private readonly database: Database,
    private readonly keptMax: number,
  ) {}

  async save(one: StoredGuideRun): Promise<void> {
    const { guide, id, network, run, startedAtMs, status, text, updatedAtMs, user, version } = one;
    const times = [Math.trunc(startedAtMs), Math.trunc(updatedAtMs)];
    await this.database.writeAll([
      { sql: SAVE, args: [id, network, user, guide, version, status, ...times, run, text] },
      { sql: DROP_OLDEST, args: [this.keptMax] },
    ]);
  }

  async byId(network: string, id: string): Promise<StoredGuideRun | undefined> {
    const sql = "SELECT * FROM runs WHERE network = ? AND id = ?";
    const [row] = await this.database.rows(sql, [network, id]);
    return row && runOf(row);
  }

  async list({ guide, limit, network, offset = 0, statuses, user }: GuideRunsQuery) {
    const args: InValue[] = [];
    let where = "true";
    for (const [column, values] of [
      ["network", network === undefined ? undefined : [network]],
      ["user", user === undefined ? undefined : [user]],
      ["guide", guide === undefined ? undefined : [guide]],
      ["status", statuses],
    ] as const) {
      if (values === undefined) continue;
      where += ` AND ${column} IN (${values.map(() => "?").join()})`;
      args.push(...values);
    }
    const sql = `SELECT * FROM runs WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`;
    return (await this.database.rows(sql, [...args, limit, offset])).map(runOf);
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}

function runOf(row: DatabaseRow): StoredGuideRun {
  return {
    id: row.id as string,
    network: row.network as string,
    user: row.user as string,
    guide: row.guide as string,
    version: Number(row.version),
    status: row.status as GuideRunStatus,
    startedAtMs: Number(row.started_at),
    updatedAtMs: Number(row.updated_at),
    run: row.run as string,
    text: row.text as string,
  };
}
