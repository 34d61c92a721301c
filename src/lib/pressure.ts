/**
 * Guards of the process: one trips when the heap is nearly full, another when the event loop is late, each only after it
 * was so for a while, and is reset after there was room again for as long. Garbage that waits for its collection, or one
 * slow turn of the loop, trips neither.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { type Clock, every, type Timer } from "./clock.js";

export const PRESSURE_GUARDS = ["heap", "event_loop"] as const;
export type PressureGuard = (typeof PRESSURE_GUARDS)[number];

/** What a guard goes by: the share of the heap's limit that is used, and the loop's delay in milliseconds. */
export type PressureReadings = Readonly<Record<PressureGuard, number>>;

export interface PressureLimits {
  /** A guard trips when its reading is above for `tripMs`. */
  readonly max: PressureReadings;
  readonly tripMs: number;
}

export interface PressureChange {
  readonly guard: PressureGuard;
  readonly isTripped: boolean;
  readonly reading: number;
  readonly limit: number;
}

/** How often the readings are looked at. */
export const LOOK_MS = 1_000;

/** A guard is reset when its reading is below this share of its limit for `tripMs`. */
const RESET_SHARE = 0.8;

/** How often the system looks how late the loop is; its figures include this time. */
const SAMPLE_MS = 20;

const NS_PER_MS = 1e6;

/** Where the readings come from. */
export interface PressureMeter {
  /** Of the time since it was read before. */
  read(): PressureReadings;
  close(): void;
}

export class Pressure {
  readonly #tripped = new Set<PressureGuard>();
  /** Since when a reading asks for the other state (monotonic), by guard. */
  readonly #otherwiseSinceMs = new Map<PressureGuard, number>();
  readonly #timer: Timer;
  #lookedMs: number;

  /** `meter` is read every `LOOK_MS`, and `tell` is told of each change. */
  constructor(
    private readonly clock: Clock,
    private readonly limits: PressureLimits,
    private readonly tell: (change: PressureChange) => void,
    private readonly meter: PressureMeter = processMeter(),
  ) {
    this.#lookedMs = clock.monotonic();
    this.#timer = every(clock, LOOK_MS, () => this.#look());
  }

  /** The guard that is tripped now, if one is. */
  get tripped(): PressureGuard | undefined {
    return PRESSURE_GUARDS.find((guard) => this.#tripped.has(guard));
  }

  close(): void {
    this.#timer.cancel();
    this.meter.close();
  }

  #look(): void {
    const { event_loop, heap } = this.meter.read();
    const nowMs = this.clock.monotonic();
    // A loop that hardly runs is sampled hardly ever: then this look itself is late.
    this.#judge("event_loop", Math.max(event_loop, nowMs - this.#lookedMs - LOOK_MS), nowMs);
    this.#judge("heap", heap, nowMs);
    this.#lookedMs = nowMs;
  }

  #judge(guard: PressureGuard, reading: number, nowMs: number): void {
    const limit = this.limits.max[guard];
    const isTripped = this.#tripped.has(guard);
    const isOtherwise = isTripped ? reading < RESET_SHARE * limit : reading > limit;
    const sinceMs = this.#otherwiseSinceMs.get(guard) ?? nowMs;
    const isOver = isOtherwise && nowMs - sinceMs >= this.limits.tripMs;
    if (isOtherwise && !isOver) this.#otherwiseSinceMs.set(guard, sinceMs);
    else this.#otherwiseSinceMs.delete(guard);
    if (!isOver) return;
    if (isTripped) this.#tripped.delete(guard);
    else this.#tripped.add(guard);
    this.tell({ guard, isTripped: !isTripped, reading, limit });
  }
}

/** This process: its heap now, and the 99th percentile of the delays of its event loop. */
export function processMeter(): PressureMeter {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  const read = () => {
    const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
    const delayMs = delays.percentile(99) / NS_PER_MS - SAMPLE_MS;
    delays.reset();
    return { heap: used / limit, event_loop: Math.max(0, delayMs) };
  };
  return { read, close: () => delays.disable() };
}
