/**
 * When packets may come, as a receiver knows it that plays by counting [LT-83, LT-85]: packet i of a run no earlier
 * than i × duration minus the cushion after the first of the run; a new run begins where the receiver ran dry. When a
 * packet was sent is known within bounds only, so that what is called early or dry is so for certain.
 */

/**
 * How far ahead of play-out a packet may be: the cushion of about 120 ms, and what lies between a sender's look at its
 * clock and its write, by which the first packet of a run may have been later than those after it.
 */
export const AHEAD_MS_MAX = 120 + 10;

export interface Timing {
  /** By how much the packet was too early; 0: it was not. */
  readonly earlyMs: number;
  /** For how long the receiver had run dry before it; 0: it had not. */
  readonly dryMs: number;
}

/** Between these the sender's first packet of a run left. */
interface Bounds {
  readonly earliestMs: number;
  readonly latestMs: number;
}

export class Playout {
  #run: (Bounds & { readonly packets: number }) | undefined;
  #held = false;
  /** Packets before the one that comes next, and when the first of them left at the earliest. */
  #packets = 0;
  #originMs = 0;

  constructor(private readonly packetMs: number) {}

  /**
   * From here on packets may have been held on their way, by a relay that does not read or until their user turned up
   * elsewhere: then they come in a burst, and only what came before its place in the whole message was sent too early.
   */
  hold(): void {
    this.#held = true;
  }

  /** Packets that were lost on the way count as sent. */
  skip(packets: number): void {
    this.#packets += packets;
  }

  /** Notes a packet that was sent between `earliestMs` and `latestMs`. */
  packet(earliestMs: number, latestMs: number): Timing {
    if (this.#run === undefined) this.#originMs = earliestMs;
    const earlyMs = this.#held ? this.#originMs + this.#packets * this.packetMs - AHEAD_MS_MAX - latestMs : 0;
    this.#packets += 1;
    const timing = this.#inRun(earliestMs, latestMs);
    return this.#held ? { earlyMs: Math.max(0, earlyMs), dryMs: 0 } : timing;
  }

  #inRun(earliestMs: number, latestMs: number): Timing {
    const run = this.#run ?? { earliestMs, latestMs, packets: 0 };
    const playedMs = run.packets * this.packetMs;
    const due = { earliestMs: run.earliestMs + playedMs, latestMs: run.latestMs + playedMs };
    const earlyMs = run.packets === 0 ? 0 : Math.max(0, due.earliestMs - AHEAD_MS_MAX - latestMs);
    // Whether the sender knew that the receiver was dry is uncertain between the two: both are allowed for. After a
    // packet that was too early the count begins anew, so that the same fault is told once.
    this.#run =
      earlyMs > 0 || earliestMs > due.earliestMs
        ? { earliestMs, latestMs: Math.max(latestMs, due.latestMs), packets: 1 }
        : { ...run, packets: run.packets + 1 };
    return { earlyMs, dryMs: run.packets === 0 ? 0 : Math.max(0, earliestMs - due.latestMs) };
  }
}
