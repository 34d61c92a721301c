/** How much the holders of each key may ask: so often in a minute, and so much at once. Whoever guesses keys is kept out. */
import type { Clock } from "../lib/clock.js";
import { peerAddress } from "../lib/peer-address.js";
import { SlidingWindow } from "../lib/sliding-window.js";
import type { Caller, Doorkeeper, Entry } from "./api-keys.js";
import type { Visitor } from "./neighbour.js";
import { Rejection } from "./rejection.js";
import { WRONG_KEYS_MANY, type WrongKeys } from "./wrong-keys.js";

export interface LimitedKeysDeps {
  readonly clock: Clock;
  readonly wrongKeys: WrongKeys;
  readonly limits: { readonly requestsPerMinuteMax: number; readonly requestsAtOnceMax: number };
}

/** Knows who comes, and keeps no count. */
export interface Keys<C> {
  admit(visitor: Visitor): Promise<C>;
}

const MINUTE_MS = 60_000;

export class LimitedKeys<C extends Caller> implements Doorkeeper<C> {
  /** By what a key stands for, as long as there is that key. */
  readonly #shares = new WeakMap<C, { readonly recent: SlidingWindow; atOnce: number }>();

  constructor(
    private readonly keys: () => Keys<C>,
    private readonly deps: LimitedKeysDeps,
  ) {}

  async admit(entry: Entry): Promise<C> {
    const { connection, key = "" } = entry;
    const { wrongKeys } = this.deps;
    const address = peerAddress(connection ?? {});
    const waitMs = wrongKeys.waitMs(address);
    if (waitMs > 0) throw new Rejection("rate_limited", WRONG_KEYS_MANY, undefined, waitMs);
    try {
      const caller = await this.keys().admit(entry);
      if (key !== "") wrongKeys.note(address, true);
      this.#begin(caller, entry);
      return caller;
    } catch (error) {
      const isWrong = key !== "" && error instanceof Rejection && error.code === "unauthorized";
      if (isWrong) wrongKeys.note(address, false);
      throw error;
    }
  }

  #begin(caller: C, { whenOver }: Entry): void {
    const { clock, limits } = this.deps;
    const { requestsAtOnceMax, requestsPerMinuteMax } = limits;
    const refuse = (error: string, retryAfterMs?: number) =>
      new Rejection("rate_limited", error, undefined, retryAfterMs);
    const window = { timesMax: requestsPerMinuteMax, windowMs: MINUTE_MS, keysMax: 1 };
    const share = this.#shares.get(caller) ?? { recent: new SlidingWindow(clock, window), atOnce: 0 };
    this.#shares.set(caller, share);
    if (share.atOnce >= requestsAtOnceMax)
      throw refuse(`${requestsAtOnceMax} requests with this key are under way; wait for one to end.`);
    const decision = share.recent.take("");
    if (decision.type === "refused")
      throw refuse(`This key may ask ${requestsPerMinuteMax} times in a minute.`, decision.retryAfterMs);
    share.atOnce++;
    whenOver(() => share.atOnce--);
  }
}
