/**
 * How long this process was busy lately: what is read now may have come at any time since it last looked. Without
 * that, a pause of ours would look like a burst of the service's.
 */
import { type Clock, every, type Timer } from "../lib/clock.js";

/** How often it looks, in milliseconds of the machine's clock. */
const TICK_MS = 4;

/** Pauses that count: a frame may be written before one turn of the loop and read after the next. */
const PAUSES_KEPT = 4;

export class LoopWatch {
  readonly #timer: Timer;
  readonly #pausesMs: number[] = [];
  #lastMs: number;

  /** `speed`: how many times as fast as the machine's clock `clock` runs. */
  constructor(
    private readonly clock: Clock,
    speed: number,
  ) {
    this.#lastMs = clock.monotonic();
    this.#timer = every(clock, TICK_MS * speed, () => this.#tick());
  }

  /** Since when something that is read now may have been there, on the clock. */
  earliestMs(): number {
    const nowMs = this.clock.monotonic();
    return nowMs - Math.max(nowMs - this.#lastMs, ...this.#pausesMs);
  }

  close(): void {
    this.#timer.cancel();
  }

  #tick(): void {
    const nowMs = this.clock.monotonic();
    this.#pausesMs.push(nowMs - this.#lastMs);
    if (this.#pausesMs.length > PAUSES_KEPT) this.#pausesMs.shift();
    this.#lastMs = nowMs;
  }
}
