/** Whether new turns are taken at all: not by a process that is short of memory or time, nor by one that stops. */
import type { Pressure, PressureGuard } from "../lib/pressure.js";

export type ClosedReason = PressureGuard | "stopping";

export class TurnGate {
  #stops = false;

  constructor(private readonly pressure: Pick<Pressure, "tripped">) {}

  /** From here on it is closed for good. */
  stop(): void {
    this.#stops = true;
  }

  /** Why no new turn is taken now; absent: they are. */
  get closedFor(): ClosedReason | undefined {
    return this.#stops ? "stopping" : this.pressure.tripped;
  }
}
