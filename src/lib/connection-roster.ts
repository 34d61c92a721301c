/**
 * The connections of a server, and which of them gives way when there are too many: the one that has waited for its
 * client the longest, of the address that has the most. So a flood throws out its own, and a newcomer is let in.
 */
import { isIPv6 } from "node:net";

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

type Seats<S> = Map<S, Waits>;

export class ConnectionRoster<S extends RosterSocket> {
  /** By address; within one, the connection that was used last comes last. */
  readonly #byAddress = new Map<string, Seats<S>>();
  #count = 0;

  constructor(private readonly limits: RosterLimits) {}

  get size(): number {
    return this.#count;
  }

  /** Takes a connection in until it closes. False: there was no room, and it was destroyed. */
  add(socket: S, waits: Waits): boolean {
    const address = shareOf(socket.remoteAddress);
    if (!this.#makeRoom(address)) {
      socket.destroy();
      return false;
    }
    const seats = this.#byAddress.get(address) ?? new Map<S, Waits>();
    this.#byAddress.set(address, seats.set(socket, waits));
    this.#count++;
    socket.once("close", () => this.#remove(socket, address));
    return true;
  }

  /** It is in use now. */
  touch(socket: S): void {
    const seats = this.#byAddress.get(shareOf(socket.remoteAddress));
    const waits = seats?.get(socket);
    if (seats === undefined || waits === undefined) return;
    seats.delete(socket);
    seats.set(socket, waits);
  }

  #makeRoom(address: string): boolean {
    const { connectionsMax, connectionsPerAddressMax } = this.limits;
    const own = this.#byAddress.get(address);
    if (own !== undefined && own.size >= connectionsPerAddressMax) return this.#evictOne(address, own);
    if (this.#count < connectionsMax) return true;
    const most = [...this.#byAddress].sort(([, a], [, b]) => b.size - a.size);
    return most.some(([name, seats]) => this.#evictOne(name, seats));
  }

  #evictOne(address: string, seats: Seats<S>): boolean {
    for (const [socket, waits] of seats) {
      if (!waits()) continue;
      this.#remove(socket, address);
      socket.destroy();
      return true;
    }
    return false;
  }

  #remove(socket: S, address: string): void {
    const seats = this.#byAddress.get(address);
    if (seats?.delete(socket) !== true) return;
    this.#count--;
    if (seats.size === 0) this.#byAddress.delete(address);
  }
}

/** Groups of 16 bits that name a network of IPv6: whoever has one address of it has all. */
const NETWORK_GROUPS = 4;

/** What counts as one address. */
function shareOf(address = ""): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const [before, after] = [head, tail ?? ""].map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = tail === undefined ? 0 : 8 - before!.length - after!.length;
  return [...before!, ...Array<string>(zeros).fill("0"), ...after!].slice(0, NETWORK_GROUPS).join(":");
}
