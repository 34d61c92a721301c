/** Evaluation runs in a database file of the data folder. */
import { join } from "node:path";
import type { Clock } from "../lib/clock.js";
import { Database, type InValue } from "./database.js";
import type {
  EvaluationRuns,
  NewRow,
  NewRun,
  RowStatus,
  RowsQuery,
  RowUpdate,
  RunStatus,
  RunsQuery,
  StoredRow,
  StoredRun,
} from "./evaluation-runs.js";

/** Final runs that are kept; beyond that the oldest go. */
export const RUNS_KEPT_MAX = 200;

/** Answers of judges that are kept; beyond that the oldest go. */
export const JUDGEMENTS_MAX = 200_000;

const FIRST_LAYOUT = `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    spec TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER
  ) STRICT;
  CREATE TABLE rows (
    run TEXT NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    question TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    result TEXT,
    PRIMARY KEY (run, position),
    UNIQUE (run, id)
  ) STRICT;
  CREATE TABLE judgements (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    answer TEXT NOT NULL
  ) STRICT
`;

export const LAYOUTS = { first: 1, steps: [FIRST_LAYOUT] };

const FINAL_RUN = "status IN ('finished', 'cancelled', 'failed')";
const FINAL_ROW = "status IN ('done', 'failed')";

const DROP_OLDEST_RUNS = `
  DELETE FROM runs WHERE number IN (
    SELECT number FROM runs WHERE ${FINAL_RUN} ORDER BY number DESC LIMIT -1 OFFSET ?
  )`;

const DROP_ORPHANED_ROWS = "DELETE FROM rows WHERE run NOT IN (SELECT id FROM runs)";

/** Times are written once: when it first started, and when it ended. */
const MOVE = `
  UPDATE runs SET status = ?1, reason = ?2,
    started_at = CASE WHEN ?1 = 'running' THEN coalesce(started_at, ?3) ELSE started_at END,
    finished_at = CASE WHEN ?1 IN ('finished', 'cancelled', 'failed') THEN ?3 ELSE finished_at END
  WHERE id = ?4 AND NOT ${FINAL_RUN}`;

const COUNT_ROWS = "SELECT run, status, count(*) AS count FROM rows WHERE run IN (?) GROUP BY run, status";

/** Opens the runs of a data folder, making their file when it is missing. Rejects with `StoreUnusable`. */
export async function openEvaluationRuns(
  dataDirectory: string,
  clock: Pick<Clock, "now">,
  runsKeptMax = RUNS_KEPT_MAX,
): Promise<EvaluationRuns> {
  const database = await Database.open(join(dataDirectory, "evaluations.db"), LAYOUTS);
  return new EmbeddedEvaluationRuns(database, clock, runsKeptMax);
}

class EmbeddedEvaluationRuns implements EvaluationRuns {
  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, "now">,
    private readonly runsKeptMax: number,
  ) {}

  async create({ id, origin, spec }: NewRun, rows: readonly NewRow[]): Promise<void> {
    await this.database.writeAll([
      {
        sql: "INSERT INTO runs (id, origin, spec, status, created_at) VALUES (?, ?, ?, 'queued', ?)",
        args: [id, origin, spec, this.#now()],
      },
      ...rows.map((row, position) => ({
        sql: "INSERT INTO rows (run, position, id, question, status, attempts) VALUES (?, ?, ?, ?, 'pending', 0)",
        args: [id, position, row.id, row.question],
      })),
      { sql: DROP_OLDEST_RUNS, args: [this.runsKeptMax] },
      { sql: DROP_ORPHANED_ROWS, args: [] },
    ]);
  }

  async run(id: string): Promise<StoredRun | undefined> {
    return (await this.#withCounts(await this.database.rows("SELECT * FROM runs WHERE id = ?", [id])))[0];
  }

  async runs({ origin, statuses, order, limit, offset = 0 }: RunsQuery): Promise<readonly StoredRun[]> {
    const { where, args } = conditions([
      ["origin", origin === undefined ? undefined : [origin]],
      ["status", statuses],
    ]);
    const sql = `SELECT * FROM runs ${where} ORDER BY number ${order === "newest" ? "DESC" : "ASC"} LIMIT ? OFFSET ?`;
    return this.#withCounts(await this.database.rows(sql, [...args, limit, offset]));
  }

  async move(id: string, status: RunStatus, reason?: string): Promise<void> {
    await this.database.writeAll([{ sql: MOVE, args: [status, reason ?? null, this.#now(), id] }]);
  }

  async rows(
    runId: string,
    { statuses, ids, from = 0, limit = -1 }: RowsQuery = {},
  ): Promise<readonly StoredRow[]> {
    const { where, args } = conditions([
      ["run", [runId]],
      ["status", statuses],
      ["id", ids],
    ]);
    const sql = `SELECT * FROM rows ${where} AND position >= ? ORDER BY position LIMIT ?`;
    return (await this.database.rows(sql, [...args, from, limit])).map(rowOf);
  }

  async saveRow(runId: string, { position, status, attempts, result }: RowUpdate): Promise<void> {
    const sql = `UPDATE rows SET status = ?, attempts = ?, result = ? WHERE run = ? AND position = ? AND NOT ${FINAL_ROW}`;
    await this.database.writeAll([{ sql, args: [status, attempts, result, runId, position] }]);
  }

  async remove(id: string): Promise<void> {
    await this.database.writeAll([
      { sql: "DELETE FROM runs WHERE id = ?", args: [id] },
      { sql: "DELETE FROM rows WHERE run = ?", args: [id] },
    ]);
  }

  async judgement(key: string): Promise<string | undefined> {
    const [row] = await this.database.rows("SELECT answer FROM judgements WHERE key = ?", [key]);
    return row?.answer as string | undefined;
  }

  async keepJudgement(key: string, answer: string): Promise<void> {
    await this.database.writeAll([
      {
        sql: "INSERT INTO judgements (key, answer) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET answer = excluded.answer",
        args: [key, answer],
      },
      {
        sql: "DELETE FROM judgements WHERE number <= (SELECT max(number) FROM judgements) - ?",
        args: [JUDGEMENTS_MAX],
      },
    ]);
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  async #withCounts(runs: readonly Readonly<Record<string, unknown>>[]): Promise<readonly StoredRun[]> {
    if (runs.length === 0) return [];
    const ids = runs.map(({ id }) => id as string);
    const counts = await this.database.rows(COUNT_ROWS.replace("?", ids.map(() => "?").join()), ids);
    return runs.map((run) => {
      const rows: Record<RowStatus, number> = { pending: 0, answered: 0, done: 0, failed: 0 };
      for (const counted of counts)
        if (counted.run === run.id) rows[counted.status as RowStatus] = Number(counted.count);
      return { ...runOf(run), rows };
    });
  }

  #now(): number {
    return Math.trunc(this.clock.now());
  }
}

function runOf(run: Readonly<Record<string, unknown>>): Omit<StoredRun, "rows"> {
  return {
    id: run.id as string,
    origin: run.origin as string,
    spec: run.spec as string,
    status: run.status as RunStatus,
    createdAtMs: Number(run.created_at),
    ...(run.reason !== null && { reason: run.reason as string }),
    ...(run.started_at !== null && { startedAtMs: Number(run.started_at) }),
    ...(run.finished_at !== null && { finishedAtMs: Number(run.finished_at) }),
  };
}

function rowOf(row: Readonly<Record<string, unknown>>): StoredRow {
  return {
    position: Number(row.position),
    id: row.id as string,
    question: row.question as string,
    status: row.status as RowStatus,
    attempts: Number(row.attempts),
    ...(row.result !== null && { result: row.result as string }),
  };
}

/** `WHERE` over columns that have to be one of some values; columns without values are left out. */
function conditions(columns: readonly (readonly [column: string, values: readonly string[] | undefined])[]): {
  readonly where: string;
  readonly args: readonly InValue[];
} {
  const asked = columns.flatMap(([column, values]) => (values === undefined ? [] : [{ column, values }]));
  if (asked.length === 0) return { where: "", args: [] };
  const where = asked
    .map(({ column, values }) => `${column} IN (${values.map(() => "?").join()})`)
    .join(" AND ");
  return { where: `WHERE ${where}`, args: asked.flatMap(({ values }) => values) };
}
