/** Turns that ask to be let in, on a virtual clock, and end when they are told to or after a time. */
import { RecordedEvents } from "../../test/support/events.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { type Watched, watch } from "../../test/support/watch.js";
import type { ResponseType } from "../domain/turn.js";
import { type Origin, OWN_WORK, workFor } from "../lib/origin.js";
import type { Admission, AdmissionDeps, AdmissionLimits } from "./admission.js";
import { admissionOf } from "./limits.test-util.js";

interface TurnAsked {
  readonly network?: string;
  readonly responseType?: ResponseType;
  /** How long it holds its place, answered in each way; absent: until it is told to end. */
  readonly heldMs?: Readonly<Record<ResponseType, number>>;
}

/** A turn that has begun. */
interface TurnBegun {
  readonly as: ResponseType;
  readonly waitedMs: number;
}

export class TurnsBench {
  readonly clock = new VirtualClock();
  readonly events = new RecordedEvents();
  readonly admission: Admission;
  /** In their order. */
  readonly begun: number[] = [];
  readonly begunAs = new Map<number, TurnBegun>();
  readonly results: Watched<number>[] = [];
  readonly stops: AbortController[] = [];
  readonly origins: Origin[] = [];
  readonly networks: string[] = [];
  readonly #ends = new Map<number, (error?: Error) => void>();

  constructor(limits: Partial<AdmissionLimits>, intake?: AdmissionDeps["intake"]) {
    this.admission = admissionOf({ clock: this.clock, telemetry: this.events, intake }, limits);
  }

  ask(origin = OWN_WORK, { heldMs, network = "plant", responseType = "text" }: TurnAsked = {}): number {
    const turn = this.results.length;
    const askedMs = this.clock.monotonic();
    const stop = new AbortController();
    this.stops.push(stop);
    this.origins.push(origin);
    this.networks.push(network);
    const work = (as: ResponseType) => {
      this.begun.push(turn);
      this.begunAs.set(turn, { as, waitedMs: this.clock.monotonic() - askedMs });
      if (heldMs !== undefined) this.clock.after(heldMs[as], () => this.end(turn));
      return new Promise<number>((resolve, reject) => {
        this.#ends.set(turn, (error) => (error === undefined ? resolve(turn) : reject(error)));
      });
    };
    const asked = { user: { network, username: "ann" }, responseType };
    this.results.push(watch(workFor(origin, () => this.admission.run(asked, stop.signal, work))));
    return turn;
  }

  /** Ends a turn that runs; true if it did. */
  end(turn: number, error?: Error): boolean {
    const end = this.#ends.get(turn);
    end?.(error);
    return this.#ends.delete(turn);
  }

  get running(): number {
    return this.#ends.size;
  }

  /** How many turns of this peer have begun. */
  begunOf(peer: string): number {
    return this.begun.filter((turn) => this.origins[turn]![0] === peer).length;
  }

  state(turn: number): string {
    const { now } = this.results[turn]!;
    return now.type;
  }

  /** Why turns were answered otherwise than they asked, or not at all, in their order. */
  get degraded(): readonly string[] {
    return this.events.of("turn_degraded").map(({ reason, to }) => `${to}: ${reason}`);
  }
}
