/**
 * A look at the event loop from inside, at intervals. It tells how far back something that is handled now, a message or
 * a signal, may have been sent: without that, a pause of ours would look like the sender's.
 */
import { type Clock, every, type Timer } from "./clock.js";

/**
 * A message is read in the turn of the loop after the one in which it was sent, at the latest. The look of the first
 * turn may come after it was sent, so that the one before it counts.
 */
const LOOKS_KEPT = 3;

export class LoopWatch {
  readonly #timer: Timer;
  readonly #looksMs: number[];

  /** Looks every `intervalMs` of `clock`; `onLook` is told how long ago the look before was. */
  constructor(
    private readonly clock: Pick<Clock, "monotonic" | "after">,
    intervalMs: number,
    private readonly onLook: (sinceLastMs: number) => void = () => {},
  ) {
    this.#looksMs = [clock.monotonic()];
    this.#timer = every(clock, intervalMs, () => this.#look());
  }

  /** When something that is handled now was sent at the earliest, on the clock. */
  get earliestMs(): number {
    return this.#looksMs[0]!;
  }

  close(): void {
    this.#timer.cancel();
  }

  #look(): void {
    const nowMs = this.clock.monotonic();
    const sinceLastMs = nowMs - this.#looksMs.at(-1)!;
    this.#looksMs.push(nowMs);
    if (this.#looksMs.length > LOOKS_KEPT) this.#looksMs.shift();
    this.onLook(sinceLastMs);
  }
}
