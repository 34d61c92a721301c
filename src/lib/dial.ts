/** Connects to a port as a client, over TLS where that is wanted. */
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import type { Clock } from "./clock.js";
import { withDeadline } from "./deadline.js";
import type { ListenAddress } from "./listen.js";

export interface DialAddress extends ListenAddress {
  /** Whom the client trusts, and what it shows of itself; absent: it speaks no TLS. */
  readonly tls?: SecureContext | undefined;
}

/** Nobody is there, or it is not who it should be. */
export class CannotConnect extends Error {
  override readonly name = "CannotConnect";
}

/** Rejects with `CannotConnect`, when it takes longer than `msMax`, or with the signal's reason. */
export async function dial(
  { host, port, tls }: DialAddress,
  clock: Clock,
  msMax: number,
  signal: AbortSignal,
): Promise<Socket> {
  const isSecure = tls !== undefined;
  const where = { host, port, noDelay: true };
  const servername = isIP(host) === 0 ? host : "";
  const socket = isSecure ? connectTls({ ...where, servername, secureContext: tls }) : connect(where);
  const connected = () =>
    new Promise<void>((resolve, reject) => {
      socket.once(isSecure ? "secureConnect" : "connect", () => resolve());
      socket.once("error", ({ message }) =>
        reject(
          new CannotConnect(`cannot connect to ${host}:${port}${isSecure ? " over TLS" : ""}: ${message}`),
        ),
      );
    });
  try {
    await withDeadline(clock, `connecting to ${host}:${port}`, msMax, signal, connected);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}
