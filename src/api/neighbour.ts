/**
 * Who is believed without a key: the user who runs the service, by a process of the same machine, directly. A loopback
 * address alone says little, since every proxy on this machine has one, and every browser; so all that can be told must
 * speak for it (docs/security.md, decision 36).
 */
import type { OwnPeer } from "../lib/peer-user.js";
import { isLoopback, isLoopbackHost } from "../lib/private-address.js";
import { Rejection } from "./rejection.js";

/** What a request shows of where it comes from. */
export interface Visitor {
  /** What follows `Bearer` in `authorization`, or the value of `x-api-key`. */
  readonly key: string | undefined;
  /** The other end, and our port; undefined where it is gone. */
  readonly connection: SocketAddresses | undefined;
  /** Whom the visitor meant to reach: HTTP's `Host`, or gRPC's `:authority`. */
  readonly host: string | undefined;
  /** The site whose page asks, as a browser names it in `Origin`; absent where no page does. */
  readonly webOrigin?: string | undefined;
  /** Whether anything says that a proxy passed it on. */
  readonly forwarded: boolean;
}

/** As `node:net` has it. */
export interface SocketAddresses {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
  /** Whether TLS is spoken. */
  readonly encrypted?: boolean;
}

export interface NeighbourDeps {
  /** Whether the port is bound to loopback, and no kiosk is there that strangers are let in to. */
  readonly portIsPrivate: boolean;
  readonly isOwnPeer: OwnPeer;
}

/** Rejects with `Rejection` for everybody else. */
export async function assertNeighbour(visitor: Visitor, deps: NeighbourDeps): Promise<void> {
  if (!deps.portIsPrivate || !looksLocal(visitor)) throw new Rejection("forbidden", NO_KEYS);
  // Undefined where the system does not tell: then what was looked at so far has to do.
  if ((await deps.isOwnPeer(visitor.connection ?? {})) === false) throw new Rejection("forbidden", NO_KEYS);
}

const NO_KEYS =
  "No API key is configured here, so only the user who runs this service may ask, from this machine and directly. " +
  "Set http.api_keys to let others in.";

function looksLocal({ connection, forwarded, host, webOrigin }: Visitor): boolean {
  const { encrypted = false, localPort, remoteAddress } = connection ?? {};
  if (remoteAddress === undefined || !isLoopback(remoteAddress)) return false;
  if (forwarded || host === undefined || !isOwnHost(host, localPort)) return false;
  return webOrigin === undefined || webOrigin === `http${encrypted ? "s" : ""}://${host}`;
}

/** Those that a `Host` does not name: of http and of https. */
const UNNAMED_PORTS = [80, 443];

/**
 * Whether a `Host` is this machine at this very port. A page that a browser here shows may reach it under a name of the
 * page's own; that name is in `Host`.
 */
function isOwnHost(host: string, localPort: number | undefined): boolean {
  const [, name, port] = /^(\[[\da-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  const ports = port === undefined ? UNNAMED_PORTS : [Number(port)];
  if (name === undefined || localPort === undefined || !ports.includes(localPort)) return false;
  return isLoopbackHost(name.replace(/^\[(.*)\]$/, "$1"));
}
