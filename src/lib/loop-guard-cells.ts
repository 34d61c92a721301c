/**
 * What the event loop and the thread that watches it tell each other, in memory that both see. All times are those of
 * the watching thread, which counts only time in which it ran itself: a process that was stopped, or a machine that
 * slept, is not late by that.
 *
 * Layout: four signed 64-bit integers.
 */

/** Whole milliseconds, but for `inspected`. */
const CELLS = {
  /** How long the thread has watched. Written by the thread. */
  watchedMs: 0,
  /** When the event loop last showed that it runs. Written by the loop. */
  answeredMs: 1,
  /** Since when the process is to stop; `RUNNING` before. Written by the loop. */
  stoppingSinceMs: 2,
  /** 1 while a debugger may hold the loop. Written by the loop. */
  inspected: 3,
} as const;

type Cell = keyof typeof CELLS;

const RUNNING = -1;

/** Why a process is over its time. */
export type Overdue = "silent" | "stopping";

export class LoopGuardCells {
  readonly #values: BigInt64Array;

  /** `memory` is what another instance works on; new memory unless given. */
  constructor(readonly memory = new SharedArrayBuffer(Object.keys(CELLS).length * 8)) {
    this.#values = new BigInt64Array(memory);
  }

  /** Cells of a process that runs. */
  static fresh(): LoopGuardCells {
    const cells = new LoopGuardCells();
    cells.set("stoppingSinceMs", RUNNING);
    return cells;
  }

  get(cell: Cell): number {
    return Number(Atomics.load(this.#values, CELLS[cell]));
  }

  set(cell: Cell, value: number): void {
    Atomics.store(this.#values, CELLS[cell], BigInt(Math.trunc(value)));
  }

  get stops(): boolean {
    return this.get("stoppingSinceMs") !== RUNNING;
  }

  /** Whether the process has stopped for longer than `limitMs`, or its event loop been silent for longer. */
  overdue(limitMs: number): Overdue | undefined {
    const latestMs = this.get("watchedMs") - limitMs;
    if (this.stops && this.get("stoppingSinceMs") < latestMs) return "stopping";
    return this.get("answeredMs") < latestMs ? "silent" : undefined;
  }
}
