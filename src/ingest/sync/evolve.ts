/** What an action brought makes of the state: the other half of the state machine in state.ts. Pure. */
import { attemptsAfter, type Batch, type Copy, type UpdateResult, type Weight, weighed } from "./batch.js";
import { isOver, type Job, type RulesDraft } from "./connector.js";
import { documentsOfRule, isOurs } from "./rules.js";
import type { JobState, SyncProgress, SyncState } from "./state.js";

export type Observation =
  /** The batch is `undefined` when nothing is pending. `stale`: attempts at what is not pending any more. */
  | {
      readonly type: "loaded";
      readonly batch: Batch | undefined;
      readonly stale: readonly string[];
    }
  | { readonly type: "draft_written" }
  | { readonly type: "draft_read"; readonly draft: RulesDraft }
  | { readonly type: "draft_activated"; readonly done: boolean }
  | { readonly type: "jobs_found"; readonly jobs: readonly Job[] }
  | { readonly type: "jobs_cancelled" }
  | { readonly type: "job_started"; readonly id: string }
  | { readonly type: "job_read"; readonly job: Job | undefined }
  | { readonly type: "copied"; readonly copies: readonly Copy[] }
  | { readonly type: "updated"; readonly results: readonly UpdateResult[] };

export interface EvolveOptions {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly jobTimeoutMs: number;
}

/** Time for the connector to look at a draft: it does so every 30 seconds unless configured otherwise. */
export const DRAFT_MS_MAX = 300_000;
/** Time for jobs to end that were cancelled, and for jobs of others. */
export const CANCEL_MS_MAX = 60_000;

/** Throws on an observation that does not belong to the state. */
export function evolve(progress: SyncProgress, seen: Observation, options: EvolveOptions): SyncProgress {
  const { state } = progress;
  switch (state.phase) {
    case "load":
      if (seen.type === "loaded") return loaded(progress, seen, options);
      break;
    case "rules":
      return inRules(progress, state, seen, options);
    case "job":
      return inJob(progress, state, seen, options);
    case "reindex":
      if (seen.type === "copied") return toUpdate(progress, state.batch, seen.copies);
      break;
    case "update":
      if (seen.type === "updated") {
        const attempts = attemptsAfter(progress.attempts, state.batch, seen.results);
        return { ...progress, state: { phase: "load" }, attempts };
      }
  }
  throw misplaced(state, seen);
}

function loaded(
  progress: SyncProgress,
  { batch, stale }: Observation & { readonly type: "loaded" },
  { nowMs }: EvolveOptions,
): SyncProgress {
  const gone = new Set(stale);
  const attempts = Object.fromEntries(Object.entries(progress.attempts).filter(([id]) => !gone.has(id)));
  if (batch === undefined) return { ...progress, attempts };
  const state: SyncState = { phase: "rules", batch, sinceMs: nowMs, draft: "due" };
  return { state, attempts, turn: progress.turn + 1 };
}

function inRules(
  progress: SyncProgress,
  state: SyncState & { readonly phase: "rules" },
  seen: Observation,
  { nowMs }: EvolveOptions,
): SyncProgress {
  const { batch, sinceMs } = state;
  const within = (draft: "due" | "written" | "valid"): SyncProgress => ({
    ...progress,
    state: { ...state, draft },
  });
  switch (seen.type) {
    case "draft_written":
      return within("written");
    case "draft_activated": {
      if (!seen.done) return within("due");
      const job: JobState = { type: "sought", sinceMs: nowMs, rounds: 0 };
      return { ...progress, state: { phase: "job", batch, job } };
    }
    case "draft_read": {
      const { draft } = seen;
      const isLate = nowMs - sinceMs > DRAFT_MS_MAX;
      if (!isOurs(batch, draft.ruleIds))
        return isLate ? givenUp(progress, RULES_CHANGED, batch, "passing") : within("due");
      if (draft.validation === "valid") return within("valid");
      if (draft.validation === "invalid") return invalid(progress, batch, draft);
      return isLate ? givenUp(progress, RULES_UNREAD, batch, "passing") : progress;
    }
    default:
      throw misplaced(state, seen);
  }
}

const RULES_CHANGED = "somebody else changes the connector's filtering rules; they belong to the sync";
const RULES_UNREAD =
  `the connector has not looked at its filtering rules for ${DRAFT_MS_MAX / 1000} s; ` +
  "see whether the connector service is running";

/** Those whose rules are at fault fail; the others go into the next batch. */
function invalid(progress: SyncProgress, batch: Batch, { errors }: RulesDraft): SyncProgress {
  const reasons = new Map<string, string>();
  for (const { ruleIds, messages } of errors) {
    const blamed = ruleIds.flatMap((id) => documentsOfRule(batch, id));
    for (const { metadataId } of blamed)
      reasons.set(metadataId, `the connector refuses the rule for its key: ${messages.join("; ")}`);
  }
  const said = errors.flatMap(({ messages }) => messages).join("; ");
  const trouble = `the connector refuses its filtering rules: ${said || "it does not say why"}`;
  if (reasons.size === 0) return givenUp(progress, trouble, batch, "counted");
  const copies = batch.documents.map(({ metadataId }): Copy => {
    const reason = reasons.get(metadataId);
    return reason === undefined
      ? { metadataId, type: "changed" }
      : { metadataId, type: "failed", reason, weight: "lasting", withdrawn: false };
  });
  return toUpdate(progress, batch, copies);
}

function inJob(
  progress: SyncProgress,
  state: SyncState & { readonly phase: "job" },
  seen: Observation,
  options: EvolveOptions,
): SyncProgress {
  const { batch, job } = state;
  const within = (next: JobState): SyncProgress => ({ ...progress, state: { ...state, job: next } });
  if (seen.type === "jobs_found" && job.type === "sought")
    return jobsFound(progress, batch, job, seen.jobs, options);
  if (seen.type === "jobs_cancelled" && job.type === "blocked")
    return within({ type: "sought", sinceMs: job.sinceMs, rounds: job.rounds + 1 });
  if (seen.type === "jobs_cancelled" && job.type === "unwanted") return within({ ...job, told: true });
  if (seen.type === "job_started" && job.type === "due")
    return within({ type: "started", id: seen.id, sinceMs: options.nowMs });
  if (seen.type === "job_read" && job.type === "started")
    return jobRead(progress, batch, job, seen.job, options);
  if (seen.type === "job_read" && job.type === "unwanted")
    return unwantedRead(progress, batch, job, seen.job, options);
  throw misplaced(state, seen);
}

function jobsFound(
  progress: SyncProgress,
  batch: Batch,
  { sinceMs, rounds }: JobState & { readonly type: "sought" },
  jobs: readonly Job[],
  { nowMs }: EvolveOptions,
): SyncProgress {
  const inState = (job: JobState): SyncProgress => ({ ...progress, state: { phase: "job", batch, job } });
  const ours = jobs.filter(({ ruleIds }) => isOurs(batch, ruleIds));
  const running = ours.find((job) => !isOver(job));
  // Started by whoever worked on this batch before, and did not live to note it down.
  if (running !== undefined) return inState({ type: "started", id: running.id, sinceMs: nowMs });
  if (ours.some(({ status }) => status === "completed")) return toReindex(progress, batch);
  const [failed] = ours;
  if (failed !== undefined) return givenUp(progress, jobFailure(failed), batch, "counted");
  const by = jobs.filter((job) => !isOver(job)).map(({ id }) => id);
  if (by.length === 0) return inState({ type: "due" });
  if (nowMs - sinceMs <= CANCEL_MS_MAX) return inState({ type: "blocked", by, sinceMs, rounds });
  const reason = `other jobs of the connector do not end: ${by.join(", ")}; cancel them`;
  return givenUp(progress, reason, batch, "passing");
}

function jobRead(
  progress: SyncProgress,
  batch: Batch,
  { id, sinceMs }: JobState & { readonly type: "started" },
  job: Job | undefined,
  { nowMs, jobTimeoutMs }: EvolveOptions,
): SyncProgress {
  const unwanted = (reason: string): SyncProgress => {
    const next: JobState = { type: "unwanted", id, sinceMs: nowMs, reason, told: false };
    return { ...progress, state: { phase: "job", batch, job: next } };
  };
  if (job === undefined) return givenUp(progress, `the connector's job ${id} is gone`, batch, "counted");
  if (job.status === "completed") {
    if (!isOurs(batch, job.ruleIds)) return givenUp(progress, RULES_CHANGED, batch, "passing");
    return toReindex(progress, batch);
  }
  if (isOver(job)) return givenUp(progress, jobFailure(job), batch, "counted");
  if (job.status === "suspended")
    return unwanted(`the connector's job ${id} was suspended: the connector service was stopped`);
  if (nowMs - sinceMs >= jobTimeoutMs)
    return unwanted(`the connector's job ${id} took longer than ${jobTimeoutMs} ms`);
  return progress;
}

function unwantedRead(
  progress: SyncProgress,
  batch: Batch,
  { id, sinceMs, reason }: JobState & { readonly type: "unwanted" },
  job: Job | undefined,
  { nowMs }: EvolveOptions,
): SyncProgress {
  // It was quicker than we were.
  if (job?.status === "completed" && isOurs(batch, job.ruleIds)) return toReindex(progress, batch);
  if (job === undefined || isOver(job)) return givenUp(progress, reason, batch, "counted");
  if (nowMs - sinceMs <= CANCEL_MS_MAX) return progress;
  return givenUp(progress, `${reason}; job ${id} could not be cancelled`, batch, "counted");
}

function jobFailure({ id, status, error }: Job): string {
  if (status === "canceled") return `the connector's job ${id} was cancelled`;
  return `the connector's job ${id} failed: ${error ?? "it does not say why"}`;
}

function toReindex(progress: SyncProgress, batch: Batch): SyncProgress {
  return { ...progress, state: { phase: "reindex", batch } };
}

function toUpdate(progress: SyncProgress, batch: Batch, copies: readonly Copy[]): SyncProgress {
  const state: SyncState = { phase: "update", batch, copies: weighed(copies, batch, progress.attempts) };
  return { ...progress, state };
}

/** The whole batch failed, for one reason. */
function givenUp(progress: SyncProgress, reason: string, batch: Batch, weight: Weight): SyncProgress {
  const copies = batch.documents.map(
    ({ metadataId }): Copy => ({ metadataId, type: "failed", reason, weight, withdrawn: false }),
  );
  return toUpdate(progress, batch, copies);
}

function misplaced(state: SyncState, { type }: Observation): Error {
  return new Error(`the sync saw ${type} in phase ${state.phase}`);
}
