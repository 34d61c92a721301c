/**
 * When the next packet may leave. Receivers have no timestamps and play by counting, so the sender keeps time:
 * packet i leaves no earlier than i × duration minus the cushion after the first. When the receiver runs dry the
 * packet that ends the gap counts as a first one again, so that later deadlines shift and nothing comes in a burst.
 */

/** How far ahead of play-out packets may leave. */
export const CUSHION_MS = 120;

export class Pacer {
  #anchorMs = 0;
  #sent = 0;

  constructor(private readonly packetMs: number) {}

  /** The earliest time at which the next packet may leave, on the clock that `sent` is told of. */
  get earliestMs(): number {
    return this.#sent === 0 ? 0 : this.dryMs - CUSHION_MS;
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
