/** A clock that moves only when a test says so. Its wall time can be set besides. */
import type { Clock, Timer } from "../../src/lib/clock.js";

interface Entry {
  readonly atMs: number;
  readonly callback: () => void;
}

/** Turns of the event loop granted to pending work after each fired timer, after the last one that was busy. */
const SETTLE_TURNS = 8;

/** A turn of the loop that takes longer, in milliseconds, was busy: heavy work goes on for many of them (`lib/pause.ts`). */
const BUSY_MS = 1;

/** Turns at the most: a loop that is never idle is a fault of what is tested. */
const TURNS_MAX = 10_000;

export class VirtualClock implements Clock {
  #nowMs: number;
  /** How far the wall time was set ahead. */
  aheadMs = 0;
  readonly #entries = new Set<Entry>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs + this.aheadMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const entry = { atMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#entries.add(entry);
    return { cancel: () => this.#entries.delete(entry) };
  }

  /** Timers that are set at this moment. */
  get pending(): number {
    return this.#entries.size;
  }

  /** Moves time forward, firing what falls due in order and letting pending work run in between. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    await settle();
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      this.#entries.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
      await settle();
    }
    this.#nowMs = endMs;
  }

  /** As `advance`, for a machine that slept meanwhile: what comes again and again comes once. */
  async leap(byMs: number): Promise<void> {
    this.#nowMs += byMs;
    await this.advance(0);
  }

  #next(endMs: number): Entry | undefined {
    let first: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.atMs <= endMs && (first === undefined || entry.atMs < first.atMs)) first = entry;
    }
    return first;
  }
}

/** Lets promises and ready input run. */
export async function settle(): Promise<void> {
  for (let turn = 0, last = SETTLE_TURNS; turn < Math.min(last, TURNS_MAX); turn++) {
    const sinceMs = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - sinceMs > BUSY_MS) last = turn + 1 + SETTLE_TURNS;
  }
}
