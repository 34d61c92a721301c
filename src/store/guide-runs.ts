/**
 * Runs of guides as they are kept, by network and user: they outlive the process, a change of relay, and hours. What a
 * run and its guide hold is the guide's business; here both are texts. The guide's text is that of the version which the
 * run began with.
 */

export type GuideRunStatus = "running" | "paused" | "done" | "quit";

export function isOver({ status }: { readonly status: GuideRunStatus }): boolean {
  return status === "done" || status === "quit";
}

export interface StoredGuideRun {
  readonly id: string;
  readonly network: string;
  /** Who works; another user once it was handed over. */
  readonly user: string;
  readonly guide: string;
  readonly version: number;
  readonly status: GuideRunStatus;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
  readonly updatedAtMs: number;
  /** The run, as JSON. */
  readonly run: string;
  /** The guide as its file writes it, as JSON. */
  readonly text: string;
}

export interface GuideRunsQuery {
  /** Absent: of every network. */
  readonly network?: string | undefined;
  readonly user?: string | undefined;
  readonly guide?: string | undefined;
  readonly statuses?: readonly GuideRunStatus[] | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

/** Runs that are over and are kept; beyond that the oldest go. */
export const GUIDE_RUNS_KEPT_MAX = 10_000;

/** Every method rejects with `StoreUnusable`. */
export interface GuideRuns {
  /** Writes a run, in the place of what was kept under its id. Resolves when it is kept. */
  save(run: StoredGuideRun): Promise<void>;
  byId(network: string, id: string): Promise<StoredGuideRun | undefined>;
  /** What was written last comes first. */
  list(query: GuideRunsQuery): Promise<readonly StoredGuideRun[]>;
  close(): Promise<void>;
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
export class MemoryGuideRuns implements GuideRuns {
  /** What was written last comes last. */
  readonly #byId = new Map<string, StoredGuideRun>();

  constructor(private readonly keptMax = GUIDE_RUNS_KEPT_MAX) {}

  async save(run: StoredGuideRun): Promise<void> {
    this.#byId.delete(run.id);
    this.#byId.set(run.id, { ...run });
    const over = [...this.#byId.values()].filter(isOver);
    for (const { id } of over.slice(0, -this.keptMax)) this.#byId.delete(id);
  }

  async byId(network: string, id: string): Promise<StoredGuideRun | undefined> {
    const run = this.#byId.get(id);
    return run?.network === network ? run : undefined;
  }

  async list({ guide, limit, network, offset = 0, statuses, user }: GuideRunsQuery) {
    return [...this.#byId.values()]
      .filter(
        (run) =>
          (network === undefined || run.network === network) &&
          (user === undefined || run.user === user) &&
          (guide === undefined || run.guide === guide) &&
          (statuses === undefined || statuses.includes(run.status)),
      )
      .toReversed()
      .slice(offset, offset + limit);
  }

  async close(): Promise<void> {}
}
