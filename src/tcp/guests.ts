/**
 * Who is connected, by address. When there is no room for a newcomer, somebody goes of the address that has most
 * connections: an address with many cannot shut out one with few.
 */
import type { Clock } from "../lib/clock.js";
import { Inflow, type InflowLimits } from "./budget.js";
import type { Connection } from "./connection.js";

export interface GuestLimits {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly framesPerSecondPerAddressMax: number;
  readonly bytesPerSecondPerAddressMax: number;
}

/** For how long the budget of an address is remembered after its last connection: reconnecting renews nothing. */
const REMEMBERED_MS = 60_000;

/** Addresses without a connection that are remembered at the most. */
const REMEMBERED_MAX = 10_000;

interface Address {
  readonly inflow: Inflow;
  /** Oldest first. */
  readonly connections: Set<Connection>;
  /** When the last of them ended; monotonic milliseconds. */
  leftMs: number;
}

/** There is room, or there is if `gives` goes, or none for this newcomer. */
export type Room =
  | { readonly type: "free" }
  | { readonly type: "taken"; readonly gives: Connection }
  | { readonly type: "full"; readonly limit: "connections_max" | "connections_per_address_max" };

export class Guests {
  readonly #addresses = new Map<string, Address>();
  readonly #inflow: InflowLimits;
  #size = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: GuestLimits,
  ) {
    this.#inflow = {
      framesPerSecondMax: limits.framesPerSecondPerAddressMax,
      bytesPerSecondMax: limits.bytesPerSecondPerAddressMax,
    };
  }

  get size(): number {
    return this.#size;
  }

  *[Symbol.iterator](): Generator<Connection, void, undefined> {
    for (const { connections } of this.#addresses.values()) yield* connections;
  }

  /** Room for one more connection from `address`. */
  roomFor(address: string): Room {
    const own = this.#addresses.get(address)?.connections ?? new Set();
    if (own.size >= this.limits.connectionsPerAddressMax) {
      const gives = oldestUnproven(own);
      return gives === undefined
        ? { type: "full", limit: "connections_per_address_max" }
        : { type: "taken", gives };
    }
    if (this.#size < this.limits.connectionsMax) return { type: "free" };
    const largest = this.#largest();
    const gives =
      oldestUnproven(largest) ?? (largest.size > own.size + 1 ? longestSilent(largest) : undefined);
    return gives === undefined ? { type: "full", limit: "connections_max" } : { type: "taken", gives };
  }

  /** What the connections of `address` may send together. */
  inflowOf(address: string): Inflow {
    return this.#at(address).inflow;
  }

  add(connection: Connection): void {
    this.#at(connection.origin.address).connections.add(connection);
    this.#size++;
  }

  delete(connection: Connection): void {
    const address = this.#at(connection.origin.address);
    if (!address.connections.delete(connection)) return;
    address.leftMs = this.clock.monotonic();
    this.#size--;
  }

  /** Forgets addresses that have left for good; to be called now and then. */
  forget(): void {
    const forgottenMs = this.clock.monotonic() - REMEMBERED_MS;
    for (const [name, { connections, leftMs }] of this.#addresses)
      if (connections.size === 0 && (leftMs < forgottenMs || this.#addresses.size > REMEMBERED_MAX))
        this.#addresses.delete(name);
  }

  #at(name: string): Address {
    const found = this.#addresses.get(name);
    if (found !== undefined) return found;
    const address: Address = {
      inflow: new Inflow(this.clock, this.#inflow),
      connections: new Set(),
      leftMs: this.clock.monotonic(),
    };
    this.#addresses.set(name, address);
    return address;
  }

  #largest(): ReadonlySet<Connection> {
    let largest: ReadonlySet<Connection> = new Set();
    for (const { connections } of this.#addresses.values())
      if (connections.size > largest.size) largest = connections;
    return largest;
  }
}

/** The one that has been here longest without a frame. */
function oldestUnproven(connections: ReadonlySet<Connection>): Connection | undefined {
  for (const connection of connections) if (!connection.proven) return connection;
  return undefined;
}

function longestSilent(connections: ReadonlySet<Connection>): Connection | undefined {
  let found: Connection | undefined;
  for (const connection of connections)
    if (found === undefined || connection.lastFrameMs < found.lastFrameMs) found = connection;
  return found;
}
