/** For whom a request to the API is dealt with: everything that it causes runs inside `workForCaller`. */
import { workFor } from "../lib/origin.js";
import type { Caller } from "./api-keys.js";
import type { SocketAddresses } from "./neighbour.js";

/** Callers share by the name of their key, those without one by their address; within a caller, each connection. */
export function workForCaller<T>(
  { name }: Caller,
  connection: SocketAddresses | undefined,
  work: () => T,
): T {
  const { remoteAddress = "an unknown address", remotePort = 0 } = connection ?? {};
  const peer = name === undefined ? `caller at ${remoteAddress}` : `key ${name}`;
  return workFor([peer, `${remoteAddress} ${remotePort}`, ""], work);
}
