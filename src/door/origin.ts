/** For whom a request to the API is dealt with: everything that it causes runs inside `workForCaller`. */
import { workFor } from "../lib/origin.js";
import type { Caller, Visitor } from "./api-keys.js";

/** Callers share by the name of their key; those without one by their address. */
export function workForCaller<T>({ name }: Caller, { address }: Visitor, work: () => T): T {
  const peer = name === undefined ? `caller at ${address ?? "an unknown address"}` : `key ${name}`;
  return workFor([peer, "", ""], work);
}
