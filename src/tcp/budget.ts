/**
 * How much a connection may send, in frames and bytes per second, and all connections of one address together. Over it
 * nothing is dropped: its bytes are read later.
 */
import type { Clock } from "../lib/clock.js";
import { TokenBucket } from "../lib/token-bucket.js";
import { BURST_SECONDS } from "./limits.js";

export interface InflowLimits {
  readonly framesPerSecondMax: number;
  readonly bytesPerSecondMax: number;
}

/** One connection's inflow, or one address's. */
export class Inflow {
  readonly #frames: TokenBucket;
  readonly #bytes: TokenBucket;

  constructor(clock: Clock, { bytesPerSecondMax, framesPerSecondMax }: InflowLimits) {
    const bucket = (perSecond: number) =>
      new TokenBucket(clock, { perSecond, burst: BURST_SECONDS * perSecond });
    this.#frames = bucket(framesPerSecondMax);
    this.#bytes = bucket(bytesPerSecondMax);
  }

  /** Notes what has come. Returns how long to wait before anything more is dealt with, in milliseconds. */
  spend(frames: number, bytes: number): number {
    return Math.max(this.#frames.take(frames), this.#bytes.take(bytes));
  }
}
