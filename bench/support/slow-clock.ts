/** A clock for measuring with a model on a slow machine: every limit of time is stretched by one factor. */
import type { Clock } from "../../src/lib/clock.js";

/** `factor` milliseconds of `clock` are one of it, for durations, deadlines and timers; the time of day is the same. */
export function slowClock(clock: Clock, factor: number): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() / factor,
    after: (delayMs, callback) => clock.after(delayMs * factor, callback),
  };
}
