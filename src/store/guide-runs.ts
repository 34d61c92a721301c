/**
 * Runs of guides as they are kept, by network and user: they outlive the process, a change of relay, and hours. What a
 * run and its guide hold is the guide's business; here both are texts. The guide's text is that of the version which the
 * run began with.
 */
import { type KeptRow, type KeptRows, MemoryRows } from "./kept-rows.js";

export type GuideRunStatus = "running" | "paused" | "done" | "quit";

export interface StoredGuideRun extends KeptRow {
  /** Who works; another user once it was handed over. */
  readonly user: string;
  readonly guide: string;
  readonly version: number;
  readonly status: GuideRunStatus;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
  /** The run, as JSON. */
  readonly run: string;
  /** The guide as its file writes it, as JSON. */
  readonly text: string;
}

export type GuideRuns = KeptRows<StoredGuideRun>;

/** Runs that are over and are kept; beyond that the oldest go. */
export const GUIDE_RUNS_KEPT_MAX = 10_000;
export const RUNS_OVER: readonly GuideRunStatus[] = ["done", "quit"];

export function isOver({ status }: Pick<StoredGuideRun, "status">): boolean {
  return RUNS_OVER.includes(status);
}

/** The runs of somebody that are not over, what was written last first. */
export function openRuns(
  runs: GuideRuns,
  { network, username: user }: { readonly network: string; readonly username: string },
): Promise<readonly StoredGuideRun[]> {
  return runs.list({ network, user, statuses: ["running", "paused"], limit: OPEN_RUNS_MAX });
}

/** Runs of one user that are looked through. */
const OPEN_RUNS_MAX = 20;

/** Keeps them as long as the process lives. */
export class MemoryGuideRuns extends MemoryRows<StoredGuideRun> {
  constructor(keptMax = GUIDE_RUNS_KEPT_MAX) {
    super({ over: RUNS_OVER, keptMax });
  }
}
