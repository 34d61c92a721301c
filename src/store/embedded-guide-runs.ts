/** Runs of guides in a database file of the data folder. */
import { join } from "node:path";
import { Database } from "./database.js";
import { EmbeddedRows } from "./embedded-rows.js";
import { GUIDE_RUNS_KEPT_MAX, type GuideRuns, RUNS_OVER, type StoredGuideRun } from "./guide-runs.js";

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

const TABLE = {
  name: "runs",
  columns: {
    ...{ id: "id", network: "network", user: "user", guide: "guide", version: "version", status: "status" },
    ...{ startedAtMs: "started_at", updatedAtMs: "updated_at", run: "run", text: "text" },
  },
};

/** Opens the runs of a data folder; the first write makes their file. Rejects with `StoreUnusable`. */
export async function openGuideRuns(
  dataDirectory: string,
  keptMax = GUIDE_RUNS_KEPT_MAX,
): Promise<GuideRuns> {
  const database = await Database.open(join(dataDirectory, "guide-runs.db"), LAYOUTS);
  return new EmbeddedRows<StoredGuideRun>(database, TABLE, { over: RUNS_OVER, keptMax });
}
