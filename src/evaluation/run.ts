/** An evaluation run as a value: what was asked for, and what each row came to. */
import type { AnswerReport } from "../domain/answer-report.js";
import type { RowStatus, RunStatus, StoredRow, StoredRun } from "../store/evaluation-runs.js";
import { asExpected, type Check, checksOf } from "./checks.js";
import type { DataSetRow } from "./data-set.js";
import { type Marked, marked } from "./marking.js";
import type { MetricName, Scores } from "./score.js";

/** What a run is to do, apart from its rows. */
export interface RunSpec {
  /** Name of the data set, for people. */
  readonly dataSet: string;
  /** Of the rows that name none. */
  readonly network?: string;
  readonly metrics: readonly MetricName[];
  /** The judge's model; absent where no metric needs one. */
  readonly judge?: string;
}

export interface Run {
  readonly id: string;
  readonly spec: RunSpec;
  readonly status: RunStatus;
  readonly reason?: string;
  readonly createdAtMs: number;
  readonly startedAtMs?: number;
  readonly finishedAtMs?: number;
  readonly rows: Readonly<Record<RowStatus, number>>;
}

/** What is written down of a row as it goes on. */
export interface RowResult {
  readonly report?: AnswerReport;
  /** But for `as_expected`, which may need another row. */
  readonly scores: Scores;
  /** Why it failed, or why the last attempt did. */
  readonly reason?: string;
}

export interface RowState extends RowResult {
  readonly position: number;
  readonly row: DataSetRow;
  readonly status: RowStatus;
  readonly attempts: number;
}

/** A row with everything that can be said of it. */
export interface EvaluatedRow extends RowState {
  readonly checks: readonly Check[];
  /** Where the row says whether there is an answer. */
  readonly marked?: Marked;
}

export function isFinal(status: RunStatus): boolean {
  return status === "finished" || status === "cancelled" || status === "failed";
}

export function runOf({ spec, origin: _, ...stored }: StoredRun): Run {
  return { ...stored, spec: JSON.parse(spec) as RunSpec };
}

export function rowStateOf({ position, status, attempts, question, result }: StoredRow): RowState {
  const known = result === undefined ? { scores: {} } : (JSON.parse(result) as RowResult);
  return { position, status, attempts, row: JSON.parse(question) as DataSetRow, ...known };
}

/**
 * Holds rows against what was expected of them. `others` are the rows that these refer to by `same_words_as`; where
 * such a row has no report yet, or is not part of the run, that check is left out.
 */
export function evaluated(
  states: readonly RowState[],
  others: readonly RowState[],
  metrics: readonly MetricName[],
): readonly EvaluatedRow[] {
  const reports = new Map([...others, ...states].map(({ row, report }) => [row.id, report]));
  return states.map((state) => {
    const { row, report, scores } = state;
    if (report === undefined) return { ...state, checks: [] };
    const { expected } = row;
    const mark = marked(expected, report);
    const checks = checksOf(expected, report, reports.get(expected.sameWordsAs ?? ""));
    const known = { ...state, checks, ...(mark && { marked: mark }) };
    if (!metrics.includes("as_expected")) return known;
    return { ...known, scores: { ...scores, as_expected: asExpected(checks) } };
  });
}
