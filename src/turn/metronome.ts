/**
 * The one timer of all voices. A voice is due at a tick, gives then at once what it has to give, and says when it is due
 * next. A tick costs what the voices cost that are due at it; it stops when none is due.
 */
import type { Clock, Timer } from "../lib/clock.js";
import { TICK_MS } from "./pacer.js";

/** A system's timer counts whole milliseconds from one, and cuts off what is over at both ends. */
const EARLY_MS_MAX = 2;

export interface Due {
  /**
   * Gives what is due at `nowMs` (monotonic), which was to come at `dueMs`. Returns when more is due, later than that;
   * undefined: it leaves. Must not throw.
   */
  beat(nowMs: number, dueMs: number): number | undefined;
}

/** One for each clock: a process has one clock. */
const metronomes = new WeakMap<Clock, Metronome>();

export class Metronome {
  /** By tick; none is empty. They are few: a voice is due within a group of packets and a tick. */
  readonly #buckets = new Map<number, Set<Due>>();
  #timer: Timer | undefined;
  #timerTick = Number.POSITIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  static of(clock: Clock): Metronome {
    const known = metronomes.get(clock) ?? new Metronome(clock);
    metronomes.set(clock, known);
    return known;
  }

  /** `voice`, which is not in it, is due at the first tick at or after `dueMs`. */
  add(voice: Due, dueMs: number): void {
    this.#put(voice, dueMs);
    this.#arm();
  }

  /** It is not due any more, if it was. */
  remove(voice: Due): void {
    for (const [tick, bucket] of this.#buckets) {
      if (bucket.delete(voice) && bucket.size === 0) this.#buckets.delete(tick);
    }
    this.#arm();
  }

  #put(voice: Due, dueMs: number): void {
    const tick = Math.ceil(dueMs / TICK_MS);
    const bucket = this.#buckets.get(tick);
    if (bucket === undefined) this.#buckets.set(tick, new Set([voice]));
    else bucket.add(voice);
  }

  #arm(): void {
    const tick = Math.min(...this.#buckets.keys());
    if (tick === this.#timerTick) return;
    this.#timer?.cancel();
    this.#timerTick = tick;
    const fire = () => this.#fire();
    this.#timer =
      tick === Number.POSITIVE_INFINITY
        ? undefined
        : this.clock.after(tick * TICK_MS - this.clock.monotonic(), fire);
  }

  #fire(): void {
    this.#timerTick = Number.POSITIVE_INFINITY;
    const nowMs = this.clock.monotonic();
    const ticks = [...this.#buckets.keys()].sort((one, other) => one - other);
    for (const tick of ticks) {
      if (tick * TICK_MS > nowMs + EARLY_MS_MAX) break;
      this.#beat(tick, nowMs);
    }
    this.#arm();
  }

  #beat(tick: number, nowMs: number): void {
    const dueMs = tick * TICK_MS;
    const bucket = this.#buckets.get(tick);
    this.#buckets.delete(tick);
    for (const voice of bucket ?? []) {
      const nextMs = voice.beat(Math.max(nowMs, dueMs), dueMs);
      if (nextMs !== undefined) this.#put(voice, nextMs);
    }
  }
}
