/**
 * Where the sync of a batch stands, and what is to be done there. Pure. The state is saved whenever it changes, and
 * every action may be done again, so that whoever finds it goes on from there; what an action brings is in evolve.ts.
 *
 * load → rules → job → reindex → update → load
 */
import type { AttemptsById, Batch, Copy } from "./batch.js";
import type { FilterRule } from "./connector.js";
import { rulesOf } from "./rules.js";

export type JobState =
  /** Jobs of others, and an own one of which nothing was heard, are looked for before one is started. */
  | { readonly type: "sought"; readonly sinceMs: number; readonly rounds: number }
  /** Jobs of others stand in the way. */
  | {
      readonly type: "blocked";
      readonly by: readonly string[];
      readonly sinceMs: number;
      readonly rounds: number;
    }
  | { readonly type: "due" }
  | { readonly type: "started"; readonly id: string; readonly sinceMs: number }
  /** It is to end without having done its work. */
  | {
      readonly type: "unwanted";
      readonly id: string;
      readonly sinceMs: number;
      readonly reason: string;
      readonly told: boolean;
    };

export type SyncState =
  | { readonly phase: "load" }
  | {
      readonly phase: "rules";
      readonly batch: Batch;
      readonly sinceMs: number;
      readonly draft: "due" | "written" | "valid";
    }
  | { readonly phase: "job"; readonly batch: Batch; readonly job: JobState }
  | { readonly phase: "reindex"; readonly batch: Batch }
  | { readonly phase: "update"; readonly batch: Batch; readonly copies: readonly Copy[] };

/** What is saved. */
export interface SyncProgress {
  readonly state: SyncState;
  readonly attempts: AttemptsById;
  /** Batches so far: new documents and those that failed before take turns. */
  readonly turn: number;
}

export const BEGINNING: SyncProgress = { state: { phase: "load" }, attempts: {}, turn: 0 };

/**
 * Where to go on from what another process has saved. Whether a job that was due has been started, nobody knows: its
 * process may have died before the answer came.
 */
export function resumed(progress: SyncProgress, nowMs: number): SyncProgress {
  const { state } = progress;
  if (state.phase !== "job" || state.job.type !== "due") return progress;
  return { ...progress, state: { ...state, job: { type: "sought", sinceMs: nowMs, rounds: 0 } } };
}

/** What to do next; `afterMs`: how long to wait before. */
export type SyncAction =
  | { readonly type: "load" }
  | { readonly type: "write_draft"; readonly rules: readonly FilterRule[] }
  | { readonly type: "read_draft"; readonly afterMs: number }
  | { readonly type: "activate_draft" }
  | { readonly type: "find_jobs"; readonly afterMs: number }
  | { readonly type: "cancel_jobs"; readonly ids: readonly string[] }
  | { readonly type: "start_job" }
  | { readonly type: "read_job"; readonly id: string; readonly afterMs: number }
  | { readonly type: "copy"; readonly batch: Batch }
  | { readonly type: "update"; readonly batch: Batch; readonly copies: readonly Copy[] };

const POLL_MS = 250;
const POLL_MS_MAX = 10_000;

/** 250 ms after the first look, and twice as long after each further one, up to 10 s. */
export function pollDelayMs(looks: number): number {
  return Math.min(POLL_MS_MAX, POLL_MS * 2 ** Math.min(looks, 10));
}

/** `looks`: how often this state was looked at without a change. */
export function decide(state: SyncState, looks: number): SyncAction {
  switch (state.phase) {
    case "load":
      return { type: "load" };
    case "rules":
      if (state.draft === "due") return { type: "write_draft", rules: rulesOf(state.batch) };
      return state.draft === "written"
        ? { type: "read_draft", afterMs: pollDelayMs(looks) }
        : { type: "activate_draft" };
    case "job":
      return decideJob(state.job, looks);
    case "reindex":
      return { type: "copy", batch: state.batch };
    case "update":
      return { type: "update", batch: state.batch, copies: state.copies };
  }
}

function decideJob(job: JobState, looks: number): SyncAction {
  switch (job.type) {
    case "sought":
      return { type: "find_jobs", afterMs: job.rounds === 0 ? 0 : pollDelayMs(job.rounds) };
    case "blocked":
      return { type: "cancel_jobs", ids: job.by };
    case "due":
      return { type: "start_job" };
    case "unwanted":
      if (!job.told) return { type: "cancel_jobs", ids: [job.id] };
      return { type: "read_job", id: job.id, afterMs: pollDelayMs(looks) };
    case "started":
      return { type: "read_job", id: job.id, afterMs: pollDelayMs(looks) };
  }
}
