/** What stands before a port: the list of addresses that may connect, and TLS. */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { addressList } from "./address-list.js";
import { ConnectionRoster } from "./connection-roster.js";
import type { TlsIdentity } from "./tls-identity.js";

/** Connections that may be shaking hands at once; the one that has taken longest gives way, of the address with most. */
export const HANDSHAKES_MAX = { connectionsMax: 512, connectionsPerAddressMax: 64 } as const;

export interface PortGateOptions {
  /** Addresses that may connect; empty: all. */
  readonly allow?: readonly string[];
  readonly tls?: TlsIdentity | undefined;
  /** Told of each connection whose address is not on the list, or whose handshake failed. */
  readonly tell?: (reason: "address" | "handshake", remote: string) => void;
}

export class PortGate {
  readonly tls: TlsIdentity | undefined;
  readonly #isListed: ReturnType<typeof addressList>;
  readonly #tell: PortGateOptions["tell"];

  constructor({ allow = [], tell, tls }: PortGateOptions = {}) {
    this.tls = tls;
    this.#isListed = addressList(allow);
    this.#tell = tell;
  }

  /** A server for what is not HTTP; `protocols` are those that TLS offers. */
  server(onSocket: (socket: Socket) => void, protocols: readonly string[] = []): Server {
    const options = { noDelay: true, ...this.tls?.options };
    if (this.tls === undefined) return this.guard(createServer(options), onSocket);
    return this.guard(createTlsServer({ ...options, ALPNProtocols: [...protocols] }), onSocket);
  }

  /** Hands over the connections of `server` that may stay: with TLS, when the handshake is done. */
  guard<S extends Server>(server: S, onSocket: (socket: Socket) => void): S {
    const { tls } = this;
    const handshakes = new ConnectionRoster<Socket>(HANDSHAKES_MAX);
    /** By the name of the peer, which TLS leaves as it is. */
    const shaking = new Map<string, Socket>();
    server.on("connection", (socket: Socket) => {
      const peer = peerName(socket);
      if (!this.#isListed(socket)) {
        this.#tell?.("address", peer);
        socket.destroy();
      } else if (tls === undefined) {
        onSocket(socket);
      } else if (handshakes.add(socket, () => true)) {
        shaking.set(peer, socket);
        socket.once("close", () => {
          if (shaking.delete(peer)) this.#tell?.("handshake", peer);
        });
      }
    });
    if (tls === undefined) return server;
    tls.serve(server as Server as TlsServer);
    server.on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy());
    return server.on("secureConnection", (socket: Socket) => {
      const plain = shaking.get(peerName(socket));
      if (plain !== undefined) handshakes.remove(plain);
      shaking.delete(peerName(socket));
      onSocket(socket);
    });
  }
}

/** The other end of a connection. */
export function peerName({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
