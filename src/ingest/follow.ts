/**
 * Keeps the knowledge of a network up to date with a source for as long as it is let: a whole ingest at first, then
 * what changed, as whoever watches the source tells, and everything again from time to time, since a watcher may miss
 * something. An ingest that fails is told and made up for; it ends nothing.
 */
import { type Clock, sleep } from "../lib/clock.js";
import { Condition } from "../lib/condition.js";
import { Deadline, DeadlineExceeded } from "../lib/deadline.js";
import { type IngestDeps, type IngestRequest, ingest } from "./ingest.js";
import { outermost } from "./path-set.js";
import type { IngestProgress, IngestReport } from "./report.js";
import { isManifestName } from "./source.js";

export interface FollowEvents {
  /** `only`: what was brought up to date; absent: everything. */
  onReport(report: IngestReport, only: readonly string[] | undefined): void;
  /** An ingest failed as a whole, or the watching did; it goes on. */
  onError(error: unknown): void;
  onProgress?(progress: IngestProgress): void;
}

/** No change for so long, and what has changed is ingested: an editor that saves makes several. */
export const QUIET_MS = 300;
/** Changes that do not end wait no longer than this. */
export const QUIET_MS_MAX = 5_000;

/** Changed paths that are kept apart; beyond that everything is looked at. */
export const CHANGES_MAX = 10_000;

/** The pause before the first ingest after one that failed as a whole; each later one is twice as long. */
const FAILURE_DELAY_MS = 1_000;
const FAILURE_DELAY_MS_MAX = 60_000;

/** Paths that changed and are to be ingested: collected while an ingest is under way. */
export class Changes {
  readonly #changed = new Condition();
  readonly #paths = new Set<string>();
  #everything = false;

  /** What lies at or below the path changed, came or went. */
  add(path: string): void {
    if (isManifestName(path) || this.#paths.size >= CHANGES_MAX) this.addEverything();
    else {
      this.#paths.add(path);
      this.#changed.notify();
    }
  }

  addEverything(): void {
    this.#everything = true;
    this.#paths.clear();
    this.#changed.notify();
  }

  get isEmpty(): boolean {
    return !this.#everything && this.#paths.size === 0;
  }

  /** Resolves at the next change; rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<boolean> {
    return this.#changed.wait(signal);
  }

  /** What is to be ingested, which is then no more: the fewest paths that cover it, or `everything`. */
  take(): readonly string[] | "everything" {
    const taken = this.#everything ? "everything" : outermost(this.#paths);
    this.#everything = false;
    this.#paths.clear();
    return taken;
  }
}

/** Ingests what is in `changes`, again and again. Resolves when the signal aborts. */
export async function follow(
  request: IngestRequest,
  deps: IngestDeps,
  changes: Changes,
  events: FollowEvents,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  try {
    for (;;) {
      while (changes.isEmpty) await changes.wait(signal);
      await untilQuiet(deps.clock, changes, signal);
      const taken = changes.take();
      const only = taken === "everything" ? undefined : taken;
      try {
        const part = only === undefined ? request : { ...request, only };
        const onProgress = (progress: IngestProgress) => events.onProgress?.(progress);
        events.onReport(await ingest(part, deps, onProgress, signal), only);
        failures = 0;
      } catch (error) {
        signal.throwIfAborted();
        events.onError(error);
        changes.addEverything();
        const delayMs = Math.min(FAILURE_DELAY_MS * 2 ** failures, FAILURE_DELAY_MS_MAX);
        failures += 1;
        await sleep(deps.clock, delayMs, signal);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Waits until nothing has changed for a while, within bounds. */
async function untilQuiet(clock: Clock, changes: Changes, signal: AbortSignal): Promise<void> {
  const whole = new Deadline(clock, "a pause between changes", QUIET_MS_MAX, signal);
  const pause = new Deadline(clock, "a pause between changes", QUIET_MS, whole.signal);
  try {
    for (;;) {
      await changes.wait(pause.signal);
      pause.restart(QUIET_MS);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DeadlineExceeded)) throw error;
  } finally {
    pause.dispose();
    whole.dispose();
  }
}
