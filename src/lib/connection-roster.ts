/**
 * The connections of a server, and which of them gives way when there are too many: the one that has waited for its
 * client the longest, of the address that has the most. So a flood throws out its own, and a newcomer is let in.
 */
import { Holders } from "./holders.js";
import { peerAddress } from "./peer-address.js";

export interface RosterLimits {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
}

/** What is needed of a socket. */
export interface RosterSocket {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** Whether the server waits for the client: for a request, for the rest of one, or for a reply to be read. */
export type Waits = () => boolean;

interface Seat {
  readonly address: string;
  readonly waits: Waits;
}

export class ConnectionRoster<S extends RosterSocket> {
  readonly #seats = new Map<S, Seat>();
  readonly #byAddress = new Holders<S>();

  constructor(private readonly limits: RosterLimits) {}

  get size(): number {
    return this.#seats.size;
  }

  /** Takes a connection in until it closes. False: there was no room, and it was destroyed. */
  add(socket: S, waits: Waits): boolean {
    const address = peerAddress(socket);
    if (!this.#makeRoom(address)) {
      socket.destroy();
      return false;
    }
    this.#seats.set(socket, { address, waits });
    this.#byAddress.use(address, socket);
    socket.once("close", () => this.remove(socket));
    return true;
  }

  /** It is in use now. */
  touch(socket: S): void {
    const seat = this.#seats.get(socket);
    if (seat !== undefined) this.#byAddress.use(seat.address, socket);
  }

  /** Leaves it alone from now on; it is no longer counted. */
  remove(socket: S): void {
    const seat = this.#seats.get(socket);
    if (seat === undefined) return;
    this.#seats.delete(socket);
    this.#byAddress.drop(seat.address, socket);
  }

  #makeRoom(address: string): boolean {
    const { connectionsMax, connectionsPerAddressMax } = this.limits;
    if (this.#byAddress.count(address) >= connectionsPerAddressMax) return this.#evictOneOf(address);
    if (this.size < connectionsMax) return true;
    return this.#byAddress.largestFirst().some((largest) => this.#evictOneOf(largest));
  }

  #evictOneOf(address: string): boolean {
    const socket = this.#byAddress.oldestOf(address, (one) => this.#seats.get(one)?.waits() === true);
    if (socket === undefined) return false;
    this.remove(socket);
    socket.destroy();
    return true;
  }
}
