/**
 * How far back what this process reads now may have been sent: since it last looked, and the turns of the event loop
 * before that, in which a service in this process may have put it on its way. Without that, a pause of ours would look
 * like a burst of the service's.
 */
import { type Clock, every, type Timer } from "../lib/clock.js";

/** How often it looks, in milliseconds of the machine's clock. */
const TICK_MS = 4;

/**
 * A packet is given its time in one turn of the loop, is written at the end of that turn and read in the next. The look
 * of the first turn may come after the packet's time, so that the one before it counts.
 */
const LOOKS_KEPT = 3;

export class LoopWatch {
  readonly #timer: Timer;
  readonly #looksMs: number[];

  /** `speed`: how many times as fast as the machine's clock `clock` runs. */
  constructor(
    private readonly clock: Clock,
    speed: number,
  ) {
    this.#looksMs = [clock.monotonic()];
    this.#timer = every(clock, TICK_MS * speed, () => this.#look());
  }

  /** When something that is read now was sent at the earliest, on the clock. */
  get earliestMs(): number {
    return this.#looksMs[0]!;
  }

  close(): void {
    this.#timer.cancel();
  }

  #look(): void {
    this.#looksMs.push(this.clock.monotonic());
    if (this.#looksMs.length > LOOKS_KEPT) this.#looksMs.shift();
  }
}
