/** A clock that runs faster than the one it is made of: ten minutes of service in one, all figures still in its own time. */
import type { Clock, Timer } from "./clock.js";

/** Sums of fractions are not exact: a timer that is this little early is on time. */
const ROUNDING_MS = 0.001;

/**
 * Time from here on passes `speed` times as fast as on `base`; both of its times begin at those of `base`. What takes
 * computing time takes `speed` times as long on this clock. Throws `RangeError` for a speed that is not above 0.
 */
export function scaledClock(base: Clock, speed: number): Clock {
  if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError(`a clock cannot run at ${speed} times`);
  const [startMs, startWallMs] = [base.monotonic(), base.now()];
  const elapsedMs = () => (base.monotonic() - startMs) * speed;
  const monotonic = () => startMs + elapsedMs();
  return {
    now: () => Math.floor(startWallMs + elapsedMs()),
    monotonic,
    after(delayMs, callback) {
      return new ScaledTimer(base, speed, monotonic, monotonic() + Math.max(0, delayMs), callback);
    },
  };
}

/** A timer of the base may fire a fraction of a millisecond early, which is much on a fast clock: it is then set again. */
class ScaledTimer implements Timer {
  #timer: Timer;

  constructor(
    private readonly base: Clock,
    private readonly speed: number,
    private readonly monotonic: () => number,
    private readonly dueMs: number,
    private readonly callback: () => void,
  ) {
    this.#timer = this.#arm();
  }

  cancel(): void {
    this.#timer.cancel();
  }

  #arm(): Timer {
    const leftMs = Math.max(0, this.dueMs - this.monotonic()) / this.speed;
    return this.base.after(leftMs, () => {
      if (this.monotonic() + ROUNDING_MS >= this.dueMs) this.callback();
      else this.#timer = this.#arm();
    });
  }
}
