/** The thread that watches the event loop (see loop-guard.ts), and ends a process that is over its time. */
import { write } from "node:fs";
import { workerData } from "node:worker_threads";
import { every, systemClock } from "./clock.js";
import { LoopGuardCells, type Overdue } from "./loop-guard-cells.js";

export interface LoopGuardData {
  /** Of the cells. */
  readonly memory: SharedArrayBuffer;
  readonly limitMs: number;
}

const LOOK_MS = 20;

/** What is counted of the time between two looks: more of it means that this thread did not run either. */
const COUNTED_MS_MAX = 100;

/** How long the last words may take: whoever reads them may be what holds the process up. */
const LAST_WORDS_MS_MAX = 500;

/**
 * Ends the process at once, without a memory image, which would hold what people said. A supervisor can tell it from
 * everything else: as exit code 142 (128 + 14) or by its name.
 */
const SIGNAL = "SIGALRM";

/** The system lets nothing in a container end its first process from inside. */
const PROCESS_1 = "process 1 can be ended from outside only: start it with an init (docker run --init)";

const STANDARD_ERROR = 2;

const { memory, limitMs } = workerData as LoopGuardData;
const cells = new LoopGuardCells(memory);
let lookedMs = systemClock.monotonic();
let watchedMs = 0;

const looking = every(systemClock, LOOK_MS, () => {
  const nowMs = systemClock.monotonic();
  const passedMs = Math.min(nowMs - lookedMs, COUNTED_MS_MAX);
  lookedMs = nowMs;
  if (cells.get("inspected") === 1) return;
  watchedMs += passedMs;
  cells.set("watchedMs", watchedMs);
  const overdue = cells.overdue(limitMs);
  if (overdue === undefined) return;
  looking.cancel();
  endProcess(overdue);
});

function endProcess(overdue: Overdue): void {
  const end = () => process.kill(process.pid, SIGNAL);
  const timer = systemClock.after(LAST_WORDS_MS_MAX, end);
  write(STANDARD_ERROR, `readback: ${wordsFor(overdue)}\n`, () => {
    timer.cancel();
    end();
  });
}

function wordsFor(overdue: Overdue): string {
  const what = {
    silent: `the event loop has not run for ${limitMs} ms`,
    stopping: `the stop has taken longer than ${limitMs} ms`,
  }[overdue];
  const remedy = process.pid === 1 ? PROCESS_1 : `the process ends itself (${SIGNAL})`;
  return `${what} (shutdown_grace_ms and a margin): ${remedy}`;
}
