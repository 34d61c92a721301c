/** Whether new turns are taken at all: not by a process that is short of memory or time, nor by one that stops. */
import type { Pressure, PressureGuard } from "../lib/pressure.js";

export type ClosedReason = PressureGuard | "stopping";

export class Intake {
  #stops = false;

  constructor(private readonly pressure: Pick<Pressure, "tripped">) {}

  /** From here on none is taken. */
  stop(): void {
    this.#stops = true;
  }

  /** Why no new turn is taken now; absent: they are. */
  get closedFor(): ClosedReason | undefined {
    return this.#stops ? "stopping" : this.pressure.tripped;
  }
}
