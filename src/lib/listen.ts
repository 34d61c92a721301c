/** Opening a server's port, with words for an address that cannot be had. */
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { boundHost } from "./private-address.js";

export interface ListenAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** Nothing can be served at an address; the message says at which, and why. */
export class AddressUnavailable extends Error {
  override readonly name = "AddressUnavailable";
}

/** Resolves with the port in use. Rejects with `AddressUnavailable`. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<number> {
  server.listen(port, boundHost(host));
  try {
    await once(server, "listening");
  } catch (error) {
    throw new AddressUnavailable(`cannot listen on ${host}:${port}: ${reasonOf(error)}`, { cause: error });
  }
  return (server.address() as AddressInfo).port;
}

function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  return reason === undefined ? message : `${reason} (${code})`;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process uses this port",
  EACCES: "this process may not use this port",
  EADDRNOTAVAIL: "this machine does not have this address",
  ENOTFOUND: "nobody knows this host",
};
