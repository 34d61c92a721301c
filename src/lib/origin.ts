/**
 * For whom work is done. A door runs everything that a request causes inside `workFor`; whatever shares something
 * scarce out (the event loop, a thread, the number of turns at once) asks `currentOrigin` and takes turns by it.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * From coarse to fine: the relay or caller (its token, key or address), its connection, the user. Shares are equal at
 * each level: one address with a thousand connections gets no more than one with a single connection.
 */
export type Origin = readonly [peer: string, connection: string, user: string];

/** What the service does unasked. */
export const OWN_WORK: Origin = ["service", "", ""];

const storage = new AsyncLocalStorage<Origin>();

/** Runs `work`, and all that it starts, for `origin`. */
export function workFor<T>(origin: Origin, work: () => T): T {
  return storage.run(origin, work);
}

/** For whom the running code works; `OWN_WORK` outside of `workFor`. */
export function currentOrigin(): Origin {
  return storage.getStore() ?? OWN_WORK;
}
