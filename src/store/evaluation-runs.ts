/**
 * Evaluation runs as they are kept: what was asked for, and what each row has come to so far. What the rows mean is
 * the evaluation's business; here they are texts.
 */

/** `finished`, `cancelled` and `failed` are final. */
export type RunStatus = "queued" | "running" | "finished" | "cancelled" | "failed";

/** `done` and `failed` are final; `answered` still waits for its scores. */
export type RowStatus = "pending" | "answered" | "done" | "failed";

export interface NewRun {
  readonly id: string;
  /** Who works on it: whoever resumes takes up the runs of its own origin only. */
  readonly origin: string;
  readonly spec: string;
}

export interface NewRow {
  readonly id: string;
  readonly question: string;
}

export interface StoredRun extends NewRun {
  readonly status: RunStatus;
  /** Why it failed. */
  readonly reason?: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAtMs: number;
  readonly startedAtMs?: number;
  readonly finishedAtMs?: number;
  readonly rows: Readonly<Record<RowStatus, number>>;
}

export interface StoredRow extends NewRow {
  /** From 0, in the order of the data set. */
  readonly position: number;
  readonly status: RowStatus;
  /** Failures in a row of the step that it is at. */
  readonly attempts: number;
  readonly result?: string;
}

export type RowUpdate = Pick<StoredRow, "position" | "status" | "attempts"> & { readonly result: string };

export interface RunsQuery {
  readonly origin?: string;
  readonly statuses?: readonly RunStatus[];
  readonly order: "newest" | "oldest";
  readonly limit: number;
  readonly offset?: number;
}

export interface RowsQuery {
  readonly statuses?: readonly RowStatus[];
  readonly ids?: readonly string[];
  /** From this position on. */
  readonly from?: number;
  readonly limit?: number;
}

/** Every method rejects with `StoreUnusable`. */
export interface EvaluationRuns {
  /** Adds a run with its rows, all at once. The oldest final runs go when there are too many. */
  create(run: NewRun, rows: readonly NewRow[]): Promise<void>;
  run(id: string): Promise<StoredRun | undefined>;
  runs(query: RunsQuery): Promise<readonly StoredRun[]>;
  /** Moves a run on; one that is final stays as it is. */
  move(id: string, status: RunStatus, reason?: string): Promise<void>;
  /** Rows by position. */
  rows(runId: string, query?: RowsQuery): Promise<readonly StoredRow[]>;
  /** Writes what came of a row; one that is final stays as it is. */
  saveRow(runId: string, row: RowUpdate): Promise<void>;
  remove(id: string): Promise<void>;
  /** What a judge answered to a request with this key. */
  judgement(key: string): Promise<string | undefined>;
  keepJudgement(key: string, answer: string): Promise<void>;
  close(): Promise<void>;
}
