/** The connections of the gRPC door: how many there may be, and which of them has calls under way. */
import type { Socket } from "node:net";
import { ConnectionRoster } from "../lib/connection-roster.js";

const CONNECTIONS_MAX = 1_024;
/** Of one address; a proxy is one. */
const CONNECTIONS_PER_ADDRESS_MAX = 256;

interface CallerSeat {
  readonly socket: Socket;
  calls: number;
}

export class Callers {
  readonly #roster = new ConnectionRoster<Socket>({
    connectionsMax: CONNECTIONS_MAX,
    connectionsPerAddressMax: CONNECTIONS_PER_ADDRESS_MAX,
  });
  /** By what gRPC calls the peer of a call. */
  readonly #seats = new Map<string, CallerSeat>();

  /** Takes a connection in until it closes. False: there was no room, and it was destroyed. */
  add(socket: Socket): boolean {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    const seat: CallerSeat = { socket, calls: 0 };
    if (!this.#roster.add(socket, () => seat.calls === 0)) return false;
    this.#seats.set(peer, seat);
    socket.once("close", () => {
      if (this.#seats.get(peer) === seat) this.#seats.delete(peer);
    });
    return true;
  }

  /** The connection of a call; undefined where it is gone. */
  connectionOf(peer: string): Socket | undefined {
    return this.#seats.get(peer)?.socket;
  }

  /** A call begins: its connection stays until the function that is returned says that the call is over. */
  begin(peer: string): () => void {
    const seat = this.#seats.get(peer);
    if (seat === undefined) return () => {};
    seat.calls++;
    this.#roster.touch(seat.socket);
    return () => {
      seat.calls--;
    };
  }

  destroyAll(): void {
    for (const { socket } of this.#seats.values()) socket.destroy();
  }
}
