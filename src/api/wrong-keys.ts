/**
 * Addresses that show wrong keys or tokens, at whatever door. One that has shown many is not listened to for the rest of
 * a minute, so that nobody guesses on. An address from which right ones come is always listened to: behind a proxy
 * everybody has the same one, and one who guesses there must not shut the others out.
 */
import type { Clock } from "../lib/clock.js";
import { ExpiringCache } from "../lib/expiring-cache.js";
import { SlidingWindow } from "../lib/sliding-window.js";

/** Addresses that are remembered, of either kind; the one that was heard of least recently goes first. */
const ADDRESSES_MAX = 10_000;
export const WRONG_KEYS = { timesMax: 20, windowMs: 60_000, keysMax: ADDRESSES_MAX } as const;
/** For how long an address is known for a right key. */
const TRUST = { entriesMax: ADDRESSES_MAX, ageMsMax: 600_000 } as const;

/** What is told where nobody listens. */
export const WRONG_KEYS_MANY =
  "Too many wrong keys came from this address. Wait a minute, then show the right one.";

export class WrongKeys {
  readonly #wrong: SlidingWindow;
  readonly #trusted: ExpiringCache<true>;

  constructor(clock: Clock) {
    this.#wrong = new SlidingWindow(clock, WRONG_KEYS);
    this.#trusted = new ExpiringCache(clock, TRUST);
  }

  /** How long `address` is not listened to; 0: it is. */
  waitMs(address: string): number {
    return this.#trusted.get(address) === true ? 0 : this.#wrong.waitMs(address);
  }

  /** A key came from `address`. */
  note(address: string, isRight: boolean): void {
    if (isRight) this.#trusted.set(address, true);
    else this.#wrong.take(address);
  }
}
