/** Sessions that build guides in a database file of the data folder. */
import { join } from "node:path";
import { Database, type InValue } from "./database.js";
import type { DatabaseRow } from "./database-file.js";
import {
  ARCHIVED_SESSIONS_MAX,
  type GuideSessionStatus,
  type GuideSessions,
  type GuideSessionsQuery,
  type StoredGuideSession,
} from "./guide-sessions.js";

const FIRST_LAYOUT = `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    network TEXT NOT NULL,
    owner TEXT NOT NULL,
    status TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_owner ON sessions (network, owner, status)
`;

export const LAYOUTS = { first: 1, steps: [FIRST_LAYOUT] };

/** A row that is written again comes last. */
const SAVE = `
  INSERT OR REPLACE INTO sessions (id, network, owner, status, updated_at, text) VALUES (?, ?, ?, ?, ?, ?)`;

const DROP_OLDEST = `
  DELETE FROM sessions WHERE number IN (
    SELECT number FROM sessions WHERE status = 'archived' ORDER BY number DESC LIMIT -1 OFFSET ?
  )`;

/** Opens the sessions of a data folder; the first write makes their file. Rejects with `StoreUnusable`. */
export async function openGuideSessions(
  dataDirectory: string,
  archivedMax = ARCHIVED_SESSIONS_MAX,
): Promise<GuideSessions> {
  const database = await Database.open(join(dataDirectory, "guide-sessions.db"), LAYOUTS);
  return new EmbeddedGuideSessions(database, archivedMax);
}

class EmbeddedGuideSessions implements GuideSessions {
  constructor(
    private readonly database: Database,
    private readonly archivedMax: number,
  ) {}

  async save({ id, network, owner, status, text, updatedAtMs }: StoredGuideSession): Promise<void> {
    await this.database.writeAll([
      { sql: SAVE, args: [id, network, owner, status, Math.trunc(updatedAtMs), text] },
      { sql: DROP_OLDEST, args: [this.archivedMax] },
    ]);
  }

  async byId(network: string, id: string): Promise<StoredGuideSession | undefined> {
    const sql = "SELECT * FROM sessions WHERE network = ? AND id = ?";
    const [row] = await this.database.rows(sql, [network, id]);
    return row && sessionOf(row);
  }

  async list({ limit, network, owner, statuses, updatedBeforeMs }: GuideSessionsQuery) {
    const args: InValue[] = [];
    let where = "true";
    const narrow = (condition: string, ...values: readonly InValue[]) => {
      where += ` AND ${condition}`;
      args.push(...values);
    };
    if (network !== undefined) narrow("network = ?", network);
    if (owner !== undefined) narrow("owner = ?", owner);
    if (statuses !== undefined) narrow(`status IN (${statuses.map(() => "?").join()})`, ...statuses);
    if (updatedBeforeMs !== undefined) narrow("updated_at < ?", Math.trunc(updatedBeforeMs));
    const sql = `SELECT * FROM sessions WHERE ${where} ORDER BY number DESC LIMIT ?`;
    return (await this.database.rows(sql, [...args, limit])).map(sessionOf);
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}

function sessionOf(row: DatabaseRow): StoredGuideSession {
  return {
    id: row.id as string,
    network: row.network as string,
    owner: row.owner as string,
    status: row.status as GuideSessionStatus,
    updatedAtMs: Number(row.updated_at),
    text: row.text as string,
  };
}
