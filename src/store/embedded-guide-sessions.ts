/** Sessions that build guides in a database file of the data folder. */
import { join } from "node:path";
import { Database } from "./database.js";
import { EmbeddedRows } from "./embedded-rows.js";
import {
  ARCHIVED_SESSIONS_MAX,
  type GuideSessions,
  SESSIONS_OVER,
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

const TABLE = {
  name: "sessions",
  columns: {
    ...{ id: "id", network: "network", owner: "owner", status: "status" },
    ...{ updatedAtMs: "updated_at", text: "text" },
  },
};

/** Opens the sessions of a data folder; the first write makes their file. Rejects with `StoreUnusable`. */
export async function openGuideSessions(
  dataDirectory: string,
  keptMax = ARCHIVED_SESSIONS_MAX,
): Promise<GuideSessions> {
  const database = await Database.open(join(dataDirectory, "guide-sessions.db"), LAYOUTS);
  return new EmbeddedRows<StoredGuideSession>(database, TABLE, { over: SESSIONS_OVER, keptMax });
}
