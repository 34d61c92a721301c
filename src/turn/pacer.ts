/**
 * When packets leave. Receivers have no timestamps and play by counting, so the sender keeps time: packet i leaves no
 * earlier than i × duration minus the cushion after the first. When the receiver runs dry the packet that ends the gap
 * counts as a first one again, so that later deadlines shift and nothing comes in a burst.
 */
import assert from "node:assert/strict";

/** How far ahead of play-out packets may leave. */
export const CUSHION_MS = 120;

/** Packets leave in groups of at most this much audio: short ones would else cost a wake-up and a write each. */
export const GROUP_MS = 60;

/** Groups leave on these ticks of the clock, so that packets of many voices to one relay leave in one write. */
export const TICK_MS = 10;

assert(2 * GROUP_MS <= CUSHION_MS, "a group leaves at least half of the cushion");
assert(GROUP_MS + TICK_MS < CUSHION_MS, "and waiting for a tick does not use it up");

/** From the first packet of a group to its last: what a group takes from the cushion. */
export function groupSpanMs(packetMs: number): number {
  return Math.max(0, Math.floor(GROUP_MS / packetMs) - 1) * packetMs;
}

export class Pacer {
  #anchorMs = 0;
  #sent = 0;

  constructor(private readonly packetMs: number) {}

  /** The earliest time at which the next packet may leave, on the clock that `sent` is told of. */
  get earliestMs(): number {
    return this.#sent === 0 ? 0 : this.dryMs - CUSHION_MS;
  }

  /** When the next packet leaves: at `nowMs` if it may, else at the tick when its whole group may. */
  dueMs(nowMs: number): number {
    if (nowMs >= this.earliestMs) return nowMs;
    const groupMs = this.earliestMs + groupSpanMs(this.packetMs);
    return Math.ceil(groupMs / TICK_MS) * TICK_MS;
  }

  /** When the receiver will have played all it was given; infinite before the first packet. */
  get dryMs(): number {
    return this.#sent === 0 ? Number.POSITIVE_INFINITY : this.#anchorMs + this.#sent * this.packetMs;
  }

  /** Notes that a packet left at `nowMs`. Returns how long the receiver had run dry: 0 when it had not. */
  sent(nowMs: number): number {
    const dryForMs = Math.max(0, nowMs - this.dryMs);
    if (this.#sent === 0 || dryForMs > 0) {
      this.#anchorMs = nowMs;
      this.#sent = 0;
    }
    this.#sent += 1;
    return dryForMs;
  }
}
